# SPDX-License-Identifier: GPL-3.0-or-later
# Who is the controller is known from the names, or found, or not found.
flitcap -q --nodes "$DATA/nodes/p4.nodes" -r "$DATA/captures/rc-256-p4.pcap.zst" >named.flt
flitfit named.flt | grep '^\['
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" | flitfit | grep '^\['
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" | flitfit | grep '^\['
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" | flitfit -q | grep '^\['
