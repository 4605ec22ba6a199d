# SPDX-License-Identifier: GPL-3.0-or-later
# A trace that a model generated comes out of networks as the model's traffic does; a model of another rate does not.
sed 's/^duration .*/duration 2 s/' "$DATA/models/poisson.model" >poisson.model
sed 's/^gap 2 ms/gap 200 us/; s/^gap 8 ms/gap 800 us/' poisson.model >tenfold.model
flitgen -w own.flt poisson.model
sh "$DATA/carry" -s 3 -n 'switch:8/sbus line:8/pci33' -f 1 -o carried own.flt poisson.model tenfold.model
echo $?
cut -f 1-3,12 carried | sed 's/, off.*//'
flitreport -t carried | grep -c '^Table 1. Latency over networks'
sh "$DATA/carry" -s 3 -f 1 own.flt tenfold.model >only
echo $?
# A trace among the models is carried as it is; shuffled, a Poisson trace is the same to a network.
cp own.flt same.flt
sh "$DATA/carry" -s 3 -n switch:8/sbus -f 1 -x 'shifted-nodes dealt-gaps' own.flt same.flt tenfold.model >beside
echo $?
cut -f 1-3,7,11,12 beside | sed 's/^\(# [a-z]*-.*\), off.*/\1/'
sh "$DATA/carry" -s 3 -n switch:8/sbus -f 1 -x dealt-gaps own.flt tenfold.model >/dev/null
echo $?
sh "$DATA/carry" own.flt
sh "$DATA/carry" -s 1 own.flt poisson.model
