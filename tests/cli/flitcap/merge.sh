# SPDX-License-Identifier: GPL-3.0-or-later
# Two halves, in either order, are the whole; ids aside, which count the frames as they come.
"$BUILD/tests/make-captures" make pcapng-interfaces >a.pcapng
"$BUILD/tests/make-captures" make pcap-back 7 >b.pcap
flitcap -q -r a.pcapng -r b.pcap -w ab.flt
flitcap -q -r b.pcap -r a.pcapng -w ba.flt
flitcut -T csv -f time,payload,wire,class ab.flt | sort >ab
flitcut -T csv -f time,payload,wire,class ba.flt | sort >ba
cmp ab ba && echo same
flitcat --check ab.flt >/dev/null && echo sorted
for file in a.pcapng b.pcap; do flitcap -r $file 2>&1 >/dev/null | head -n 1; done
flitcap -r a.pcapng -r b.pcap 2>&1 >/dev/null | head -n 1
