# SPDX-License-Identifier: GPL-3.0-or-later
# The page is XML as well, ids are used once, and every reference has its id.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
command -v xmllint >/dev/null || { echo 'skipped: xmllint is not installed' >&2; exit 77; }
flitgen -n 4 -t 20s -w a.flt "$DATA/models/yates-rc1-4.model"
flitsim -q -w d.flt --links l.flt a.flt >/dev/null
flitreport -o page.html a.flt "$DATA/models/yates-rc1-4.model" d.flt l.flt
xmllint --noout page.html || exit 1
grep -o ' id="[^"]*"' page.html | sort | uniq -d
grep -o ' id="[^"]*"' page.html | sed 's/ id="//; s/"//' | sort >ids
{ grep -o 'href="#[^"]*"' page.html | sed 's/href="#//; s/"//'
	grep -o 'aria-labelledby="[^"]*"' page.html | sed 's/aria-labelledby="//; s/"//' | tr ' ' '\n'; } | sort -u >used
comm -13 ids used
for label in 'payload (' 'latency (' 'busy (%)' 'occupancy (B)'; do
	grep -c "<text>[^<]*$label" page.html | sed "s/^[1-9][0-9]*$/the scale $label is there/"
done
[ "$(wc -l <used)" -gt 60 ] && echo "ids are right"
