# SPDX-License-Identifier: GPL-3.0-or-later
# Poisson traffic is recognised.
cat >poisson.model <<'M'
flitline-model 1
family pulse-train
nodes 3
[worker data]
silence 10 ms
pulses 1
inter-pulse 0 s
size-mean 1000 B
size-variance 0 B^2
M
flitgen -s 3 -t 60 poisson.model | flitfit | sed -n '/worker data/,$p'
