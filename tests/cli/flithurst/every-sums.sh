# SPDX-License-Identifier: GPL-3.0-or-later
# Bins that no capture has: their sums are refused before they are too large for integers.
{
	printf '!flitline-text\t1\n!kind\tseries\n!ticks_per_s\t1000000000\n!origin\t0\t0\n'
	printf '!fields\ttime_s\twidth_s\tcount\tbytes\tnode\tclass\n'
	for i in 1 2 3 4; do
		printf '%d\t1\t2000000000000000000\t18446744073709551615\tother\tnone\n' $i
	done
	printf '!end\t4\n'
} | flitcut -q --from-text -w large.flt
flithurst --every 10s large.flt
echo $?
flithurst --every 10s --of bytes large.flt
echo $?
