# SPDX-License-Identifier: GPL-3.0-or-later
# What both pages say first: how many rows have each verdict, and each row that differs. The rows of all experiments are read
# twice; head() of the page is called between.
function labels() {
	verdicts = split("holds fitted explained differs unjudged absent", verdict, " ")
	label["holds"] = "hold"
	label["fitted"] = "hold, and a choice made on published figures enters: fitted"
	label["explained"] = "differ, explained"
	label["differs"] = "differ"
	label["unjudged"] = "not judged"
	label["absent"] = "absent: nothing to compare with"
	shown["holds"] = "holds"
	shown["fitted"] = "fitted"
	shown["explained"] = "differs, explained"
	shown["differs"] = "differs"
	shown["unjudged"] = "not judged"
	shown["absent"] = "absent"
}
# What a row that differs is, and how large its difference: of the unit, and in percent of what was published.
function difference(    share) {
	if ($5 == "-")
		return $1 ": " $2 ": published " $3 ", here " $4
	share = $3 + 0 != 0 ? sprintf(" (%+.3g %%)", 100 * $5 / $3) : ""
	return $1 ": " $2 ": " $5 share ", published " $3
}
BEGIN { FS = "\t"; labels() }
FNR == 1 && NR > 1 { second = 1; head() }
!second && $1 == "#title" { title[++titles] = $2 }
!second && !/^#/ {
	count[$6]++
	if ($6 == "differs" || $6 == "explained") {
		differs[$6, count[$6]] = difference()
		differs_at[$6, count[$6]] = titles
	}
}
!second { next }
