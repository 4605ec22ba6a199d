# SPDX-License-Identifier: GPL-3.0-or-later
# A series has no arrivals, and no gaps.
seq 1 1000 >series.txt
flittest -t poisson series.txt
echo $?
flittest -t normality series.txt
echo $?
cp "$SRC/tests/golden/series.flt" .
flittest --of gaps series.flt
echo $?
