# SPDX-License-Identifier: GPL-3.0-or-later
# A packet without payload travels as its headers; a frame is longer than its payload; a large one is refused.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 2
[worker data]
silence 1 ms
pulses 1
inter-pulse 1 ns
size-mean 1000 B
size-variance 0 B^2
header 58 B
M
flitgen -c 100 -w g.flt model
for o in --size=payload --size=wire; do flitsim $o --format csv g.flt | awk -F, '/^all/ && !seen++ { print $2, $3 }'; done
flitsim --mtu 999B g.flt
