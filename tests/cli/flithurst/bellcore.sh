# SPDX-License-Identifier: GPL-3.0-or-later
# BC-pAug89, counts per bin of 10 ms, 100 ms and 1 s: independent implementations give .826, .833, .819 by aggregated
# variance over 10 .. n/10, and .790, .781, .779 by R/S, whose scales there are not known.
zip=$SRC/../shared/data/bellcore/BCAUG89.zip
[ -f "$zip" ] || { echo 'skipped: the Bellcore trace is not here' >&2; exit 77; }
command -v unzip >/dev/null || { echo 'skipped: unzip is not installed' >&2; exit 77; }
unzip -p "$zip" S.txt >gaps
check() {
	awk -v bin=$1 '{ t += $1; i = int(t / bin); for (; n < i; n++) { print c + 0; c = 0 } c++ }' gaps >counts
	n=$(wc -l <counts)
	flithurst --scale-min 10 --scale-max $((n / 10)) counts | awk -v bin=$1 -v variance=$2 -v range=$3 '
		function near(a, b, error) { return a - b < error && b - a < error }
		$2 == "aggvar" { print bin, $2, near($3, variance, .001) ? "as known" : $3 }
		$2 == "rs" { print bin, $2, near($3, range, .015) ? "as known" : $3 }'
}
check .01 .826 .790
check .1 .833 .781
check 1 .819 .779
