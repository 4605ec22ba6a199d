# SPDX-License-Identifier: GPL-3.0-or-later
cp "$SRC/tests/golden/packets.flt" .
try() { flitburst "$@" packets.flt; echo $?; }
try --by pair --max-keys 1
try --by node --max-keys 0
try -g 0s
try -g 1000000000s
try -g 1/3
try --finest 0s
try --finest 1/7
try --width 1ms,0s
try --width 1/7
try --gaps 1,x
try --gaps 1,0
try --gaps ""
try --lags 5000
try --lags 1,
try --origin last
