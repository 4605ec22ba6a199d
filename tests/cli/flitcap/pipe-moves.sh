# SPDX-License-Identifier: GPL-3.0-or-later
# From a pipe that pauses, packets come out after a second, not at the end.
mkfifo in out
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
flitcap -q -r in >out &
cat out >seen &
exec 3>in
head -c 10000 a.pcap >&3
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	sleep 0.25
	[ ! -s seen ] || break
done
[ -s seen ] && echo moved
tail -c +10001 a.pcap >&3
exec 3>&-
wait
flitcap -q -r a.pcap | flitcut -T csv >whole
flitcut -T csv seen | cmp - whole && echo whole
