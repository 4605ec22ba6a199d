# SPDX-License-Identifier: GPL-3.0-or-later
# The controller of every capture is 10.77.0.1; it is found without being told.
for capture in "$DATA"/captures/*.pcap.zst; do
	flitcap -q -r "$capture" | flitstat |
		awk -v name="$(basename "$capture" .pcap.zst)" 'seen { print name, $1, $2 } { seen = /^candidate/ }'
done
