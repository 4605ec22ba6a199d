# SPDX-License-Identifier: GPL-3.0-or-later
# Plots in characters stand where the figures do; the same bytes again.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -c 3000 -w vr.flt
flitreport --to terminal vr.flt >page
flitreport --to terminal vr.flt | cmp - page && echo same
sed -n '/^Variance-time plot/,/bin width/p' page | sed '/bin width/q'
grep -c '^Figure' page
