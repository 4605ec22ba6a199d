# SPDX-License-Identifier: GPL-3.0-or-later
# A step back out of the window, 70000 packets on: an error; clamped where asked; in order with a wider window.
"$BUILD/tests/make-captures" bench small 5600000 >a.pcap
{ cat a.pcap; "$BUILD/tests/make-captures" bench small 8000 | tail -c +25; } >b.pcap
flitcap -r b.pcap -w b.flt
echo $?
flitcap --clamp -r b.pcap -w b.flt
flitcat --check b.flt >/dev/null && echo sorted
flitcap --reorder 10s -r b.pcap -w b.flt
flitcat --check b.flt >/dev/null && echo sorted
