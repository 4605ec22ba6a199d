# SPDX-License-Identifier: GPL-3.0-or-later
# Packets of one node .2 s apart: no window stands out, and the tables are those of 1 s.
awk 'BEGIN {
	OFS = "\t"
	print "!flitline-text", 1; print "!kind", "packet"; print "!ticks_per_s", 1000; print "!origin", 0, 0
	print "!fields", "time_s", "src", "dst", "payload_B", "wire_B", "class"
	print "!node", 0, "unknown", "a"; print "!node", 1, "unknown", "b"
	for (i = 0; i < 1000; i++)
		print .2 * i, "a", "b", 100, 100, "data"
	print "!end", 1000 }' | flitcut --from-text | flitstat | grep -A 3 '^# silence'
