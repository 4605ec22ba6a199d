# SPDX-License-Identifier: GPL-3.0-or-later
# Each input is analysed by itself.
seq 1 1000 | awk '{ print $1 * 7919 % 1009 }' >x
seq 1 1000 | awk '{ print $1 * 7907 % 1013 }' >y
flithurst x y | cut -f 1-3
