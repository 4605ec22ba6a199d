# SPDX-License-Identifier: GPL-3.0-or-later
for form in stream text csv ndjson pcap; do
	flitcut -T $form "$SRC/tests/golden/packets.flt" >/dev/full
	echo $?
	flitcut -T $form -w /dev/full "$SRC/tests/golden/packets.flt"
	echo $?
done
