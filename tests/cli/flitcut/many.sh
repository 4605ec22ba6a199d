# SPDX-License-Identifier: GPL-3.0-or-later
# Several inputs one after the other, in the clock of the first.
flitcut --after 1s "$SRC/tests/golden/packets.flt" >late.flt
flitcut -T csv -f time,id,src "$SRC/tests/golden/packets.flt" late.flt
flitcut "$SRC/tests/golden/packets.flt" late.flt | flitinfo --json | grep -o '"records": [0-9]*'
cp "$SRC/tests/golden/packets.flt" .
flitcut late.flt packets.flt >out
echo $?
cp "$SRC/tests/golden/links.flt" .
flitcut -T csv late.flt links.flt >out
echo $?
