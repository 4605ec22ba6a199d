# SPDX-License-Identifier: GPL-3.0-or-later
# A trace as it is; then cut, stretched, shifted, renumbered; then three times.
flitgen -c 2000 -w a.flt "$DATA/models/yates-rc1-4.model"
body() { flitcut -T text "$@" | grep -Ev '^!(made|note)'; }
flitgen --replay a.flt | body >b
body a.flt | cmp - b && echo as it is
flitgen --replay - <a.flt | body | cmp - b && echo from a pipe
first() { flitcut -T csv -f time,src,payload | sed -n "2,${1}p"; }
flitgen -r a.flt --from 10 --to 12 | first 3
flitgen -r a.flt --from 10 --to 12 --stretch 1/2 --shift=-2s --map 0=3,3=0 | first 3
flitgen -r a.flt -c 4 --loops 3 --period 100s --to 90 | first 9
flitgen -r a.flt --to 1 --loops 3 --period 2s | flitcut -T csv -f id,time | awk -F, 'NR > 1 { print $1, int($2) }' | uniq -f 1 -c
flitgen -r a.flt --from 10 --to 12 --loops 4 | flitcut -T csv -f time | awk 'NR == 2 { a = $1 } { b = $1 } END { print NR - 1, int(a), int(b) }'
