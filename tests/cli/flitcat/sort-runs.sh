# SPDX-License-Identifier: GPL-3.0-or-later
# Many more records than the memory holds: runs in a temporary file, the same bytes as in memory.
awk 'BEGIN {
	OFS = "\t"
	print "!flitline-text", 1; print "!kind", "packet"; print "!ticks_per_s", 1000; print "!origin", 0, 0
	print "!unsorted"; print "!fields", "time_s", "id"
	for (i = 0; i < 20000; i++)
		printf "%d.%03d\t%d\n", (i * 7919) % 100, (i * 31) % 4, i
	print "!end", 20000
}' | flitcut --from-text >u.flt
mkdir tmp
TMPDIR=tmp flitcat --sort --memory 64KiB u.flt >small.flt
flitcat --sort u.flt >large.flt
cmp small.flt large.flt && echo same
ls -A tmp
flitcat --check large.flt
echo $?
# Equal times keep their order.
flitcut -T csv -f time,id large.flt | awk -F, 'NR > 2 && ($1 < time || ($1 == time && $2 <= id)) { print "wrong", $0 } { time = $1 + 0; id = $2 + 0 }'
TMPDIR=no-such-folder flitcat --sort --memory 64KiB u.flt >out
echo $?
