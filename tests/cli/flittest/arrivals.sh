# SPDX-License-Identifier: GPL-3.0-or-later
# Lines of an arrival's time and bytes, as in the Bellcore traces.
awk 'BEGIN {
	for (i = 0; i < 3000; i++) {
		x = (69069 * x + 12345) % 4294967296
		t += -log(1 - x / 4294967296) / 100
		printf "%.6f %d\n", t, 64 + x % 1400
	}
}' >arrivals.txt
flittest --arrivals -t poisson -t memory arrivals.txt
echo $?
printf '0.5 100\n0.4 100\n' | flittest --arrivals
echo $?
printf '0.5 many\n' | flittest --arrivals
echo $?
