# SPDX-License-Identifier: GPL-3.0-or-later
# A column of a text with comments; the answer does not depend on the separator.
seq 0 4999 | awk '{ x = (x * 16807 + 11) % 2147483647; print "t" NR, x / 2147483647, "# said" }
	NR % 100 == 0 { print "" } BEGIN { x = 1; print "# time value" }' >a.txt
sed 's/ /,/' a.txt >b.txt
flithurst -c 2 a.txt | cut -f 1-6
flithurst -c 2 b.txt | sed 's/b\.txt/a.txt/' >b
flithurst -c 2 a.txt | cmp - b
