# SPDX-License-Identifier: GPL-3.0-or-later
# The packets of a seed are what they have been since these families came, however they are made.
hash() { flitinfo --json | sed -n 's/.*"records": \([0-9]*\).*"body_hash": "\([^"]*\)".*/\1 \2/p'; }
for n in 2 8 128; do
	flitgen -n $n -c 20000 "$DATA/models/yates-rc1-8.model" | hash
done
sed 's/^destinations.*/destinations by-role/; s/^silence-from.*/silence-from burst-start/' "$DATA/models/yates-vrb-16.model" |
	flitgen -s 7 -c 20000 | hash
flitgen -s 7 -c 20000 -t 10s "$DATA/models/load.model" | hash
flitgen -s 7 -c 20000 -t 10s -n 7 --set arrivals=uniform --set 'size=1 B .. 999 B' --set destinations=hot-spot "$DATA/models/load.model" | hash
flitgen -s 7 -c 20000 "$DATA/models/on-off.model" | hash
