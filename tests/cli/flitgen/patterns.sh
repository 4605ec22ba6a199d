# SPDX-License-Identifier: GPL-3.0-or-later
# Where the packets of each node go, by pattern: the pairs that are met, in order of the source.
pairs() {
	flitgen --set "duration=100 us" --set nodes="$1" --set destinations="$2" ${3:+--set "$3"} "$DATA/models/load.model" |
		flitcut -T csv -f src,dst | awk -F, 'NR > 1' | sort -u -t, -k1.5n -k2.5n |
		awk -F, '{ gsub("node", ""); printf "%s%s>%s", (NR > 1 ? " " : ""), $1, $2 } END { print "" }'
}
pairs 8 bit-reversal
pairs 8 shuffle
pairs 8 bit-rotation
pairs 8 butterfly
pairs 8 neighbour
pairs 9 tornado shape=3x3
pairs 4 nearest shape=2x2
pairs 6 permutation
pairs 6 permutation 'to=1 2 3 4 5 0'
for bad in '12 shuffle' '9 tornado shape=4x4' '3 permutation to=2' '8 nearest shape=2xx4'; do
	set -- $bad
	flitgen --set nodes="$1" --set destinations="$2" ${3:+--set "$3"} "$DATA/models/load.model" 2>&1 >/dev/null | sed "s:.*/::"
done
