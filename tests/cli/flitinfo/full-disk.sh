# SPDX-License-Identifier: GPL-3.0-or-later
flitinfo "$SRC/tests/golden/packets.flt" >/dev/full
echo $?
flitinfo --json "$SRC/tests/golden/packets.flt" >/dev/full
echo $?
