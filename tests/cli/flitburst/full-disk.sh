# SPDX-License-Identifier: GPL-3.0-or-later
flitburst "$SRC/tests/golden/packets.flt" >/dev/full
