# SPDX-License-Identifier: GPL-3.0-or-later
# What a kind does not have, and what is no number, word or field.
cd "$SRC/tests/golden" || exit 2
for args in '--status dropped' '--operation send' '-T csv -f time,tag' '--size 5x' '--size 9..8' '--size 0.5B' \
	'--after soon' '--after @1e300' '--protocol none' '--port 4294967296' '--class big' '-f time' '-T pcap -f time' \
	'-c 1 --last 1' '-T csv -f time,,id'; do
	flitcut $args packets.flt >/dev/null
	echo $?
done
for args in '--port 5' '--src a' '-T pcap' '--wire 1..'; do
	flitcut $args series.flt >/dev/null
	echo $?
done
