# SPDX-License-Identifier: GPL-3.0-or-later
# Ten traces with the shares of figure 4-18 (Yates 1997) give them back, and their averages, 74.79 and
# 3.136 % (printed there as 3.13).
grep -v '^[#a-z]' "$DATA/tables/overhead.csv" >rows
while IFS=, read -r name nodes packets bytes; do
	awk -v packets="$packets" -v bytes="$bytes" 'BEGIN {
		OFS = "\t"
		print "!flitline-text", 1; print "!kind", "packet"; print "!ticks_per_s", 1000000; print "!origin", 0, 0
		print "!fields", "time_s", "src", "dst", "payload_B", "wire_B", "class"
		print "!node", 0, "unknown", "a"; print "!node", 1, "unknown", "b"
		overhead = int(packets * 100 + .5); data = 10000 - overhead
		sum = int(overhead * 100 * (100 - bytes) / bytes + .5)
		for (i = 0; i < 10000; i++)
			if (i < data) {
				size = int(sum / data) + (i < sum % data)
				print i / 1000, "a", "b", size, size, "data"
			} else
				print i / 1000, "b", "a", 100, 100, "overhead"
		print "!end", 10000
	}' | flitcut --from-text | flitstat | awk -v OFS='\t' '$1 == "all" && NF == 7 { print $4, $7 }'
done <rows >found
awk -F '[,\t]' 'FNR == NR { m[FNR] = $3; b[FNR] = $4; next }
	{ if (($1 - m[FNR]) ^ 2 > 1e-8 || ($2 - b[FNR]) ^ 2 > 2.5e-7) print "row", FNR, $0, m[FNR], b[FNR] }' rows found
awk '{ m += $1; b += $2 } END { printf "%d rows: %.2f %.3f\n", NR, m / NR, b / NR }' found
