# SPDX-License-Identifier: GPL-3.0-or-later
# Hosts whose adapter memories are full of worms for each other starve. A timeout breaks that: every
# packet is delivered, or dropped and told of; or sent again, and all are delivered.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 2
duration 20 ms
[worker data]
silence 1 ms
pulses 4
inter-pulse 1 us
size-mean 8192 B
size-variance 0 B^2
M
flitgen -w g.flt model
flitsim --engine reference --fabric myrinet:sram=8274 -q g.flt >out
echo $?
for on in drop resend; do
	flitsim --engine reference --fabric myrinet:sram=8274,timeout=1ms,timeout-from=blocked,on-timeout=$on --format csv -w d.flt g.flt >out
	echo $?
	# offered; delivered; and the table of what was lost
	awk -F, '/^offered/ { getline; print ($1 == $2 ? "all delivered" : "not all"), $4 " in flight"; o = $1 - $2 }
		/^queue/ { getline; print ($3 == o ? "every drop has its reason" : "?"), ($7 > 0 ? "resent" : "not resent") }' out
	flitcut -T csv -f status,reason d.flt | sort -u
done
