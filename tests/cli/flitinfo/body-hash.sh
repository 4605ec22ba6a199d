# SPDX-License-Identifier: GPL-3.0-or-later
# The body hash tells what a stream says and nothing of how it is stored or was made.
hash() { flitinfo --json "$@" | sed -n 's/.*"body_hash": "\([0-9a-f]*\)".*/\1/p'; }
for kind in packets deliveries messages series links; do
	in=$SRC/tests/golden/$kind.flt
	first=$(hash "$in")
	for way in '' -z -U '-z -U'; do
		other=$(flitcat $way "$in" | hash)
		[ "$first" = "$other" ] || echo "$kind flitcat $way: $other, expected $first"
		other=$(flitcut $way "$in" | hash)
		[ "$first" = "$other" ] || echo "$kind flitcut $way: $other, expected $first"
	done
	other=$(flitcut -T text "$in" | flitcut --from-text | hash)
	[ "$first" = "$other" ] || echo "$kind text: $other, expected $first"
	echo "$kind $first"
done
# A record less, and another name, are another body.
[ "$(flitcut -c 2 "$SRC/tests/golden/packets.flt" | hash)" = "$(hash "$SRC/tests/golden/packets.flt")" ] && echo same
[ "$(flitcut -T text "$SRC/tests/golden/packets.flt" | sed 's/node-two/node-three/g' |
	flitcut --from-text | hash)" = "$(hash "$SRC/tests/golden/packets.flt")" ] && echo same
true
