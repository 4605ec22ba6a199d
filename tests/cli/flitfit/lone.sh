# SPDX-License-Identifier: GPL-3.0-or-later
# A trace of text in which one node alone sends, and that says nothing of the wire: it is fitted, by any groups, and what is
# judged is the payload.
{ printf '%s\n' 'flitline-model 1' 'family poisson' 'nodes 3' 'duration 2 s' '[pair 2 1 data]' 'gap 1 ms' 'size 100 B'; } |
	flitgen -q | flitcut -T text -f time,src,dst,payload,class | flitcut --from-text -w lone.flt
flitfit lone.flt | sed '/^#/d'
for by in role class node pair network; do
	flitfit -q -f poisson --by "$by" lone.flt | sed -n '/^nodes/p; /^\[/,$p'
done
flitfit -q --rank -f poisson -f on-off -f bootstrap lone.flt | cut -f 2,3,13 | sed -n '3p'
# What a family is fitted by whatever is asked for stands in the ranking.
flitfit -q --rank -f poisson -f fractional-noise -f bootstrap --by node lone.flt | cut -f 2,3 | sed -n '3,$p' | sort
