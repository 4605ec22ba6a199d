# SPDX-License-Identifier: GPL-3.0-or-later
# Every generator's network comes back the same from its text.
for network in direct switch:8 switch:3,ports=8 line:4 ring:7 mesh:5x4 torus:4x4x3,hosts=3 torus:2x2x2x2 hypercube:5 \
	fattree:4,3 fattree:77,arity=3 clos:3,4,5 random-regular:20,3,seed=9 random-irregular:32,hosts=3,ports=6 triangle16 \
	triangle18 george96 yates16a yates16b yates16 yates32x6 yates32 yates64 yates128; do
	flitnet "$network" | sed "s/^$network/X/" >one
	flitnet -o text "$network"
	flitnet text | sed 's/^text/X/' | cmp - one && flitnet -o - text | grep -v '^#' >again
	grep -v '^#' text | cmp - again
done
