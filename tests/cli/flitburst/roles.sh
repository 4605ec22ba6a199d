# SPDX-License-Identifier: GPL-3.0-or-later
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" -w p2.flt
flitburst --by role --role 10.77.0.9=controller p2.flt
flitburst --by role --role 10.77.0.1=boss p2.flt
flitburst --by role --role 10.77.0.1 p2.flt
echo $?
flitburst --by role p2.flt | head -n 4
