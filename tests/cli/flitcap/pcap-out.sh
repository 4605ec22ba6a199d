# SPDX-License-Identifier: GPL-3.0-or-later
# The frames written beside the trace are those that were read.
for name in pcap-ns-be pcapng-old link-sll pcap-none; do
	"$BUILD/tests/make-captures" make $name >a.pcap
	flitcap -q -r a.pcap --pcap b.pcap | flitcut -T csv >a
	flitcap -q -r b.pcap | flitcut -T csv | cmp - a && echo $name
done
"$BUILD/tests/make-captures" make pcapng-interfaces >a.pcap
flitcap -q -r a.pcap --pcap b.pcap -w a.flt
echo $?
"$BUILD/tests/make-captures" make link-sll | flitcap -q --pcap /dev/full -w a.flt
