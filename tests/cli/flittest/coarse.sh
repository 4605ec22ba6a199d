# SPDX-License-Identifier: GPL-3.0-or-later
# Constant gaps, one interval of packets all at one time, packets that come together, and intervals without any.
printf 'flitline-model 1\nfamily load\nnodes 2\nduration 3 s\nrate 1.28 Gb/s\nload 1 Mb/s\nsize 1000 B\narrivals constant\n' >even.model
flitgen -q -w even.flt even.model
flittest -t poisson --intervals even.flt
echo $?
flittest -i 0s even.flt
echo $?
seq 100 | sed 's/.*/5/' | flittest -t poisson --arrivals | sed '/^# Poisson/,$d'
