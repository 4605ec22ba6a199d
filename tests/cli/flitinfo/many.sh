# SPDX-License-Identifier: GPL-3.0-or-later
# Several inputs: one row each, and the name of the input before the rows of the other tables.
cp "$SRC/tests/golden/packets.flt" a.flt
flitinfo a.flt "$SRC/tests/golden/links.flt" - <"$SRC/tests/golden/series.flt" | sed "s:$SRC/::"
