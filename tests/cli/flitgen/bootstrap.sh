# SPDX-License-Identifier: GPL-3.0-or-later
# Episodes come again whole, as often as one another, after silences of the trace; blocks keep its rate, sizes and nodes.
tab=$(printf '\t')
sed "s/ /$tab/g" >hand.txt <<'END'
!flitline-text 1
!kind packet
!ticks_per_s 1000000
!origin 7 0
!node 0 controller boss
!node 1 worker hand
!fields time_s src dst payload_B
5.000001 boss hand 1
5.000003 hand boss 2
5.000007 boss hand 3
6.000000 hand boss 10
6.000005 hand boss 11
6.250000 boss hand 20
!end 6
END
flitcut --from-text -w hand.flt hand.txt
model() { printf 'flitline-model 1\nfamily bootstrap\ntrace %s\n' "$1"; shift; printf '%s\n' "$@"; }
model hand.flt 'episode-gap 100 ms' >episodes.model
flitgen -e episodes.model
flitgen -t 600s -w e.flt episodes.model
flitgen -t 600s episodes.model | cmp - e.flt && echo same
flitinfo e.flt | awk -F '\t' '$3 == "boss" || $3 == "hand"'
# Gaps in us: within episodes those of the trace, between them .999993 and .249995 s.
flitcut -T csv -f time,payload e.flt | tail -n +2 | awk -F , '
	NR > 1 { gap = sprintf("%.0f", ($1 - before) * 1e6); pair[size ">" $2 " " gap]++ }
	{ before = $1; size = $2; count[$2]++ }
	END {
		for (p in pair) print p | "sort"
		close("sort")
		print count[1] == count[3] && count[10] - count[11] <= 1 ? "whole" : "torn"
		print (count[1] - count[20]) ^ 2 < 16 * count[1] ? "alike" : "not alike"
	}'
flitgen -w many.flt -t 50s "$DATA/models/poisson.model"
model many.flt 'block 500 ms' 'duration 200 s' >blocks.model
flitgen -e blocks.model
flitgen blocks.model | flitstat -q | sed -n 2,4p | cut -f 1,2
model many.flt 'from 1 s' 'to 2 s' 'block 100 ms' | flitgen | flitinfo -q | awk -F '\t' 'NR == 2 { print ($7 < 1.01 && $7 > .9) }'
for model in 'block 1 ns' 'episode-gap 1 h' 'block 1 s
episode-gap 1 s' '' 'from 1 h
block 1 s' '[x]'; do
	model many.flt "$model" | flitgen -w refused.flt
done
model absent.flt 'block 1 s' | flitgen
model blocks.model 'block 1 s' | flitgen
model - 'block 1 s' | flitgen
head -c 30000 many.flt >cut.flt
model cut.flt 'block 1 s' | flitgen
flitgen -n 3 episodes.model
# The fit tells episodes from blocks, and a half of a trace from the whole.
flitfit -q -f bootstrap e.flt | grep -v '^#'
flitfit -q -f bootstrap many.flt | grep -v '^#'
flitfit -q -f bootstrap <many.flt
flitfit -q -f all --rank many.flt | awk -F '\t' '$2 == "poisson" || $2 == "bootstrap" { print $2, $16 }'
