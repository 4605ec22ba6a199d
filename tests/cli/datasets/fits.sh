# SPDX-License-Identifier: GPL-3.0-or-later
# The model chosen for a capture carries as the capture does, Poisson traffic of its rate does not; all captures in the long tests.
for tool in gnuplot xmllint; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
sh "$DATA/fits" -o made -s 3 rc-256-p2 2>said
echo "$?"
cut -d ';' -f 1 said
grep -c '^#.*: within 10 % .* in 0 of 9' made/rc-256-p2.tsv
xmllint --noout made/rc-256-p2.html && grep -c 'Latency over networks\|Families, the best first' made/rc-256-p2.html
[ -z "${FLIT_LONG-}" ] || { sh "$DATA/fits" -o made 2>&1 >/dev/null | grep -v ': bootstrap: within 10 % in mean and 99th percentile in 9 of 9;\|fftw'; } >&2
sh "$DATA/fits" no-such 2>&1
