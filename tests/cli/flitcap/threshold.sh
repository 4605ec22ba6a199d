# SPDX-License-Identifier: GPL-3.0-or-later
"$BUILD/tests/make-captures" make link-ipv4 >a.pcap
for threshold in 0 86 600; do
	flitcap -q -r a.pcap --threshold $threshold | flitinfo --json - |
		sed -n 's/.*"value": "\(data\|overhead\)", "records": \([0-9]*\).*/\1 \2/p'
done
