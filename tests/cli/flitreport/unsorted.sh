# SPDX-License-Identifier: GPL-3.0-or-later
flitcut --to text "$SRC/tests/golden/packets.flt" >text
flitcat --unsorted "$SRC/tests/golden/packets.flt" >u.flt
flitreport --text u.flt
