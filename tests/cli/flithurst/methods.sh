# SPDX-License-Identifier: GPL-3.0-or-later
seq 1 1000 | awk '{ print $1 * 7919 % 1009 }' >x
flithurst -m rs x | grep -c rs
flithurst -m rs -m aggvar x | cut -f 2 | grep -E '^(rs|aggvar)$'
flithurst -m nothing x
