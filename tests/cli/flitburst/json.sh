# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/deliveries.flt" .
flitburst --json deliveries.flt | sed 's/"version": "[^"]*"/"version": "VERSION"/'
