# SPDX-License-Identifier: GPL-3.0-or-later
{ head -c 8 $SRC/tests/golden/packets.flt; printf '\002'; tail -c +10 $SRC/tests/golden/packets.flt; } >new.flt
flitburst new.flt
