# SPDX-License-Identifier: GPL-3.0-or-later
# What is tested of a trace: counts, and the tails of gaps, sizes and bursts; of what --of names only that.
printf 'flitline-model 1\nfamily load\nnodes 8\nduration 20 s\nrate 1.28 Gb/s\nload 1 Mb/s\nsize 1000 B\n' >load.model
flitgen -q -w poisson.flt load.model
flittest poisson.flt | sed '/^# tests/,$d'
for of in packets bytes gaps sizes bursts; do
	flittest --of $of -t tails -t memory poisson.flt | sed -n '/^poisson/p;/^$/q'
done
flittest --of bursts --burst-gap 1ms -t tails poisson.flt | sed -n '/^poisson/p;/^$/q'
flitcount -b 100ms -w series.flt poisson.flt
flittest -t memory -t constancy --of bytes series.flt | sed -n '/^series/p;/^$/q'
