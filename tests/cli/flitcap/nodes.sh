# SPDX-License-Identifier: GPL-3.0-or-later
# Names and roles from a file, two addresses that are one node; what is not in it has its address.
printf '# address\tname\trole\n10.0.0.1\thead\tcontroller\nfd00::1\thead\tcontroller\n10.0.0.2\tn2\n10.0.0.3\t-\tworker\n' >nodes
"$BUILD/tests/make-captures" make link-raw >a.pcap
flitcap -q -r a.pcap --nodes nodes | flitinfo --json - | sed -n 's/.*"node": \([0-9]*\), "role": "\([a-z]*\)", "address": "\([^"]*\)".*/\1 \2 \3/p'
