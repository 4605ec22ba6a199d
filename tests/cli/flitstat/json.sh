# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/deliveries.flt" .
flitstat --json deliveries.flt | sed 's/"version": "[^"]*"/"version": "VERSION"/'
