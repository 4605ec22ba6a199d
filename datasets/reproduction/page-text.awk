# SPDX-License-Identifier: GPL-3.0-or-later
# The page as text: the rows of all experiments on the standard input.
function fold(words, indent, width,    part, n, i, line) {
	n = split(words, part, " ")
	line = indent
	for (i = 1; i <= n; i++) {
		if (length(line) + length(part[i]) > width && line != indent) {
			print line
			line = indent
		}
		line = line (line == indent ? "" : " ") part[i]
	}
	if (line != indent)
		print line
}
BEGIN {
	FS = "\t"
	print "Two studies of Myrinet, run again"
}
$1 == "#experiment" { next }
$1 == "#title" {
	print "\n" $2
	line = $2
	gsub(/./, "=", line)
	print line
	next
}
$1 == "#words" { fold($2, "", 100); next }
$1 == "#figure" { next }
{
	count[$6]++
	printf "%-8s %-7s %s\n", $1, $6, $2
	if ($6 != "absent")
		printf "%16s published %s, here %s%s\n", "", $3, $4, $5 == "-" ? "" : ", difference " $5
	if ($7 != "")
		fold($7, "                 ", 100)
}
END {
	printf "\n%d hold, %d hold on what they were fitted to, %d differ, %d are absent\n", count["holds"],
		count["fitted"], count["differs"], count["absent"]
}
