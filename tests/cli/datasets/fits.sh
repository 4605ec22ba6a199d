# SPDX-License-Identifier: GPL-3.0-or-later
# The model chosen for a capture carries as the capture does, Poisson traffic of its rate does not; all captures in the long tests.
for tool in gnuplot xmllint; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
sh "$DATA/fits" -o made -s 2 rc-256-p2 2>said
echo "$?"
sed -n 's/.*\(bootstrap: within[^,]*\),.*/\1/p' said
grep '^# poisson' made/rc-256-p2.tsv | cut -d , -f 1
# The program's mean latency is near everywhere.
awk -F '\t' '$3 == "program" { n++; near += ($7 >= -15 && $7 <= 15) } END { print near " of " n }' made/rc-256-p2.tsv
# Two nodes that take turns lose nothing when their turns are shifted; when sizes are dealt anew they do.
sed -n 's/^# \(shifted-nodes\|dealt-sizes\).* in \([0-9]\) of 9.*/\1 \2/p' made/rc-256-p2.tsv
xmllint --noout made/rc-256-p2.html && grep -c 'Latency over networks\|Families, the best first' made/rc-256-p2.html
# All captures: the bootstrap holds but for FFTW's, and the programs of the six on links of 640 Mb/s in three of four cases.
[ -z "${FLIT_LONG-}" ] || {
	sh "$DATA/fits" -o made 2>&1 >/dev/null | grep 'bootstrap: within' | grep -v ' in 9 of 9,\|fftw'
	cat made/rc-256-p[248].tsv made/vr-256-p[248].tsv |
		awk -F '\t' '$3 == "program" { n += $12 == "yes" } END { if (n < 40) print "programs hold in " n " of 54" }'
} >&2
sh "$DATA/fits" no-such 2>&1
