# SPDX-License-Identifier: GPL-3.0-or-later
printf '1\n2\nthree\n' >word
printf '1 2\n3\n' >column
printf '1\n2 \n' >fine
head -c 100000 /dev/zero >zeros
printf '1\n1e999\n' >huge
for file in word zeros huge; do
	flithurst $file
	echo $?
done
printf '1\n-1e101\n' >large
printf '1e-150\n-2e-120\n0\n' >small
flithurst large
echo $?
flithurst small
echo $?
flithurst -c 2 column
echo $?
flithurst -c 0 fine
echo $?
flithurst fine
