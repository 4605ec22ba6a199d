# SPDX-License-Identifier: GPL-3.0-or-later
# Series with published values: the Nile's minima (longmemo's documentation: .837 and .899; fracdiff: d = .503829),
# Ethernet traffic, where Whittle's likelihood misleads and the report says so, and brown72. Bellcore's text as arrivals.
series=$SRC/../shared/data/series
[ -d "$series" ] || { echo 'skipped: the series are not here' >&2; exit 77; }
check() { # FILE METHOD KNOWN ERROR
	flithurst -q -m "$2" "$series/$1.txt" | awk -F '\t' -v name="$1 $2" -v method="$2" -v known="$3" -v error="$4" '
		NF > 6 && $2 == method { print name, ($3 - known < error && known - $3 < error ? "as known" : $3) }'
}
check NileMin whittle .83742 .0001
check NileMin whittle-farima .89917 .0001
check NileMin gph 1.003829 .00005
check ethernetTraffic whittle .691 .001
check ethernetTraffic gph .938 .001
check ethernetTraffic lw .840 .001
check brown72 whittle .684 .0005
check brown72 whittle-farima .724 .0005
check brown72 dfa1 .742 .005
flithurst "$series/ethernetTraffic.txt" | grep -c 'Whittle.s H and its interval say nothing'
flithurst -a -b 100ms -m haar "$series/../bellcore/BC-pAug89-small.TL" | sed -n '3s/^[^	]*	//p'
