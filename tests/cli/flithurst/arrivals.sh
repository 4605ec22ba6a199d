# SPDX-License-Identifier: GPL-3.0-or-later
# Text in the form of the Bellcore traces: a time and a length.
seq 1 6000 | awk '{ t += ($1 * 7919 % 1009) / 1e5; printf "%.6f %d\n", t, 64 + $1 % 1000 }' >trace.TL
flithurst -a --of bytes -m rs trace.TL
awk '{ print $1 }' trace.TL | flithurst -a -m rs | tail -n 2 | head -n 1
echo '0.5 many' | flithurst -a
echo $?
echo 'soon 64' | flithurst -a
