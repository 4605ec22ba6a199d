# SPDX-License-Identifier: GPL-3.0-or-later
# Sizes as in a capture; the model is read back, and generates them.
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" | flitfit -q -o x.model
grep -v '^#' x.model
flitgen -t 20 x.model | flitcut -T csv -f class,payload | sort | uniq -c | awk '$1 > 300 { print $2 }'
