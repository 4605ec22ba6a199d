# SPDX-License-Identifier: GPL-3.0-or-later
# What came before the damage is used, and the trace says so.
for name in cut-frame bad-block-end bad-captured; do
	"$BUILD/tests/make-captures" make $name >a.pcap
	flitcap --keep-going -r a.pcap -w a.flt
	echo $?
	flitinfo --json a.flt | sed -n 's/^"stream".*"records": \([0-9]*\).*"end": \("[a-z, ]*"\).*/\1 \2/p'
done
