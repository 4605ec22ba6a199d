# SPDX-License-Identifier: GPL-3.0-or-later
# Each way to end: a count, a time, bytes of data, the work of an FFT; the first one that comes holds.
model=$DATA/models/yates-rc1-8.model
count() { flitcut -T csv -f time,class,payload | awk -F, 'NR > 1 { n++; if ($2 == "data") b += $3; t = $1 } END { print n, b, t }'; }
flitgen -c 100 "$model" | count
flitgen -t 10 "$model" | count | awk '{ print ($3 < 10 && $3 > 9.5) }'
flitgen --until-bytes 100kB "$model" | count | awk '{ print ($2 >= 100000 && $2 < 100000 + 8192) }'
flitgen --workload rc:256 "$model" | count | awk '{ print ($2 >= 1376256 && $2 < 1376256 + 8192) }'
flitgen --workload vr:256 -c 10 "$model" | count
flitgen "$model" | count | awk '{ print ($3 < 60 && $3 > 59) }'
