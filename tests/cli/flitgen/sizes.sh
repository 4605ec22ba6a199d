# SPDX-License-Identifier: GPL-3.0-or-later
# One text of sizes for all families: the packets' mean size is near that of the law, and nothing is outside its limits.
mean() {
	flitgen -c 40000 -t "$3" "$1" | flitcut -T csv -f payload - | awk -v what="$2" '
		/^[0-9]/ { n++; sum += $1; if ($1 < least || n == 1) least = $1; if ($1 > most) most = $1 }
		END {
			if (n < 40000 || sum / n < 586 || sum / n > 608 || least != 64 || most != 1460)
				print what ": " n, sum / n, least, most
			else
				print what ": as said"
		}'
}
for family in load on-off noise renewal; do
	awk '/^\[pair/ { exit } !/^size/ { print } /^size/ { print "bin 60 x 64 B\nbin 40 x normal 1400 B 50 B from 64 B cut 1460 B" }' \
		"$DATA/models/$family.model" >$family.model
	mean $family.model $family 40s
done
sed 's/^sizes.*//; /^bin/d' "$DATA/models/yates-rc1-4.model" |
	sed 's/^size-mean.*/&\nsizes empirical\nbin 60 x 64 B\nbin 40 x normal 1400 B 50 B from 64 B cut 1460 B/' >pulse.model
mean pulse.model "pulse train" 1d
for law in '64 B' 'exponential 300 B' 'pareto 500 B 1.5 cut 9000 B' 'normal 100 B' 'gamma 5 B 1 from 900 B' 'weibull 5 B 2 upto 9 B'; do
	echo "size $law"
	sed "s/^size.*/size $law/" "$DATA/models/load.model" | flitgen --explain 2>&1 | sed -n '1p'
done
