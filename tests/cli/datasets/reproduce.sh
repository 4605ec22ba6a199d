# SPDX-License-Identifier: GPL-3.0-or-later
# A quick experiment comes out twice with the same bytes, as a page that is XML; all of them in the long tests.
for tool in gnuplot xmllint; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
mkdir first second
[ -n "${FLIT_LONG-}" ] && set -- || set -- adapters
for time in first second; do
	sh "$DATA/reproduce" -o $time "$@" 2>$time.said
	[ $? -lt 2 ] || { cat $time.said; exit 1; }
done
diff -r first second && xmllint --noout first/reproduction.html && ls first
grep -c '^Y-T17.*holds' first/reproduction.tsv
sh "$DATA/reproduce" -s 1 2>&1
sh "$DATA/reproduce" no-such 2>&1
