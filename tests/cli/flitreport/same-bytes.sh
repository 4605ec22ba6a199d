# SPDX-License-Identifier: GPL-3.0-or-later
# The same inputs give the same bytes, whenever and wherever; a date only where it is given.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitgen -n 4 -t 20s -w a.flt "$DATA/models/yates-rc1-4.model"
flitsim -q -w d.flt --links l.flt a.flt >/dev/null
cp "$DATA/models/yates-rc1-4.model" a.model
flitreport -o 1.html a.flt a.model d.flt l.flt
mkdir elsewhere && cp a.flt a.model d.flt l.flt elsewhere && cd elsewhere || exit 2
TMPDIR=/nonexistent HOME=/nonexistent LC_ALL=C.UTF-8 TZ=Asia/Tokyo flitreport a.flt a.model d.flt l.flt >2.html
cmp ../1.html 2.html && echo same
grep -c '20[0-9][0-9]-[01][0-9]-' 2.html
SOURCE_DATE_EPOCH=86400 flitreport a.flt | grep -o 'on 1970-01-02'
grep -iEc 'gnuplot|://' 2.html
[ "$(wc -c <2.html)" -lt 2500000 ] || wc -c 2.html
