# SPDX-License-Identifier: GPL-3.0-or-later
# Every figure as files of its own: data, script and two pictures for each panel; the script draws the same again.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -c 3000 -w vr.flt
flitreport --figures figs -o page.html vr.flt
panels=$(grep -c '<div class="panel">' page.html)
for ending in tsv gp svg pdf; do
	[ $(ls figs/*.$ending | wc -l) = $panels ] && echo a $ending for each panel
done
sed -n '1,2p' figs/figure-04-1.tsv
awk '/^#/ || !NF { next } { n++ } END { print (n > 15 ? "rows" : "few rows") }' figs/figure-04-1.tsv
grep -o '<use [^>]*>' figs/figure-04-1.svg >before
(cd figs && LC_ALL=C.UTF-8 gnuplot figure-04-1.gp) && grep -o '<use [^>]*>' figs/figure-04-1.svg | cmp - before && echo the same points again
head -c 5 figs/figure-04-1.pdf
echo
flitreport --figures nowhere/figs -o other.html vr.flt
echo $?
[ -e other.html ] || echo nothing written
