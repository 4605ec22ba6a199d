# SPDX-License-Identifier: GPL-3.0-or-later
flitstat - <$SRC/tests/golden/packets.flt >a
flitstat <$SRC/tests/golden/packets.flt >b
flitstat $SRC/tests/golden/packets.flt | sed "s|$SRC/tests/golden/packets.flt|-|" >c
cmp a b && cmp a c
