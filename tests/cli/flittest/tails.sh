# SPDX-License-Identifier: GPL-3.0-or-later
# Evenly spaced quantiles of a power law, of a lognormal one that fakes it, and of too few values.
awk 'BEGIN { for (i = 1; i < 20000; i++) print (i / 20000) ^ (-1 / 1.5) }' >pareto.txt
awk 'BEGIN { # sums of 12 uniform numbers
	for (i = 0; i < 20000; i++) {
		s = -6
		for (k = 0; k < 12; k++) {
			x = (69069 * x + 12345) % 4294967296
			s += x / 4294967296
		}
		print exp(2 * s)
	}
}' >lognormal.txt
seq 1 100 >few.txt
flittest -t tails pareto.txt
echo $?
flittest -t tails lognormal.txt few.txt
echo $?
flittest -t tails --share 0.01 --level 90 --points --format csv pareto.txt | sed -n '/k,value/,$p' | sed -n '1p;20,22p'
