# SPDX-License-Identifier: GPL-3.0-or-later
flittest - <$SRC/tests/golden/packets.flt >a
flittest <$SRC/tests/golden/packets.flt >b
flittest $SRC/tests/golden/packets.flt | sed "s|$SRC/tests/golden/packets.flt|-|" >c
cmp a b && cmp a c
