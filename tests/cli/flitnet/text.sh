# SPDX-License-Identifier: GPL-3.0-or-later
# The text of networks of some kinds.
for network in direct triangle16 torus:3x2,hosts=2 random-irregular:4,seed=2; do
	flitnet -o - "$network" | grep -v '^#'
done
