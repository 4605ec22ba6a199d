# SPDX-License-Identifier: GPL-3.0-or-later
# A pcap file of packets over IPv4, IPv6 and neither; every byte, then what capinfos and tshark make of it.
tab=$(printf '\t')
sed "s/ /$tab/g" <<END | flitcut --from-text -w in.flt
!flitline-text 1
!kind packet
!ticks_per_s 1000000000
!origin 866894400 250000000
!fields time_s id flow src dst payload_B wire_B flags class
!node 0 unknown 10.0.0.1
!node 1 unknown 10.0.0.2
!node 2 unknown fe80::1
!node 3 unknown fe80::2
!node 4 unknown node4
!flow 0 10.0.0.1 10.0.0.2 tcp 40000 80
!flow 1 10.0.0.2 10.0.0.1 tcp 80 40000
!flow 2 fe80::1 fe80::2 udp 53 5353
!flow 3 node4 10.0.0.1 tcp 1 2
!flow 4 10.0.0.1 10.0.0.2 udp 0 0
!flow 5 10.0.0.1 10.0.0.2 icmp 0 0
0.0 0 @0 @0 @1 0 54 setup overhead
0.1 1 @1 @1 @0 0 54 setup overhead
0.2 2 @0 @0 @1 1000 1054 - data
0.3 3 @1 @1 @0 0 54 - overhead
0.4 4 @2 @2 @3 100 162 - data
0.5 5 @3 @4 @0 8192 8200 - data
0.6 6 @4 @0 @1 1480 1514 fragment data
0.75 7 @5 @0 @1 56 98 - data
0.8 8 - @0 other 10 20 - data
0.9 9 @0 @0 @1 100000 100054 close data
!end 10
END
flitcut -T pcap in.flt >out.pcap
od -An -tx1 -v out.pcap
if command -v capinfos >/dev/null; then
	capinfos -T -r -m -c -d -u -a out.pcap 2>/dev/null >infos
	[ "$(cut -d, -f 2- infos)" = "10,111264,0.900000000,1997-06-21 12:00:00.250000000" ] || cat infos
fi
if command -v tshark >/dev/null; then
	tshark -r out.pcap -T fields -e ip.src -e ipv6.src -e tcp.len -e udp.length -e frame.len -e tcp.flags.str \
		-o tcp.desegment_tcp_streams:FALSE 2>/dev/null >shark
	diff "$CASE/pcap.shark" shark
fi
true
