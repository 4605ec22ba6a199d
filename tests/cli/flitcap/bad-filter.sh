# SPDX-License-Identifier: GPL-3.0-or-later
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
flitcap -r a.pcap port nowhere
echo $?
flitcap -r a.pcap -F missing
echo $?
"$BUILD/tests/make-captures" make link-user >b.pcap
flitcap -r b.pcap ether host 1:2:3:4:5:6
