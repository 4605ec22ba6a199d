# SPDX-License-Identifier: GPL-3.0-or-later
# An arrival process with the patterns of destinations: the pairs that are met, in words, and numbers of nodes that do not fit.
cat >mmpp.model <<-'END'
	flitline-model 1
	family mmpp
	nodes 8
	duration 1 s
	[node data]
	state 1000 packets/s for 10 ms
	state 50 packets/s for 30 ms
	size 64 B
END
sed 's/node data/network data/' mmpp.model >network.model
pairs() {
	model=$1 pattern=$2
	shift 2
	flitgen --set destinations="$pattern" "$@" "$model" | flitcut -T csv -f src,dst | awk -F, 'NR > 1' |
		sort -u -t, -k1.5n -k2.5n | awk -F, '{ gsub("node", ""); printf "%s%s>%s", (NR > 1 ? " " : ""), $1, $2 } END { print "" }'
}
for model in mmpp.model network.model; do
	pairs "$model" bit-reversal
	pairs "$model" tornado --set shape=4x2
	pairs "$model" transpose -n 9
	pairs "$model" permutation --set 'to=1 0 2 4 3 6 7 5'
	flitgen --explain --set destinations=hot-spot --set hot-node=5 --set 'hot-share=40 %' "$model" | grep -e '; to ' -e packets/s.of
	flitgen --explain --set destinations=transpose -n 9 "$model" | grep -e '; to ' -e packets/s.of
done
flitgen --set destinations=hot-spot --set hot-node=5 --set 'hot-share=40 %' mmpp.model | flitcut -T csv -f src,dst |
	awk -F, '$1 == "node2" { all++; hot += $2 == "node5" } END { print (hot / all > 0.45 && hot / all < 0.52) }'
for bad in transpose shape to-role; do
	flitgen --set destinations="$bad" mmpp.model >/dev/null
done
flitgen --explain --set destinations=transpose mmpp.model >/dev/null
