# SPDX-License-Identifier: GPL-3.0-or-later
# Counts that follow noise of a known H: the estimators give it back, the likelihood's model fits, and mean and dispersion are
# those asked for. The same seed gives the same bytes, another node count the same times.
cp "$DATA/models/noise.model" noise.model
model=noise.model
flitgen --explain "$model"
flitgen -w a.flt "$model"
flitgen "$model" | cmp - a.flt && echo same
flitcut -T csv -f time a.flt >times
flitgen -n 64 "$model" | flitcut -T csv -f time | cmp - times && echo same times
flithurst -b 1ms -m whittle -m haar -m dfa2 a.flt | awk -F '\t' '
	NF == 5 && $2 ~ /^[0-9]/ { print ($4 > 18.1 && $4 < 21.9 ? "mean" : $4), ($5 > 37 && $5 < 42 ? "variance" : $5) }
	NF > 10 && $2 != "method" { print $2, ($4 > .78 && $4 < .82 ? "about .8" : $4), ($12 == "-" || $12 > .001 ? "fits" : $12) }'
for key in hurst=0.5 noise=farima; do
	flitgen --set $key "$model" | flithurst -b 1ms -m whittle-farima | awk -F '\t' -v key=$key '
		NF > 10 && $2 != "method" { print key, int(100 * $3 + .5), ($12 > .001 ? "fits" : $12) }'
done
flitgen --set hurst=1.2 "$model"
flitgen --set noise=farima --set hurst=0.4 "$model"
flitgen --set counts-every=1ns "$model"
