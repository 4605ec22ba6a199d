# SPDX-License-Identifier: GPL-3.0-or-later
# The published tables against themselves: sums, means and formulas that they must obey.
cd "$DATA/tables" || exit 2

for file in *.csv; do
	head -n 1 "$file" | grep -q '^# source: Yates 1997 AFIT/GCS/ENG/97D-20, ' || echo "$file: no source"
	awk -F, -v name="$file" 'NR == 2 { n = NF } NR > 2 && NF != n { print name ": line " NR }' "$file"
done

awk -F, 'NR > 2 && $2 + $3 + $4 + $5 + $6 != 15 { print "scores: row", $1, "does not sum to 15" }
	END { print "scores:", NR - 2, "rows" }' scores.csv

# Printed means are of three decimals: (a) sum / 7, (b) and (c) weighted sum / 49.
awk -F, '
	function near(a, b) { return a - b < 0.00051 && b - a < 0.00051 }
	FNR <= 2 { file++; next }
	file == 2 { for (i = 1; i <= 5; i++) score[FNR - 2, i] = $(i + 1) }
	file == 4 { for (i = 1; i <= 7; i++) weight[$1, i] = $(i + 2) }
	file == 6 {
		for (i = 1; i <= 5; i++) {
			sum = 0
			for (row = 1; row <= 7; row++) sum += weight[$1, row] * score[row, i]
			mean = sum / ($1 == "a" ? 7 : 49)
			good += near(mean, $(i + 1))
		}
	}
	END { print "means:", good, "of 15 as printed" }' scores.csv score-weights.csv score-means.csv

# The worms and ratios follow from the bytes, the bytes from equations 3.4 and 3.5.
awk -F, 'NR > 2 {
		p = $1; share = 8 * 256 * 256 / p; stages = log(p) / log(2) * p / 2
		good += $2 == 3 * (p - 1) * share
		good += $3 == int(share * (stages + 2 * (p - 1)) + 0.5)
		good += sprintf("%.4f", $3 / $2) == $4
		good += $5 == $2 / 8192 && $6 == $3 / 8192
		good += $7 == (p - 1) * share && $8 == int(share * stages + 0.5)
	}
	END { print "minimum bytes:", good, "of", 5 * (NR - 2) }' minimum-bytes.csv

awk -F, '$1 == "average" { messages = $3; bytes = $4; next }
	NR > 2 { m += $3 / 10; b += $4 / 10 }
	END { printf "overhead: %.2f %% of messages (printed %s), %.3f %% of bytes (printed %s)\n", m, messages, b, bytes }' \
	overhead.csv

# x2 and x4 print with two decimals, the change in percent too.
awk -F, 'NR > 2 && $4 == "pulses_per_burst" {
		change = ($6 / $5 - 1) * 100
		d = change - $7; n++
		good += d < 0.25 && d > -0.25
	}
	END { print "changes of pulses:", good, "of", n, "follow from the values" }' scaled-traffic.csv
awk -F, 'NR == FNR { if (FNR > 2 && $1 == "RCB") printed[$2, $3, $4] = $5 + 0 "," $6 + 0 "," $7 + 0; next }
	FNR > 2 { n++; good += printed[$1, $2, $3] == $4 + 0 "," $5 + 0 "," $6 + 0 }
	END { print "RCB:", good, "of", n, "rows agree in both tables" }' scaled-traffic.csv rcb-scaled.csv
