# SPDX-License-Identifier: GPL-3.0-or-later
seq 1 3000 | awk '{ print $1 * $1 * 7919 % 10007 }' >x
flithurst -m rs --points --scale-min 10 --scale-max 100 --scales 4 x
