# SPDX-License-Identifier: GPL-3.0-or-later
# The same words, the same network; another seed, another.
for network in random-regular:32,4 random-irregular:32; do
	flitnet -o - "$network" | cksum >a
	flitnet -o - "$network,seed=1" | sed 's/,seed=1//' | cksum | cmp - a
	flitnet -o - "$network,seed=2" | sed 's/,seed=2//' | cksum | cmp -s - a && echo 'seed 2 gives the network of seed 1'
	flitnet "$network,seed=2" "$network,seed=3"
done
