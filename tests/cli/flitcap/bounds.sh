# SPDX-License-Identifier: GPL-3.0-or-later
# Beyond the bounds of the tables packets are kept and counted, without a name.
"$BUILD/tests/make-captures" make link-ipv4 >a.pcap
flitcap -r a.pcap --max-nodes 3 --max-flows 4 -w a.flt
flitinfo --json a.flt | sed -n 's/.*"\(node_other\|flow_other\)", "value": \([0-9]*\).*/\1 \2/p'
flitcut -T csv -f src,dst a.flt | grep -c other
