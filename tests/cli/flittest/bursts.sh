# SPDX-License-Identifier: GPL-3.0-or-later
# Bursts of 1 to 5 packets, ten milliseconds apart and a second from burst to burst; the first and the last do not count.
awk 'BEGIN {
	for (b = 0; b < 500; b++)
		for (p = 0; p <= b % 5; p++)
			print b + p / 100, 1000
}' >bursts.txt
flittest --arrivals --of bursts -t tails --share 0.5 bursts.txt | sed '/^# laws/,$d'
for gap in 15ms 900ms; do
	flittest --arrivals --of bursts --burst-gap $gap -t tails --points bursts.txt | sed '1,/hill_hi/d' |
		awk '$4 != last { print $3, $4 } { last = $4 }'
done
flittest --arrivals --of bursts --burst-gap 2s -t tails bursts.txt | sed -n 3p
