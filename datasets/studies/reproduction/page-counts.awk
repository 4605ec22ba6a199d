# SPDX-License-Identifier: GPL-3.0-or-later
# What both pages say first: how many rows of each kind have each verdict, the numbers that a study prints and that hold, and each
# row that does not come out. The rows of all experiments are read twice; head() of the page is called between.
function labels() {
	verdicts = split("holds fitted explained not-found differs unjudged absent", verdict, " ")
	split("hold fitted explained not-found differ unjudged absent", of_many, " ")
	shown["holds"] = "holds"
	shown["fitted"] = "holds, fitted"
	shown["explained"] = "differs, explained"
	shown["not-found"] = "differs, cause not found"
	shown["differs"] = "differs"
	shown["unjudged"] = "not judged"
	shown["absent"] = "absent"
	kinds = split("number statement threshold check", kind, " ")
	label["number"] = "numbers that a study prints"
	label["statement"] = "statements of a study in words"
	label["threshold"] = "statements, by a threshold of ours"
	label["check"] = "checks of ours, that no study has"
	meaning = "Fitted: a choice that was made on published figures enters. Explained: it holds without the difference that a known " \
		"cause makes, which was measured. Not found: what makes the difference is not known. Absent: the description that was " \
		"worked from has nothing to compare with."
}
# What a row that differs is, and how large its difference: of the unit, and in percent of what was published.
function difference(    share) {
	if ($5 == "-")
		return $1 ": " $2 ": published " $3 ", here " $4
	share = $3 + 0 != 0 ? sprintf(" (%+.3g %%)", 100 * $5 / $3) : ""
	return $1 ": " $2 ": " $5 share ", published " $3
}
BEGIN { FS = "\t"; labels(); second = one }
FNR == 1 && NR > 1 { second = 1; head() }
!second && $1 == "#title" { title[++titles] = $2 }
!second && !/^#/ {
	count[$9, $6]++
	if ($9 == "number" && $6 == "holds") {
		met[++meets] = $1 ": " $2 ": published " $3 ", here " $4
		met_at[meets] = titles
	}
	if ($6 == "differs" || $6 == "explained" || $6 == "not-found") {
		differs[$6, ++differ[$6]] = difference()
		differs_at[$6, differ[$6]] = titles
	}
}
!second { next }
