# SPDX-License-Identifier: GPL-3.0-or-later
# Streams that hold nothing make a page too.
text() {
	printf '!flitline-text\t1\n!kind\t%s\n!ticks_per_s\t1000000000\n!origin\t0\t0\n!fields\t%s\n!end\t0\n' "$1" "$2"
}
text packet time_s | flitcut --from-text >packets.flt
text delivery time_s | flitcut --from-text >deliveries.flt
text link time_s | flitcut --from-text >links.flt
text message time_s | flitcut --from-text >messages.flt
text series time_s | flitcut --from-text >series.flt
flitreport --text packets.flt deliveries.flt links.flt messages.flt series.flt |
	grep -E 'holds|no packets|too few|no two'
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitreport packets.flt deliveries.flt links.flt messages.flt series.flt | grep -c '</html>'
