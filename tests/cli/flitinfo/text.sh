# SPDX-License-Identifier: GPL-3.0-or-later
# As on a terminal.
flitinfo --format text --names "$SRC/tests/golden/deliveries.flt" | sed "s:$SRC/::"
