# SPDX-License-Identifier: GPL-3.0-or-later
# A stream that ends too early, wherever it is cut, is never taken for whole.
size=$(wc -c <"$SRC/tests/golden/packets.flt")
for keep in 5 40 64 100 200 $((size - 1)); do
	head -c $keep "$SRC/tests/golden/packets.flt" >cut.flt
	flitinfo cut.flt >out
	echo $?
done
