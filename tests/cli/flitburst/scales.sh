# SPDX-License-Identifier: GPL-3.0-or-later
# Pulses of 10 packets 1 ms apart, a pulse each 100 ms: every threshold from 1 ms to 91 ms gives the pulses, and a
# valley lies between. Poisson arrivals have none, and an index of 1 at all scales.
flitcut --from-text >pulses.flt <<END
$(printf '!flitline-text\t1\n!kind\tpacket\n!ticks_per_s\t1000000\n!origin\t0\t0\n!fields\ttime_s\twire_B\n')
$(awk 'BEGIN { for (i = 0; i < 200; i++) for (j = 0; j < 10; j++) printf "%.3f\t%d\n", i / 10 + j / 1000, 100 }')
$(printf '!end\t2000')
END
flitburst --points pulses.flt
flitgen -q -n 8 -t 20s --load 1Mb/s "$DATA/models/load.model" | flitburst |
	awk -F '\t' 'function near0(x) { return x * x < 1e-4 }
		$1 != "all" { table = $2; next }
		table == "packets" { print "B", near0($7), "memory", near0($9) }
		table == "threshold_s" && !seen++ { print $3 }
		table == "width_s" { n++; in_idc += $6 < 1 && 1 < $7; far += $5 < .6 || $5 > 1.6 }
		table == "gaps" { k++; in_idi += $5 < 1 && 1 < $6; far += $4 < .6 || $4 > 1.6 }
		END { print n, "widths", (in_idc > n * .8), k, "sums", (in_idi > k * .8), far, "far from 1" }'
