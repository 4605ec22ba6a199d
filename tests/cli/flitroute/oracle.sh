# SPDX-License-Identifier: GPL-3.0-or-later
# What Myricom's simple_routes made: the numbers of channel-load-bounds.csv come out, and there is no deadlock.
oracle=$SRC/../shared/data/myrinet-routes
[ -f "$oracle/README.md" ] || { echo 'skipped: ../shared/data/myrinet-routes is not here' >&2; exit 77; }
for map in iceberg irr8_1 irr16_1 irr32_1; do
	flitroute -n "$oracle/$map.map" "$oracle/$map.routes" >out || echo "$map: status $?"
	tail -n 1 out | awk -F '\t' -v map=$map '{
		printf "%s,%d,%d,%.4f,%d,%.4f,%.3f\n", map, $2, $1, $6, $9, $11, $10 }' >ours
	awk -F , -v OFS=, -v map=$map '$1 == map { print $1, $2, $3, $4, $5, $6, $8 }' \
		"$oracle/channel-load-bounds.csv" | tr -d "\r" | diff - ours && echo "$map as published"
done
