# SPDX-License-Identifier: GPL-3.0-or-later
# What a program sent, over no network or over one, becomes a load: the packets at the times when they entered
# their queues, which another network carries.
flitgen --program alltoall:ranks=4,bytes=20kB -w p.goal
flitsim --fabric ideal:latency=5us --overhead 1us --byte-gap 1ns --program p.goal -w ideal.flt >tables
flitsim -n switch:4 --program p.goal -w switch.flt >tables
for run in ideal switch; do
	flitgen -r $run.flt -w load.flt
	flitinfo load.flt | sed -n 2p | cut -f 2-4,6-8
	flitcut -T csv -f created_s,id,src,dst,payload_B,wire_B,class $run.flt | sed 1d | LC_ALL=C sort -t, -k 2n >created
	flitcut -T csv -f time_s,id,src,dst,payload_B,wire_B,class load.flt | sed 1d | LC_ALL=C sort -t, -k 2n | cmp - created
done
flitsim -n mesh:2x2 load.flt | sed -n '/^class/,/^all/p' | cut -f 1-4 | head -3
flitsim --fabric ideal:latency=5us --overhead 1us --byte-gap 1ns --program - -w - <p.goal 2>tables | flitgen -r - --to 30us | flitcount -q -b 10us --format csv
flitgen -r ideal.flt --loops 2 -w twice.flt
flitinfo twice.flt | sed -n 2p | cut -f 3
flitsim --fabric ideal:latency=5us --program p.goal --messages messages.flt >tables
flitgen -r messages.flt
