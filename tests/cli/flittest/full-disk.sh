# SPDX-License-Identifier: GPL-3.0-or-later
flittest "$SRC/tests/golden/packets.flt" >/dev/full
