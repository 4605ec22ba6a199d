# SPDX-License-Identifier: GPL-3.0-or-later
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" -w p2.flt
flitstat --role 10.77.0.2=controller --role 10.77.0.1=worker p2.flt | grep -A 3 '^node'
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" --nodes "$DATA/nodes/p2.nodes" | flitstat | grep -A 3 '^node'
flitstat --role 10.77.0.9=controller p2.flt
flitstat --role 10.77.0.1=boss p2.flt
flitstat --role 10.77.0.1 p2.flt
