# SPDX-License-Identifier: GPL-3.0-or-later
# Packets in pairs .1 s apart, pairs 3 s apart: N(w) is 1 below .1 s (a gap of w does not end a burst) and 2 from there on.
awk 'BEGIN {
	OFS = "\t"
	print "!flitline-text", 1; print "!kind", "packet"; print "!ticks_per_s", 1000; print "!origin", 0, 0
	print "!fields", "time_s", "src", "dst", "payload_B", "wire_B", "class"
	print "!node", 0, "unknown", "a"; print "!node", 1, "unknown", "b"
	for (i = 0; i < 20; i++) {
		print 3.1 * i, "a", "b", 100, 100, "data"
		print 3.1 * i + .1, "a", "b", 100, 100, "data"
	}
	print "!end", 40 }' | flitcut --from-text >pairs.flt
flitstat --windows pairs.flt | awk '/^window_s/ { on = 1 } /^$/ { on = 0 } on' >curve
sed -n '1,9p;120,126p' curve
wc -l <curve
