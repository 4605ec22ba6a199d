# SPDX-License-Identifier: GPL-3.0-or-later
# The page as HTML that is XML as well, after page-counts.awk. style names the file of the style sheet, figures the folder with
# those of each experiment.
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
		print "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " tables "\"><table><thead><tr><th scope=\"col\">source</th><th scope=\"col\">what</th>" \
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
function head(    i, k) {
	print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>"
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<link rel=\"icon\" href=\"data:,\"/>"
	print "<title>Studies of cluster networks, run again</title>\n<style>"
	copy(style)
	print "</style>\n</head>\n<body>\n<header>\n<h1>Studies of cluster networks, run again</h1>"
	print "<p>Each number and each claim that Dustin E. Yates (Modeling and Simulation Support for Parallel Algorithms in a High-Speed " \
		"Network, M.S. thesis, AFIT/GCS/ENG/97D-20, 1997), " \
		"A. D. George and R. A. VanLoon (High-Fidelity Modelling and Simulation of Myrinet System Area Networks), " \
		"W. Qiao (Network Routing and Planning in Switch-Based Networks, Ph.D. dissertation, Michigan State University, 1997), " \
		"D. M. Gonzalez (Performance Modeling and Evaluation of Topologies for Low-Latency SCI Systems, M.S. thesis, University of " \
		"Florida, 2000) and D. Qu (2001) publish of their simulations, beside what these programs make of the same experiment.</p>"
	print "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"How many rows\"><table class=\"counts\"><thead><tr><td></td>"
	for (i = 1; i <= verdicts; i++)
		print "<th scope=\"col\">" shown[verdict[i]] "</th>"
	print "</tr></thead><tbody>"
	for (k = 1; k <= kinds; k++) {
		print "<tr><th scope=\"row\">" label[kind[k]] "</th>"
		for (i = 1; i <= verdicts; i++)
			print "<td>" count[kind[k], verdict[i]] + 0 "</td>"
		print "</tr>"
	}
	print "</tbody></table></div>\n<p>" meaning "</p>\n<nav aria-label=\"Contents\"><ul>"
	for (i = 1; i <= titles; i++)
		print "<li><a href=\"#s" i "\">" escape(title[i]) "</a></li>"
	print "</ul></nav>\n</header>\n<main>"
}
# After the figure of all rows.
function list_all(    i) {
	listed = 1
	if (meets) {
		print "<section><h2>Numbers that a study prints and that hold</h2>\n<ul>"
		for (i = 1; i <= meets; i++)
			print "<li><a href=\"#s" met_at[i] "\">" escape(met[i]) "</a></li>"
		print "</ul></section>"
	}
	list_differences("differs", "What differs by more than is on record")
	list_differences("explained", "What differs and is explained")
	list_differences("not-found", "What differs, and the cause is not found")
}
function list_differences(verdict, words,    i) {
	if (!differ[verdict])
		return
	print "<section><h2>" words "</h2>\n<ul class=\"differs\">"
	for (i = 1; i <= differ[verdict]; i++)
		print "<li><a href=\"#s" differs_at[verdict, i] "\">" escape(differs[verdict, i]) "</a></li>"
	print "</ul></section>"
}
$1 == "#experiment" { end_section(); experiment = $2; next }
$1 == "#title" {
	end_section()
	if (sections == 1 && !listed)
		list_all()
	print "<section id=\"s" ++sections "\">\n<h2>" escape($2) "</h2>"
	if (experiment != "overview")
		print "<p><code>sh datasets/studies/reproduce -s " seeds " " experiment "</code> makes this part.</p>"
	in_section = 1
	row = 0
	next
}
$1 == "#words" { end_table(); print "<p>" escape($2) "</p>"; next }
$1 == "#figure" {
	end_table()
	print "<figure>"
	copy(figures "/" experiment "/" $2 ".svg")
	print "<figcaption><b>Figure " ++drawn ".</b> " escape($3) "</figcaption>\n</figure>"
	next
}
$1 == "#table" {
	end_table()
	print "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " ++tables "\"><table><caption>" escape($2) "</caption>"
	in_table = "cells"
	next
}
$1 == "#cells" {
	cell = in_table == "cells" ? "th scope=\"col\"" : "td"
	line = in_table == "cells" ? "<thead><tr>" : "<tr>"
	for (i = 2; i <= NF; i++)
		line = line "<" cell ">" escape($i) "</" substr(cell, 1, 2) ">"
	print line "</tr>" (in_table == "cells" ? "</thead><tbody>" : "")
	in_table = "body"
	next
}
{
	if (in_table == "body")
		end_table()
	begin_table()
	row++
	print "<tr class=\"" $6 "\"><td>" escape($1) "</td><td class=\"w\">" escape($2) ($7 == "" ? "" : "<small>" escape($7) "</small>") \
		($6 == "absent" ? "" : "<code>sh datasets/studies/reproduce -s " seeds " -r " row " " experiment "</code>") \
		($8 == "-" ? "" : "<code>" escape($8) "</code>") "</td><td>" escape($3) "</td><td>" escape($4) "</td><td>" escape($5) \
		"</td><td class=\"v\">" shown[$6] "</td></tr>"
}
END {
	end_section()
	print "</main>\n<footer><p>Made by datasets/studies/reproduce. A mean with ± has the half width of its interval at 90 %, of " \
		"independent replications. Each row has the command that makes it, and the simulation or model behind it where it is one, of the first seed; both run in the root of the sources with the programs on PATH.</p></footer>\n</body>\n</html>"
}
