# SPDX-License-Identifier: GPL-3.0-or-later
# Memory for one worm only, taken by what each host is about to send; then with as much again for receiving.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 2
duration 60 ms
[worker data]
silence 1 ms
pulses 4
inter-pulse 1 us
size-mean 8192 B
size-variance 0 B^2
M
flitgen -w g.flt model
flitsim --fabric myrinet:sram=8274 --format csv g.flt >out
echo $?
awk -F, 'p { print ($1 == $2 + $4), ($4 > 0) } { p = /^offered/ }' out
flitsim --fabric myrinet:sram=16548,receive-reserve=8274 --format csv g.flt >out
echo $?
