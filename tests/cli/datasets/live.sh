# SPDX-License-Identifier: GPL-3.0-or-later
# Two small recordings, live: the kernel's bridge and tapswitch. Counts differ from run to run; that
# they agree with each other, and with flitcap beside tcpdump, is what `ok` says. The trace that flitcap
# wrote live has the packets and bytes that it reads from tcpdump's file. (Not the same nanoseconds: each
# of the two sockets stamps on its own.)
PATH=$PATH:/usr/sbin:/sbin
lack=$("$DATA/packages" -n record | tr '\n' ' ')
[ -z "$lack" ] || { echo "skipped: not installed: $lack" >&2; exit 77; }
export FLIT_NET=flitlive$$
ip netns add $FLIT_NET 2>/dev/null || { echo 'skipped: no right to make network namespaces' >&2; exit 77; }
ip netns exec $FLIT_NET true 2>/dev/null || unable=yes
ip netns del $FLIT_NET
[ -z "${unable:-}" ] || { echo "skipped: no right to enter network namespaces" >&2; exit 77; }
[ -e /etc/hosts ] || { echo 'skipped: no /etc/hosts that a namespace could have its own of' >&2; exit 77; }
[ -c /dev/net/tun ] || { echo 'skipped: no /dev/net/tun' >&2; exit 77; }

"$DATA/record" -k -o out try-64-p2 try-64-p4-tap | sed -E '/ok:|relative|again/s/[0-9.e-]+$/N/'
ls out
"$DATA/cluster/facts" out/try-64-p4-tap.pcap | cut -f1 | grep -cx "$(awk -F '\t' '/^try-64-p4/ { print $2 }' out/MANIFEST.tsv)"
flitcap -q -r out/try-64-p2.pcap -w again.flt
flitcount -b 1h --origin first out/try-64-p2.flt >live
flitcount -b 1h --origin first again.flt >read
cmp live read && echo 'the live trace counts as the file does'
ip netns list | grep -c "^$FLIT_NET" || :
"$DATA/record" no-such-recording 2>&1
