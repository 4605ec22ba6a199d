# SPDX-License-Identifier: GPL-3.0-or-later
# The page as text, after page-counts.awk.
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
function head(    i, k) {
	print "Studies of cluster networks, run again\n"
	printf "%-36s", ""
	for (i = 1; i <= verdicts; i++)
		printf "%10s", of_many[i]
	print ""
	for (k = 1; k <= kinds; k++) {
		printf "%-36s", label[kind[k]]
		for (i = 1; i <= verdicts; i++)
			printf "%10d", count[kind[k], verdict[i]]
		print ""
	}
	fold(meaning, "", 100)
	print "\nNumbers that a study prints and that hold:"
	for (i = 1; i <= meets; i++)
		fold(met[i], "  ", 100)
	for (i = 1; i <= verdicts; i++)
		if (differ[verdict[i]]) {
			print "\n" toupper(substr(shown[verdict[i]], 1, 1)) substr(shown[verdict[i]], 2) ":"
			for (k = 1; k <= differ[verdict[i]]; k++)
				fold(differs[verdict[i], k], "  ", 100)
		}
}
$1 == "#experiment" { experiment = $2; next }
$1 == "#figure" { next }
$1 == "#title" {
	print "\n" $2
	row = 0
	line = $2
	gsub(/./, "=", line)
	print line "\n$ sh datasets/studies/reproduce -s " seeds " " experiment
	next
}
$1 == "#words" || $1 == "#table" { fold($2, "", 100); next }
$1 == "#cells" { sub(/^#cells\t/, "  "); print; next }
{
	printf "%s: %s\n", $1, $2
	printf "    %s%s\n", shown[$6], $6 == "absent" ? "" : ": published " $3 ", here " $4 ($5 == "-" ? "" : ", difference " $5)
	if ($7 != "")
		fold($7, "        ", 100)
	row++
	if ($6 != "absent" && !one)
		print "        $ sh datasets/studies/reproduce -s " seeds " -r " row " " experiment
	if ($8 != "-")
		print "        $ " $8
}
