# SPDX-License-Identifier: GPL-3.0-or-later
flitinfo --json "$SRC/tests/golden/packets.flt" | sed "s:$SRC/::"
