# SPDX-License-Identifier: GPL-3.0-or-later
# A drawing coloured by a run: the legend ends with the busiest link's share, which is that of the samples.
flitgen -n 8 -t 300ms "$DATA/models/yates-rc1-8.model" >in.flt
flitsim -q -n ring:8 --links l.flt in.flt >all
flitnet --svg --links l.flt -o net.svg ring:8
grep -o '<text class="h"[^>]*>\(idle\|&#8804;[^<]*\)' net.svg | sed 's/.*>//' | tail -n 1
flitcut -T csv -f time,width,link,busy l.flt | awk -F, 'NR > 1 {
	if (!low || $1 < low) low = $1
	if ($1 + $2 > high) high = $1 + $2
	busy[$3] += $4
} END {
	for (l in busy) if (busy[l] > most) most = busy[l]
	printf "%.3g %%\n", 100 * most / (high - low)
}'
grep -c 'class="w w[0-6]"' net.svg
grep -c '<title>\(sends\|gets\) ' net.svg
! command -v xmllint >/dev/null || xmllint --noout net.svg
# What does not fit.
for args in '--svg --links l.flt ring:7' '--svg --links l.flt torus:4x2' '--svg --links in.flt ring:8' \
	'--svg --links none ring:8' '--links l.flt ring:8' '--dot --svg ring:8'; do
	# The words of each are meant to be split.
	flitnet -o never.svg $args 2>&1
	echo $?
done
flitsim -q -n ring:8 --links l.flt in.flt >all
head -c 3000 l.flt >cut.flt
flitnet --svg --links cut.flt -o never.svg ring:8
echo $?
[ ! -e never.svg ] || echo 'a drawing is left'
