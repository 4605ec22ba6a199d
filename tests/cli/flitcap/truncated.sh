# SPDX-License-Identifier: GPL-3.0-or-later
"$BUILD/tests/make-captures" make cut-frame >a.pcap
flitcap -r a.pcap -w a.flt
echo $?
flitcut a.flt >/dev/null
