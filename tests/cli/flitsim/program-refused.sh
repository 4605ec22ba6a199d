# SPDX-License-Identifier: GPL-3.0-or-later
# What is no program, or fits no network, is said in one line with status 2, and nothing is printed.
try() { "$@" >out 2>err; echo "$? $(wc -c <out): $(cat err)"; }
: >empty
printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\n' >cut
flitgen --program matmul:N=4,ranks=3 -w p.goal
flitgen -n 4 -c 5 -w t.flt "$DATA/models/yates-rc1-4.model"
printf 'rank0 0\nrank1 1\n' >map
printf 'num_ranks 1\nrank 0 {\ncalc 4000000000000000000\n}\n' >late
try flitsim --program missing
try flitsim --program empty
try flitsim --program cut
try flitsim --program t.flt
try flitsim --program p.goal t.flt
try flitsim --program p.goal -n direct
try flitsim --program p.goal --map map
try flitsim --program p.goal --overhead -1ns
try flitsim --program p.goal --overhead 1/7ns
try flitsim --program p.goal --eager 0.5B
try flitsim --program p.goal --empty 64KiB
try flitsim --program p.goal --fabric myrinet:queue=0
try flitsim --program p.goal --fabric ideal:latency=0s
try flitsim --program late
flitsim --program p.goal --messages /dev/full >/dev/null
echo $?
flitsim --program p.goal -w /dev/full
echo $?
flitsim --program p.goal >/dev/full
echo $?
# More ranks than a stream has nodes.
awk 'BEGIN { print "num_ranks 65537"; for (r = 0; r < 65537; r++) print "rank " r " {\n}" }' >ranks.goal
flitsim --program ranks.goal --fabric ideal:latency=1us -w ranks.flt
echo $?
flitsim --program ranks.goal --fabric ideal:latency=1us --messages ranks.flt
echo $?
