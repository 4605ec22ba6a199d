# SPDX-License-Identifier: GPL-3.0-or-later
# Quick experiments come out twice with the same bytes, as a page that is XML, in a folder that is made; all of them in the long
# tests.
for tool in gnuplot xmllint; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
[ -n "${FLIT_LONG-}" ] && set -- || set -- adapters switch networks scaling comparison overhead
for time in first second; do
	sh "$DATA/reproduce" -o made/$time "$@" 2>$time.said
	[ $? -lt 2 ] || { cat $time.said; exit 1; }
done
diff -r made/first made/second && xmllint --noout made/first/reproduction.html && ls made/first
for test in Y-T17 Y-T10 Y-T12 Y-T14 Y-T5 Y-T21; do
	grep -c "^$test	.*	holds	" made/first/reproduction.tsv
done
sh "$DATA/reproduce" -s 1 2>&1
sh "$DATA/reproduce" no-such 2>&1
