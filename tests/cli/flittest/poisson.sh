# SPDX-License-Identifier: GPL-3.0-or-later
# Poisson arrivals pass, bursts do not, and of too few packets nothing is known.
printf 'flitline-model 1\nfamily load\nnodes 8\nduration 20 s\nrate 1.28 Gb/s\nload 1 Mb/s\nsize 1000 B\n' >load.model
flitgen -q -w poisson.flt load.model
flitgen -q -n 4 -c 20000 -w bursts.flt "$DATA/models/yates-rc1-4.model"
flitgen -q -n 4 -c 20 -w few.flt "$DATA/models/yates-rc1-4.model"
flittest -t poisson poisson.flt few.flt
echo $?
flittest -t poisson -i 100s --intervals bursts.flt poisson.flt
echo $?
