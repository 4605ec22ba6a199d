# SPDX-License-Identifier: GPL-3.0-or-later
# A page of seven packets, whole.
cp "$SRC/tests/golden/packets.flt" .
flitreport --text --title 'A small trace' packets.flt | sed 's/ [0-9][0-9.]* (flitline)/ VERSION (flitline)/'
