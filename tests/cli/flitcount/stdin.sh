# SPDX-License-Identifier: GPL-3.0-or-later
flitcount - <$SRC/tests/golden/packets.flt >a
flitcount <$SRC/tests/golden/packets.flt >b
flitcount $SRC/tests/golden/packets.flt | sed "s|$SRC/tests/golden/packets.flt|-|" >c
cmp a b && cmp a c
