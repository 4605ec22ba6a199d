# SPDX-License-Identifier: GPL-3.0-or-later
flithurst - <$SRC/tests/golden/packets.flt >a
flithurst <$SRC/tests/golden/packets.flt >b
flithurst $SRC/tests/golden/packets.flt | sed "s|$SRC/tests/golden/packets.flt|-|" >c
cmp a b && cmp a c
