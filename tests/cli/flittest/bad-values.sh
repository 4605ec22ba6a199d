# SPDX-License-Identifier: GPL-3.0-or-later
# Options whose values make no sense.
flittest --share 0
flittest --share 1
flittest --blocks 1
flittest --blocks 65
flittest --lags 0
flittest --block-points 0
flittest --controls 18
flittest --bin 0s
flittest --burst-gap 0s
flittest -c 0
cp "$SRC/tests/golden/packets.flt" .
flittest --max-points 1 packets.flt
seq 1 11 | flittest --max-points 10
