# SPDX-License-Identifier: GPL-3.0-or-later
# Every capture: the counters of the trace are what the maker of the captures knows of them.
"$BUILD/tests/make-captures" facts >facts
while read -r name frames bytes decoded payload lost first last damaged; do
	"$BUILD/tests/make-captures" make "$name" >a.pcap
	flitcap -q -r a.pcap -w a.flt 2>err
	status=$?
	if [ "$damaged" = 1 ]; then
		[ $status = 2 ] && grep -q 'a.pcap: .*offset' err || echo "$name: status $status: $(cat err)"
		continue
	fi
	flitinfo --json a.flt >info
	counter() { sed -n "s/.*\"counter\": \"$1\", \"value\": \([0-9]*\).*/\1/p" info; }
	found="$(counter frames) $(counter wire_bytes) $(counter first_ns | grep . || echo 0)"
	found="$found $(counter last_ns | grep . || echo 0)"
	found="$found $(sed -n 's/.*"records": \([0-9]*\).*"lost": \([0-9]*\|null\).*/\1 \2/p' info | head -n 1)"
	[ "$lost" != 0 ] || found=${found% *}' 0'
	made="$frames $bytes $first $last $decoded $lost"
	[ "$found" = "$made" ] || echo "$name: $found, not $made"
	sum=$(flitcut -T csv -f payload a.flt | awk '{ sum += $1 } END { print sum + 0 }')
	[ "$sum" = "$payload" ] || echo "$name: payload $sum, not $payload"
done <facts
wc -l <facts
