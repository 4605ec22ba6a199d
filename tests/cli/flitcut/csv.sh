# SPDX-License-Identifier: GPL-3.0-or-later
for kind in packets deliveries messages series links; do
	flitcut -T csv "$SRC/tests/golden/$kind.flt"
done
flitcut -T csv -f src,dst,payload_B,time "$SRC/tests/golden/packets.flt"
