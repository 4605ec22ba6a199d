# SPDX-License-Identifier: GPL-3.0-or-later
# A changed byte in the last records; --keep-going takes what came before and still ends with status 2.
cp "$SRC/tests/golden/packets.flt" bad.flt
size=$(wc -c <bad.flt)
printf 'X' | dd of=bad.flt bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null
flitinfo bad.flt >out
echo $?
flitinfo --keep-going bad.flt >out
echo $?
