# SPDX-License-Identifier: GPL-3.0-or-later
# The page as HTML that is XML as well: the rows of all experiments, twice: the first time they are counted. style names
# the file of the style sheet, figures the folder with those of each experiment.
function escape(words) {
	gsub(/&/, "\\&amp;", words)
	gsub(/</, "\\&lt;", words)
	gsub(/>/, "\\&gt;", words)
	return words
}
function copy(file,    line, status) {
	while ((status = (getline line < file)) > 0)
		print line
	close(file)
	if (status < 0) {
		print "page-html.awk: cannot read " file > "/dev/stderr"
		exit 2
	}
}
function end_table() {
	if (in_table)
		print "</tbody></table></div>"
	in_table = 0
}
function begin_table() {
	if (!in_table) {
		tables++
		print "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " tables "\"><table><thead><tr><th scope=\"col\">test</th><th scope=\"col\">what</th>" \
			"<th scope=\"col\">published</th><th scope=\"col\">here</th><th scope=\"col\">difference</th>" \
			"<th scope=\"col\">verdict</th></tr></thead><tbody>"
	}
	in_table = 1
}
function end_section() {
	end_table()
	if (in_section)
		print "</section>"
	in_section = 0
}
function head(    i) {
	print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>"
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<link rel=\"icon\" href=\"data:,\"/>"
	print "<title>Two studies of Myrinet, run again</title>\n<style>"
	copy(style)
	print "</style>\n</head>\n<body>\n<header>\n<h1>Two studies of Myrinet, run again</h1>"
	print "<p>Each number and each claim that Dustin E. Yates (Modeling and Simulation Support for Parallel Algorithms in a High-Speed " \
		"Network, M.S. thesis, AFIT/GCS/ENG/97D-20, 1997) " \
		"and A. D. George and R. A. VanLoon (High-Fidelity Modelling and Simulation of Myrinet System Area Networks) " \
		"publish of their simulations, beside what these programs make of the same experiment.</p>"
	print "<dl>"
	print "<div><dt>hold</dt><dd>" count["holds"] + 0 "</dd></div>"
	print "<div><dt>fitted: hold, on figures from which a choice was made</dt><dd>" count["fitted"] + 0 "</dd></div>"
	print "<div><dt>differ</dt><dd>" count["differs"] + 0 "</dd></div>"
	print "<div><dt>absent: nothing to compare with</dt><dd>" count["absent"] + 0 "</dd></div>\n</dl>"
	print "<nav aria-label=\"Contents\"><ul>"
	for (i = 1; i <= titles; i++)
		print "<li><a href=\"#s" i "\">" escape(title[i]) "</a></li>"
	print "</ul></nav>\n</header>\n<main>"
	if (count["differs"] > 0) {
		print "<section><h2>What differs</h2>"
		list_differences(1, "What should hold and does not")
		list_differences(0, "What is not asked to hold: where the study contradicts itself, where a verdict is chance, or where it would take figures or captures that are lost")
		print "</section>"
	}
}
function list_differences(required, words,    i, n) {
	for (i = 1; i <= count["differs"]; i++)
		if (required_at[i] == required) {
			if (!n++)
				print "<p>" words ":</p>\n<ul class=\"differs\">"
			print "<li><a href=\"#s" differs_at[i] "\">" escape(differs[i]) "</a></li>"
		}
	if (n)
		print "</ul>"
}
BEGIN { FS = "\t" }
FNR == 1 && NR > 1 { second = 1; head() }
!second && $1 == "#title" { title[++titles] = $2 }
!second && !/^#/ {
	count[$6]++
	if ($6 == "differs") {
		differs[count[$6]] = $1 ": " $2
		differs_at[count[$6]] = titles
		required_at[count[$6]] = $8 == "yes"
	}
}
!second { next }
$1 == "#experiment" { end_section(); experiment = $2; next }
$1 == "#title" { end_section(); print "<section id=\"s" ++sections "\">\n<h2>" escape($2) "</h2>"; in_section = 1; next }
$1 == "#words" { end_table(); print "<p>" escape($2) "</p>"; next }
$1 == "#figure" {
	end_table()
	print "<figure>"
	copy(figures "/" experiment "/" $2 ".svg")
	print "<figcaption><b>Figure " ++drawn ".</b> " escape($3) "</figcaption>\n</figure>"
	next
}
{
	begin_table()
	print "<tr class=\"" $6 ($6 == "differs" && $8 == "yes" ? " failed" : "") "\"><td>" escape($1) "</td><td class=\"w\">" escape($2) \
		($7 == "" ? "" : "<small>" escape($7) "</small>") "</td><td>" escape($3) "</td><td>" escape($4) "</td><td>" escape($5) \
		"</td><td class=\"v\">" $6 "</td></tr>"
}
END {
	end_section()
	print "</main>\n<footer><p>Made by datasets/reproduce. A mean with ± has the half width of its interval at 90 %, of " \
		"independent replications.</p></footer>\n</body>\n</html>"
}
