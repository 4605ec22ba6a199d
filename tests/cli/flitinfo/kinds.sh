# SPDX-License-Identifier: GPL-3.0-or-later
# What is said of each kind of stream.
for kind in packets deliveries messages series links; do
	flitinfo --names "$SRC/tests/golden/$kind.flt" | sed "s:$SRC/::"
	echo "status $?"
done
