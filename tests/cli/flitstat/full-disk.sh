# SPDX-License-Identifier: GPL-3.0-or-later
flitstat "$SRC/tests/golden/packets.flt" >/dev/full
