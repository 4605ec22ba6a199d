# SPDX-License-Identifier: GPL-3.0-or-later
# Every family that was fitted beside the trace: distances, the nearest first, and the curves of all of them.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitgen -t 5m -w a.flt "$DATA/models/yates-rc1-4.model"
flitfit -q -f poisson -f pulse-train --write-all all a.flt
flitreport --text a.flt all/*.model >page
sed -n '/^The models held/,/^Model against/p' page | sed -n '/^model /,/halves/s/  .*//p'
mkdir figures
flitreport -o page.html --figures figures a.flt all/*.model
for picture in 'Packets in bins' 'Index of dispersion' 'Logscale' 'Correlation of' 'Gaps between' 'Sizes of' 'Mean wait' '99th'; do
	data=$(grep -l "^# $picture" figures/*.gp | tail -n 1 | sed 's/gp$/tsv/')
	printf '%s: ' "$picture"
	sed -n 's/^# \([a-z].*\): .*/\1/p' "$data" | tr '\n' ' '
	echo
done
# Too few packets for halves.
flitgen -c 100 -w few.flt "$DATA/models/yates-rc1-4.model"
flitreport --text few.flt all/poisson.model | sed -n '/^The models held/,/^Model against/p'
