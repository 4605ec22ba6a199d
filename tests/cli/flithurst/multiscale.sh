# SPDX-License-Identifier: GPL-3.0-or-later
# White noise: zeta is about q/2. A short series has none, and says why.
awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) print rand() + rand() + rand() }' >x
flithurst -m haar --multiscale x | awk -F '\t' '/^# multi/ { on = 1 } /^# wavelet leaders/ { exit } on && $1 == "x" { print $2, ($5 > .4 && $5 < .6 && $6 < $5 && $5 < $7 ? "about a half" : $0), $8, $9 }'
seq 300 | flithurst -m haar --multiscale | grep '^# -: no multiscale'
flithurst --json -m haar --multiscale x | grep -c '"zeta/q"'
