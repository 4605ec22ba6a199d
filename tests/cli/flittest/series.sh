# SPDX-License-Identifier: GPL-3.0-or-later
# Noise, the same with a shift of its level, and with a memory of ten points.
awk 'BEGIN {
	x = 7
	for (i = 0; i < 4096; i++) {
		for (k = 0; k < 3; k++)
			x = (69069 * x + 12345) % 4294967296
		u = x / 4294967296
		m = 0.9 * m + u
		print u, u + (i >= 2500) * 0.2, m
	}
}' >columns.txt
flittest -t stationarity -t constancy -t memory -t shuffle columns.txt
echo $?
for column in 2 3; do
	flittest -c $column -t stationarity -t constancy -t memory -t shuffle --seed 7 --controls 19 columns.txt | sed '/^# tests/,$d'
done
flittest -c 3 -t memory -t stationarity --lags 100 columns.txt | grep -E 'lo|kpss'
flittest -t shuffle --block-points 512 columns.txt
yes 0.1 | head -n 5000 >constant.txt
flittest constant.txt | sed '/^# tests/,$d'
flittest -c 3 -t memory --points columns.txt | sed -n '/^# memory/,$p'
