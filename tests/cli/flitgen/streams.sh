# SPDX-License-Identifier: GPL-3.0-or-later
# A model of an arrival process: in words, the same bytes again, a node's packets whatever other nodes there are, and what is
# refused with file and line.
cp "$DATA/models/poisson.model" poisson.model
flitgen --explain poisson.model
flitgen -w a.flt poisson.model
flitgen poisson.model | cmp - a.flt && echo same
flitgen -n 9 poisson.model | flitcut --src node3 -T csv -f time,payload >b
flitcut --src node3 -T csv -f time,payload a.flt | cmp - b && echo same node
sed 's/worker data/server data/' poisson.model | flitgen
sed 's/worker data/node 5 data/' poisson.model | flitgen
sed 's/worker data/node 4 data/' poisson.model | flitgen -n 4
sed 's/^size 1460 B/&\nbin 3 x 5 B/' poisson.model | flitgen
sed '/^\[/,$d' poisson.model | flitgen
for m in batch-poisson renewal; do
	flitgen --explain "$DATA/models/$m.model"
	flitgen "$DATA/models/$m.model" | flitinfo | awk -F '\t' 'NR == 2 { print $3, $17 }'
done
sed 's/lognormal 1.2/lognormal/' "$DATA/models/renewal.model" | flitgen
sed 's/^batch 5/batch 0.5/' "$DATA/models/batch-poisson.model" | flitgen
