# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/packets.flt" .
for options in "--window-step 0s" "--window-from 0s" "--window-to 10ms" "--window-step 1us" "--window 1ps" "--accuracy 0"; do
	flitstat $options packets.flt
	echo $?
done
