# SPDX-License-Identifier: GPL-3.0-or-later
# The tables for LaTeX: environments are closed, and names are words.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -c 2000 -w 'a_100%_{x}.flt'
flitreport --latex 'a_100%_{x}.flt' >tables.tex
for word in table tabular; do
	[ $(grep -c "^.begin{$word}" tables.tex) = $(grep -c "^.end{$word}" tables.tex) ] && echo every $word ends
done
grep -c 'toprule' tables.tex | awk '{ print ($1 > 4 ? "several tables" : "few tables") }'
grep -m 1 -o 'a.*x.*flt' tables.tex
sed -n '/caption/s/.*\(a\\_100[^ ,}]*\\}\.flt\).*/\1/p' tables.tex | head -n 1
