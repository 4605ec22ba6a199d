# SPDX-License-Identifier: GPL-3.0-or-later
# Frames that are no packets are counted in the stream of their period.
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
flitcap -q -r a.pcap -G 1s -w part
for part in part.*; do flitinfo --json $part | sed -n 's/.*"\(frames\|undecoded\)", "value": \([0-9]*\).*/\1 \2/p'; done
