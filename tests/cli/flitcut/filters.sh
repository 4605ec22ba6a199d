# SPDX-License-Identifier: GPL-3.0-or-later
# Each filter alone: the ids of the records that pass.
packets=$SRC/tests/golden/packets.flt
deliveries=$SRC/tests/golden/deliveries.flt
ids() { echo "$* ->" $(flitcut -T csv -f id "$@" | tail -n +2); }
cd "$SRC/tests/golden" || exit 2
for args in '--src 10.0.0.1' '--src other' '--dst node-two' '--node node-two' '--node 10.0.0.1 --node node-two' \
	'--src 10.0.0.9' '--role controller' '--role worker' '--class data' '--class overhead' '--class none' \
	'--size 86' '--size 80..90' '--size 86..' '--size ..1kB' '--wire 100B..1514B' '--protocol tcp' \
	'--protocol 17' '--port 53' '--port 20001' '--port 1' '--after 1ms' '--before 1ms' '--after 1us' \
	'--before 1us' '--after 0.5us' '--after @866894401.75' '--before @866894401.75' '-c 2' '--last 2' \
	'--last 10' '--last 1 --class overhead' '-c 1 --class overhead' '--class data --port 53' \
	'--after -1s --before 1.000000001s'; do
	ids $args packets.flt
done
for args in '--status dropped' '--status delivered' '--status in_flight' '--reason queue' '--reason none' \
	'--src 10.0.0.1 --size 8KiB'; do
	ids $args deliveries.flt
done
for args in '--operation alltoall' '--operation send' '--size 256KiB' '--role controller'; do
	ids $args messages.flt
done
flitcut -T csv -f time --node other series.flt
flitcut -T csv -f time --node node-two series.flt
flitcut -T csv -f time --class none --size 1.. series.flt
flitcut -T csv -f time '--link=switch0.0>host0' links.flt
