# SPDX-License-Identifier: GPL-3.0-or-later
# A new node changes the packets of no other, but for their destinations.
flitgen -t 30 -n 4 "$DATA/models/yates-vrb-4.model" | flitcut -T csv -f time,src,class,payload >four
flitgen -t 30 -n 6 "$DATA/models/yates-vrb-4.model" | flitcut -T csv -f time,src,class,payload | grep -v 'node[45]' >six
cmp four six && wc -l <four
flitgen -t 30 -n 300 "$DATA/models/yates-vrb-4.model" | flitcut -T csv -f src | sort -u | wc -l
