# SPDX-License-Identifier: GPL-3.0-or-later
# --counts writes what flitcount makes of the packets, also where an end is asked for.
body() { flitinfo --json | sed -n 's/.*"kind": "\([a-z]*\)", "records": \([0-9]*\).*"body_hash": "\([^"]*\)".*/\1 \2 \3/p'; }
for model in yates-rc1-8 load on-off client-server; do
	for ends in '' '-c 1000' '--until-bytes 50kB' '-n 16'; do
		for width in 1ms 333us; do
			flitgen $ends --counts $width "$DATA/models/$model.model" | body >counts
			flitgen $ends "$DATA/models/$model.model" | flitcount -b $width -w - | body >counted
			cmp counts counted
		done
	done
done
cat counts
flitgen -t 4ms --set arrivals=constant --counts 1ms "$DATA/models/load.model" | flitcut -T csv -f time,width,count,bytes
for bad in 0 0.3ns; do
	flitgen --counts $bad "$DATA/models/load.model"
done
flitgen -t 1us "$DATA/models/load.model" >trace
flitgen --replay trace --counts 1ms
