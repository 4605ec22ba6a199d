# SPDX-License-Identifier: GPL-3.0-or-later
# The three outcomes of the visual test and the t test. Ten runs each with deviation sqrt(10): 90 % intervals are
# 1.8331 to each side, that of a difference 2.4391.
runs() { # NAME MEAN
	echo v >"$1.runs"
	for x in -5 -4 -2 -1 -1 1 1 2 4 5; do awk "BEGIN { printf \"%.6f\n\", $2 + $x * sqrt(90 / 94) }"; done >>"$1.runs"
}
runs a 100
runs far 103.67
runs near 101.83
runs less 102.43
runs more 102.45
sed -i 's/^/g\t/' *.runs
sed -i '1s/.*/g\tv/' *.runs
flitcmp -c v -b g a.runs far.runs near.runs less.runs more.runs | awk '/^g\ta\t/ && NF > 7 { print $3, $4, $5, $8 - $7 }'
for other in far near less more; do
	flitcmp --equal -c v -b g a.runs $other.runs >/dev/null
	echo $other $?
done
flitcmp --equal --level 99 -c v -b g a.runs more.runs >/dev/null && echo same at 99
flitcmp --lower -c v -b g a.runs far.runs | awk '/disjoint/ && $1 == "g" { print $4 }'
