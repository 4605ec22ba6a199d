# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/packets.flt" .
flitstat --max-streams 1 packets.flt
flitstat --max-pairs 1 packets.flt | grep -A 4 '^src'
