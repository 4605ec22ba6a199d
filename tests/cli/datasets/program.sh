# SPDX-License-Identifier: GPL-3.0-or-later
# The program of a capture: its times are those that the hosts were set to (30 Mflop/s, silences of .25 s and .25 s more on
# average), it sends what the equations say, as often as the capture, and about as many packets; there is none of FFTW's.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" --nodes "$DATA/nodes/p4.nodes" -w captured.flt
sh "$DATA/program" -o program.flt vr-256-p4 captured.flt 2>said
echo $?
# 5 flop for each point and step at 30 Mflop/s: 166.7 ns.
sed -n 's/.*step=\([0-9.]*\)ns.*repeats=\([0-9]*\),compute=\([0-9]*\)\..*/\1 \2 \3/p' said |
	awk '{ print ($1 >= 166.7 && $1 < 175), $2, ($3 > 350 && $3 < 500) }'
# 8 N^2/p (log2(p) p/2 + 2 (p - 1)) bytes in each of 40 transforms, and envelopes.
flitcut -T csv -f payload --class data program.flt | awk 'NR > 1 { b += $1 } END { d = b / 40 / (8 * 65536 / 4 * (2 * 2 + 6)); print (d >= 1 && d < 1.01) }'
for trace in captured program; do
	flitcut -T csv -f src $trace.flt | sed 1d | wc -l
done | awk '{ n[NR] = $1 } END { print (n[2] > .95 * n[1] && n[2] < 1.05 * n[1]) }'
sh "$DATA/program" vr-256-p4 captured.flt 2>/dev/null | cmp - program.flt
sh "$DATA/program" fftw-256-p4 captured.flt
echo $?
sh "$DATA/program" vr-256-p4
echo $?
sh "$DATA/program" other captured.flt
flitgen -t 50ms -w quiet.flt "$DATA/models/poisson.model"
sh "$DATA/program" rc-256-p4 quiet.flt
echo $?
