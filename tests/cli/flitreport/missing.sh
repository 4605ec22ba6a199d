# SPDX-License-Identifier: GPL-3.0-or-later
flitreport --text "$SRC/tests/golden/packets.flt" absent.flt
