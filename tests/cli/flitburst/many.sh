# SPDX-License-Identifier: GPL-3.0-or-later
flitburst "$SRC/tests/golden/packets.flt" "$SRC/tests/golden/packets.flt"
