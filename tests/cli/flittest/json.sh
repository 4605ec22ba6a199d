# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/deliveries.flt" .
flittest -t poisson --json deliveries.flt | sed 's/"version": "[^"]*"/"version": "VERSION"/'
