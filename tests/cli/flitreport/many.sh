# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of input at once, each in its section.
cp "$SRC"/tests/golden/*.flt "$DATA/models/yates-rc1-2.model" .
flitreport --text packets.flt yates-rc1-2.model deliveries.flt links.flt messages.flt series.flt >page.txt &&
	grep -B 1 '^---' page.txt | grep -v '^-'
flitreport -o page.html packets.flt yates-rc1-2.model deliveries.flt links.flt messages.flt series.flt
