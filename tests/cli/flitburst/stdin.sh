# SPDX-License-Identifier: GPL-3.0-or-later
flitburst - <$SRC/tests/golden/packets.flt >a
flitburst <$SRC/tests/golden/packets.flt >b
flitburst $SRC/tests/golden/packets.flt | sed "s|$SRC/tests/golden/packets.flt|-|" >c
cmp a b && cmp a c
