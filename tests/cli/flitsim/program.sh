# SPDX-License-Identifier: GPL-3.0-or-later
# A program over a Myrinet: its tables, its worms and its messages as streams, ranks on other hosts.
flitgen --program matmul:N=16,ranks=4,multiply-add=100ns,message=0ns -w p.goal
flitsim --fabric myrinet:preset=george -n switch:4 --program p.goal -w worms.flt --messages messages.flt
flitcut -T csv worms.flt | cut -d, -f 1-9 | head -4
flitcut -T csv messages.flt | head -4
flitinfo worms.flt | grep 'p.goal'
# The same from standard input, and with the ranks elsewhere: on one switch that changes nothing.
printf '%s\n' 'rank0 3' 'rank1 0' 'rank2 1 # here' 'rank3 2' >map
flitsim --fabric myrinet:preset=george -n switch:4 --program p.goal --format csv | head -8 >one
flitsim --fabric myrinet:preset=george -n switch:4 --program - --map map --format csv <p.goal | head -8 | cmp - one && echo same
# Large messages ask first; small worms.
flitsim --fabric myrinet:preset=george -n switch:4 --program p.goal --eager 500B --mtu 256B --format tsv | sed -n 2,3p
