# SPDX-License-Identifier: GPL-3.0-or-later
# Every family that was fitted beside the trace: distances, the nearest first, and the curves of all of them.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
flitgen -t 5m -w a.flt "$DATA/models/yates-rc1-4.model"
flitfit -q -f poisson -f pulse-train --write-all all a.flt
flitreport --text a.flt all/*.model >page
sed -n '/^How near do the models/,/^In which numbers/p' page | sed -n '/^model /,/halves/s/  .*//p'
mkdir figures
flitreport -o page.html --figures figures a.flt all/*.model
for picture in 'Packets in bins' 'Index of dispersion' 'Logscale' 'Correlation of' 'Gaps between' 'Sizes of' 'Mean wait' '99th'; do
	data=$(grep -l "^# $picture" figures/*.gp | tail -n 1 | sed 's/gp$/tsv/')
	printf '%s: ' "$picture"
	sed -n 's/^# \([a-z].*\): .*/\1/p' "$data" | tr '\n' ' '
	echo
done
# In a stack of plots and in a legend a model has its name, and more columns than one where they fit.
sed -n 's/^set ylabel //p' figures/figure-02-1.gp
grep -h -o 'maxcols [0-9]*' "$(grep -l '^# Index of dispersion' figures/*.gp | tail -n 1)"
# Many models: a short title, a row for each, and a name before what it says.
for i in 1 2 3 4; do cp all/poisson.model "m$i.model"; done
flitreport --text a.flt m?.model >page
head -n 1 page
sed -n '/^Table 1/,/^How do/p' page | grep -c '^m[1-4].model (generated) '
grep -c '^m[1-4].model:$' page
# Too few packets for halves.
flitgen -c 100 -w few.flt "$DATA/models/yates-rc1-4.model"
flitreport --text few.flt all/poisson.model | sed -n '/^How near do the models/,/^In which numbers/p'
