# SPDX-License-Identifier: GPL-3.0-or-later
flitcut -T csv -f time,id <"$SRC/tests/golden/packets.flt"
flitcut -T csv -f time,id - <"$SRC/tests/golden/packets.flt"
flitcut -T text "$SRC/tests/golden/packets.flt" | flitcut --from-text -T csv -f time,id
