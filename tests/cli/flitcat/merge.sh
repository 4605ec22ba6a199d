# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
# Ticks become the least common multiple, 3000 a second, in which every time is whole.
flitcat --merge a.flt b.flt c.flt | flitcut -T text | grep -v digest
echo $?
flitcat --merge c.flt b.flt a.flt >out.flt
flitcat --merge --renumber a.flt a.flt | flitcut -T csv -f time,id
flitcat --merge a.flt | flitinfo --json | grep -c '"ticks_per_s": 1000,'
