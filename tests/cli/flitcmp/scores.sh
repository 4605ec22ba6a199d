# SPDX-License-Identifier: GPL-3.0-or-later
# Groups that tie as in section 4.4 of Yates 1997 give its scores and averages, plain and with both sets of weights.
# Each line: nodes, and a level for RCB RC1 VRB VR2 VR4; who has the same level ties.
cat >levels <<'L'
2 1 1 1 1 1
4 1 1 1 1 2
8 1 2 2 2 2
16 1 2 3 3 2
32 1 3 2 3 2
64 2 3 4 1 3
128 1 3 2 2 2
L
awk 'BEGIN { OFS = "\t"; split("RCB RC1 VRB VR2 VR4", name, " "); print "fft", "nodes", "seed", "v" }
	{ for (a = 1; a <= 5; a++) for (s = 1; s <= 10; s++) print name[a], $1, s, 23 + $(a + 1) / 100 + (s % 3) / 10000 }' levels >all.runs
flitcmp -c v -a fft -b nodes --scores --weights 1.625,1.625,.75,.75,.75,.75,.75 --weights .25,.5,.75,1,1.25,1.5,1.75 \
	--format csv all.runs | sed -n '/^nodes,RCB/,$p'
for w in 1,2 1,2,3,4,5,6,x 0,0,0,0,0,0,0; do
	flitcmp -c v -a fft -b nodes --scores --weights $w all.runs
done
sed '/^VR4.128/d' all.runs | flitcmp -c v -a fft -b nodes --scores
