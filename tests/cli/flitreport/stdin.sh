# SPDX-License-Identifier: GPL-3.0-or-later
# The same page from a file, from standard input by redirection, by "-" and from a pipe, but for its name.
cp "$SRC/tests/golden/packets.flt" -- -
flitreport --text ./- >a
flitreport --text <"$SRC/tests/golden/packets.flt" >b
flitreport --text - <"$SRC/tests/golden/packets.flt" >c
cat "$SRC/tests/golden/packets.flt" | flitreport --text >d
cmp a b && cmp a c && cmp a d
grep -c 'records, read to the clean end' a
