# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/links.flt" .
flitburst links.flt
