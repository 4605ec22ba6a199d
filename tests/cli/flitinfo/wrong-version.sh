# SPDX-License-Identifier: GPL-3.0-or-later
# The major version stands in the bytes 8 and 9.
cp "$SRC/tests/golden/packets.flt" later.flt
printf '\002' | dd of=later.flt bs=1 seek=8 conv=notrunc 2>/dev/null
flitinfo later.flt
echo $?
