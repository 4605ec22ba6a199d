# SPDX-License-Identifier: GPL-3.0-or-later
flitcat "$SRC/tests/golden/packets.flt" >/dev/full
echo $?
flitcat -w /dev/full "$SRC/tests/golden/packets.flt"
echo $?
flitcat --sort "$SRC/tests/golden/packets.flt" >/dev/full
echo $?
