# SPDX-License-Identifier: GPL-3.0-or-later
# Chains of states, sessions and cascades: in words, the same bytes again, a node's packets whatever other nodes there are, and what is refused with
# file and line.
for family in mmpp map m-g-infinity cascade; do
	cp "$DATA/models/$family.model" .
	flitgen --explain $family.model
	flitgen -w a.flt $family.model
	flitgen $family.model | cmp - a.flt && echo same
	flitgen -n 9 $family.model | flitcut --src node3 -T csv -f time,payload >b
	flitcut --src node3 -T csv -f time,payload a.flt | cmp - b && echo same node
done
sed 's/jump 3 to 1 100 %/jump 3 to 2 90 %/' mmpp.model | flitgen
sed 's/ for 4 ms//' mmpp.model | flitgen
sed 's/^d0 - 30/d0 -99 30/' map.model | flitgen
sed 's/^session 200 ms/session 200000 h/' m-g-infinity.model | flitgen
sed 's/^split 12/split 1e9/' cascade.model | flitgen
