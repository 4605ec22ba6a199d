# SPDX-License-Identifier: GPL-3.0-or-later
# Fields by name or heading, in the order asked for; a text of some fields can be read back.
flitcut -T text -f dst,time,payload "$SRC/tests/golden/packets.flt" | tee text | grep -v '^!made'
flitcut --from-text text | flitcut -T csv
flitcut -T ndjson -f time_s,flow "$SRC/tests/golden/packets.flt"
