# SPDX-License-Identifier: GPL-3.0-or-later
# The text of each kind, and back.
for kind in packets deliveries messages series links; do
	flitcut -T text "$SRC/tests/golden/$kind.flt" | tee text
	flitcut --from-text text | flitcut -T text | grep -v -e '^!made' -e '^!note' >again
	grep -v -e '^!made' -e '^!note' text | diff - again && echo same
done
