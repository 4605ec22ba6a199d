# SPDX-License-Identifier: GPL-3.0-or-later
# The drawing of a small network as it stands; of others their parts; without Graphviz a circle.
flitnet --svg triangle16
for network in direct switch:8 torus:4x4 yates128 fattree:2000,arity=8 random-irregular:12; do
	flitnet --svg -o net.svg "$network" 2>err || echo "$network: status $?"
	grep -q 'a circle' err || [ ! -s err ] || cat err
	echo "$network $(grep -c 'class="s"' net.svg) cards $(grep -c 'class="h"' net.svg) hosts" \
		"$(grep -c 'class="w"' net.svg) cables $(grep -c 'class="p"' net.svg) ports"
	! command -v xmllint >/dev/null || xmllint --noout net.svg
done
PATH=$BIN
flitnet --svg -o net.svg random-irregular:3,hosts=6
