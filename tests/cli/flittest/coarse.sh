# SPDX-License-Identifier: GPL-3.0-or-later
# Constant gaps, packets that come together, and intervals without any.
printf 'flitline-model 1\nfamily load\nnodes 2\nduration 3 s\nrate 1.28 Gb/s\nload 1 Mb/s\nsize 1000 B\narrivals constant\n' >even.model
flitgen -q -w even.flt even.model
flittest -t poisson --intervals even.flt
echo $?
flittest -i 0s even.flt
echo $?
