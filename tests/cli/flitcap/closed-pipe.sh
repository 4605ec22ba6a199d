# SPDX-License-Identifier: GPL-3.0-or-later
# Quiet, whoever wins the race.
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
flitcap -q -r a.pcap | :
flitcap -q -r a.pcap | true
