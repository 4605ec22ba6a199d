# SPDX-License-Identifier: GPL-3.0-or-later
flithurst "$SRC/tests/golden/packets.flt" >/dev/full
