# SPDX-License-Identifier: GPL-3.0-or-later
# Addresses, ports and payloads of TCP and UDP are those that tcpdump prints.
command -v tcpdump >/dev/null || { echo 'skipped: tcpdump is not installed' >&2; exit 77; }
PATH=$PATH:/usr/sbin
for name in pcap-ns-le pcap-snap-96 link-sll2 link-null link-ipv6; do
	"$BUILD/tests/make-captures" make $name >a.pcap
	tcpdump -nn -tt -r a.pcap 'ip proto 6 or ip6 proto 6' 2>/dev/null |
		sed -n 's/^\([0-9.]*\) .*IP6* \([^ ]*\)\.\([0-9]*\) > \([^ ]*\)\.\([0-9]*\): Flags.* length \([0-9]*\).*/\2 \3 \4 \5 \6/p' |
		sort >theirs
	flitcap -q -r a.pcap 'ip proto 6 or ip6 proto 6' |
		flitcut -T csv -f flow,payload | sed -n 's|^\([^>]*\)>\([^/]*\)/tcp/\([0-9]*\)-\([0-9]*\),|\1 \3 \2 \4 |p' |
		sort >ours
	diff theirs ours >/dev/null && [ -s ours ] && echo $name || diff theirs ours | head -5
done
