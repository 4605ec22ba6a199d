# SPDX-License-Identifier: GPL-3.0-or-later
# Each kind of shuffle takes away what it says and keeps all else; the seed decides.
flitgen -t 2s -w own.flt "$DATA/models/on-off.model"

# What a trace has of the fields $1, in whatever order; and the gaps of each group of the fields $1.
has() {
	flitcut -T text -f "$1" | grep -v '^[!#]' | sort
}
gaps() {
	flitcut -T text -f "time,$1" | awk '/^[!#]/ { next } { g = $2 " " $3; printf "%s %.0f\n", g, 1e9 * ($1 - t[g]); t[g] = $1 }' | sort
}
kept() {
	for fields in time,src src,dst,payload,wire,class src,dst src,payload,wire,class time,payload; do
		has $fields <own.flt >before
		has $fields <"$1.flt" >after
		! cmp -s before after || printf ' %s' $fields
	done
	for group in src src,class; do
		gaps $group <own.flt >before
		gaps $group <"$1.flt" >after
		! cmp -s before after || printf ' gaps:%s' $group
	done
	echo
}
for kind in shifted-nodes shifted-pairs dealt-destinations dealt-sizes dealt-trains dealt-gaps dealt-class-gaps; do
	sh "$DATA/shuffle" $kind 1 own.flt >$kind.flt
	sh "$DATA/shuffle" $kind 1 own.flt | cmp - $kind.flt
	sh "$DATA/shuffle" $kind 2 own.flt >other.flt
	! cmp -s other.flt $kind.flt || echo "$kind: seeds do not count"
	printf '%s keeps' $kind
	kept $kind
done
# Each node's packets later by one time, past the end from the start on.
has time,src <own.flt | awk '$2 == "node1" { t[++n] = $1 } END { for (i = 1; i < n; i++) printf "%.9f\n", t[i + 1] - t[i] }' | sort >before
has time,src <shifted-nodes.flt | awk '$2 == "node1" { t[++n] = $1 } END { for (i = 1; i < n; i++) printf "%.9f\n", t[i + 1] - t[i] }' | sort >after
comm -13 before after | wc -l
sh "$DATA/shuffle" dealt-gaps 1
echo $?
sh "$DATA/shuffle" none 1 own.flt
sh "$DATA/shuffle" dealt-gaps x own.flt
sh "$DATA/shuffle" dealt-gaps 1 no-such.flt >out
echo $?
