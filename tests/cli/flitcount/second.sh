# SPDX-License-Identifier: GPL-3.0-or-later
# Mean, variance, peak and dispersion of packets and bytes against awk on the times as text, in the 7 digits that are
# printed. The origin of this capture is a whole second, so that bins of 1 and 7 ms (from the epoch on) are found from it.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -w vr.flt
origin=$(flitcut -T text -c 1 vr.flt | sed -n 's/^!origin\t\([0-9]*\)\t0$/\1/p')
flitcut -T csv -f time,wire vr.flt | awk -F , -v origin="$origin" '
	function put(width,  i, n, mean, bmean, var, bvar, peak) {
		n = last[width] - first[width] - 1
		for (i = first[width]; i <= last[width]; i++)
			if (count[width, i] > peak)
				peak = count[width, i]
		for (i = first[width] + 1; i < last[width]; i++) {
			mean += count[width, i] / n
			bmean += bytes[width, i] / n
		}
		for (i = first[width] + 1; i < last[width]; i++) {
			var += (count[width, i] - mean) ^ 2 / (n - 1)
			bvar += (bytes[width, i] - bmean) ^ 2 / (n - 1)
		}
		printf "%g\t%d\t%.7g\t%.7g\t%d\t%.7g\t%.7g\t%.7g\n", width / 1000, n, mean, var, peak, var / mean,
			bmean, bvar
	}
	NR == 1 { next }
	{
		for (width = 1; width <= 7; width += 6) {
			i = int((origin % width * 1000 + $1 * 1000) / width)
			if (!(width in first))
				first[width] = i
			last[width] = i
			count[width, i]++
			bytes[width, i] += $2
		}
	}
	END { put(1); put(7) }' >plain
flitcount -b 1ms,7ms vr.flt | awk -v OFS='\t' '/^0/ && NF > 9 { print $1, $5, $6, $7, $8, $10, $11, $12 }' >found
diff plain found && cat found
