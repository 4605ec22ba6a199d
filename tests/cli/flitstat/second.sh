# SPDX-License-Identifier: GPL-3.0-or-later
# Bursts by a window of 75 ms, sizes, overhead and matrix against awk on the packets as text.
flitcap -q --nodes "$DATA/nodes/p4.nodes" -r "$DATA/captures/vr-256-p4.pcap.zst" -w vr.flt
flitstat --window 75ms vr.flt >all
flitcut -T csv -f time,src,dst,payload,class vr.flt | awk -F , '
	function add(key, value) { n[key]++; sum[key] += value; squares[key] += value * value }
	NR == 1 { next }
	{
		role = $2 == "node0" ? "controller" : "worker"
		group = role "\t" $5
		stream = $2 "," $5
		add(group "\tsize_B", $4)
		packets[$2 "\t" $3]++
		bytes[$2 "\t" $3] += $4
		if (stream in last) {
			# Times are compared in nanoseconds, as they are.
			gap = int(($1 - last[stream]) * 1e9 + .5)
			add(group (gap > 75000000 ? "\tsilence_s" : "\tinter_pulse_s"), gap / 1e9)
			if (gap > 75000000) {
				add(group "\tpulses_per_burst", pulses[stream])
				add(group "\tburst_interarrival_s", $1 - start[stream])
				pulses[stream] = 0
				start[stream] = $1
			}
		} else
			start[stream] = $1
		last[stream] = $1
		pulses[stream]++
		groups[stream] = group
	}
	END {
		for (stream in pulses)
			add(groups[stream] "\tpulses_per_burst", pulses[stream])
		for (key in n)
			printf "%s\t%d\t%.5g\t%.4g\n", key, n[key], sum[key] / n[key],
				(squares[key] - sum[key] ^ 2 / n[key]) / (n[key] - 1)
		for (pair in packets)
			printf "%s\t%d\t%d\n", pair, packets[pair], bytes[pair]
	}' | sort >plain
awk -F '\t' -v OFS='\t' '
	$1 ~ /^(controller|worker)$/ && NF == 10 { printf "%s\t%s\t%s\t%d\t%.5g\t%.4g\n", $1, $2, $3, $4, $5, $8 }
	$2 ~ /^node[0-9]$/ && NF == 5 { print $1, $2, $3, $4 }' all | sort >found
diff plain found && wc -l <found
