# SPDX-License-Identifier: GPL-3.0-or-later
# Counts alone: a process is found again, and told from a simpler one, from bins that hide its packets' times.
printf '%s\n' 'flitline-model 1' 'family mmpp' 'nodes 4' 'duration 60 s' '[network data]' 'state 5000 packets/s for 100 ms' \
	'state 500 packets/s for 200 ms' 'size 100 B' >true.model
flitgen --counts 1ms -w counts.flt true.model
flitfit -q -f mmpp counts.flt | sed -n '/^# Of counts/p; /^family/p; /^state/p; /^size/p'
flitfit -q --rank -f poisson -f mmpp -f bootstrap --replicates 5 counts.flt | cut -f 1-3,19 | sed '/^1/s/none.*/.../; /^2/s/loses.*/.../'
# No bin of a fit is narrower than those of the counts.
flitgen --counts 50ms true.model | flitfit -q -f cascade | sed -n '/^finest/p'
# A series is counts of the network, of one width.
try() { "$@" 2>&1 >out; echo "$?"; }
try flitfit counts.flt
try flitfit -f poisson --by node counts.flt
try flitfit -f on-off counts.flt
try flitfit --max-packets 1000 -f poisson counts.flt
flitgen -t 1s true.model | flitcount -q -b 1ms,10ms -w two.flt >out
try flitfit -f poisson two.flt
