# SPDX-License-Identifier: GPL-3.0-or-later
# Cables, hosts and switches that die, and bit errors: every packet that is lost has its reason, and a
# run gives the same bytes again.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 4
duration 20 ms
[worker data]
silence 1 ms
pulses 20
inter-pulse 20 us
size-mean 1000 B
size-variance 0 B^2
M
flitgen -w g.flt model
for f in '--fault link:host1-switch0.1@2ms..4ms' '--fault link:switch0.1-host1@2ms..4ms' '--fault host:host2@3ms..' \
	'--fault switch:switch0@..5ms' '--fabric myrinet:bit-errors=1e-6,seed=3' '--fabric myrinet:beat=10us,beat-misses=3 --fault host:host0@1ms..3ms'; do
	flitsim -q --net switch:4 --fabric myrinet:preset=george $f --format csv -w d.flt g.flt >out
	echo $?
	awk -F, '/^offered/ { getline; lost = $1 - $2 - $4 }
		/^queue/ { getline; print (lost > 0 && lost == $1 + $2 + $3 + $4 + $5 + $6 ? "every drop has its reason" : "?"),
			($9 > 0 ? $9 " times a cable was taken for lost" : "") }' out
	flitcut -T csv -f status,reason d.flt | sort -u
	flitsim -q --net switch:4 --fabric myrinet:preset=george $f --format csv -w again.flt g.flt >out && cmp d.flt again.flt
done
# What is no fault is told.
for f in link:host9-switch0.1@1ms.. host:host0 cable:host0@1s..2s host:host0@2s..1s host:host0@1s..x; do
	flitsim --fault $f g.flt 2>&1
	echo $?
done
flitsim --explain 100 --fabric myrinet:bit-errors=1 2>&1
echo $?
