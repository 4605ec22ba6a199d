# SPDX-License-Identifier: GPL-3.0-or-later
# BC-pAug89: the mean gap, its squared coefficient of variation and correlation, the indices of dispersion for intervals
# over 1, 10 .. 10^4 gaps and for counts over 10 ms .. 100 s, as independent implementations give them.
zip=$SRC/../shared/data/bellcore/BCAUG89.zip
[ -f "$zip" ] || { echo 'skipped: the Bellcore trace is not here' >&2; exit 77; }
command -v unzip >/dev/null || { echo 'skipped: unzip is not installed' >&2; exit 77; }
unzip -p "$zip" S.txt | awk '
	BEGIN {
		OFS = "\t"
		print "!flitline-text", 1; print "!kind", "packet"; print "!ticks_per_s", 1000000
		print "!origin", 0, 0; print "!fields", "time_s"
		print "0.0"
	}
	{ us += int($1 * 1e6 + .5); printf "%d.%06d\n", int(us / 1e6), us % 1000000 }
	END { print "!end", NR + 1 }' | flitcut --from-text -w bc.flt
flitburst --origin first --width 10ms,100ms,1s,10s,100s --gaps 1,10,100,1000,10000 bc.flt | awk -F '\t' '
	function check(what, found, known) {
		ratio = found / known
		print what, (ratio < 1.001 && .999 < ratio ? "as known" : found)
	}
	function in_order(what, found, list, known) { split(list, known, " "); check(what, found, known[++n[what]]) }
	$1 != "all" { table = $2; next }
	table == "packets" { check("mean", $5, .003142824); check("scv", $6 * $6, 3.2236); check("memory", $9, .2) }
	table == "width_s" { in_order("idc", $5, "2.138 10.17 41.21 201.3 992.5") }
	table == "gaps" { in_order("idi", $4, "3.22361 7.61 23.95 93.66 479.8") }
	table == "lag" && $2 == 1 { check("acf", $3, .2) }'
