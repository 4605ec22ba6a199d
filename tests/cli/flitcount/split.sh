# SPDX-License-Identifier: GPL-3.0-or-later
# Cut anywhere, given in any order, the bytes are equal; the sums are equal at all 13 widths and those of the
# manifest, less what is no packet of a transport (ARP).
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" -w whole.flt
for at in 0.1 3.777777777 12 19; do
	flitcut --before $at -w a.flt whole.flt
	flitcut --after $at -w b.flt whole.flt
	flitcount whole.flt >whole
	flitcount a.flt b.flt | cmp - whole
	flitcount b.flt a.flt | cmp - whole
done
sed -n '3,15p' whole | cut -f 3,4 | sort -u | wc -l
sed -n 3p whole | cut -f 3
flitcut -T csv -f time whole.flt | grep -vc time
