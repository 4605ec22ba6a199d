# SPDX-License-Identifier: GPL-3.0-or-later
# A capture of no frames is a trace of no packets; so is one without even an interface.
for name in pcap-none pcapng-none pcapng-no-interface; do
	"$BUILD/tests/make-captures" make $name | flitcap -w a.flt
	flitinfo --json a.flt | sed -n 's/.*"records": \([0-9]*\).*"end": \("[a-z]*"\).*/\1 \2/p'
done
