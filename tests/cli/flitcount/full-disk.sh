# SPDX-License-Identifier: GPL-3.0-or-later
flitcount "$SRC/tests/golden/packets.flt" >/dev/full
