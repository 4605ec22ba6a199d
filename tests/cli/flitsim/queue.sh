# SPDX-License-Identifier: GPL-3.0-or-later
# Packets far faster than the adapter takes them, and a queue of ten.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 2
duration 1 s
[worker data]
silence 1 ms
pulses 100
inter-pulse 1 ns
size-mean 8000 B
size-variance 0 B^2
M
flitgen -c 400 -w g.flt model
flitsim --fabric myrinet:queue=10 --format csv g.flt | awk -F, 'p { print $1, $2, $3, ($5 > 0) } { p = /^offered/ }'
flitsim --fabric myrinet:queue=10,when-full=drop --format csv g.flt | awk -F, 'p { print $1, $2 + $3, ($3 > 0), $5 } { p = /^offered/ }'
