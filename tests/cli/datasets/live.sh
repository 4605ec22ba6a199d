# SPDX-License-Identifier: GPL-3.0-or-later
# Two small recordings, live: the kernel's bridge and tapswitch. Counts differ from run to run; that
# they agree with each other is what `ok` says.
PATH=$PATH:/usr/sbin:/sbin
lack=$("$DATA/packages" -n record | tr '\n' ' ')
[ -z "$lack" ] || { echo "skipped: not installed: $lack" >&2; exit 77; }
probe=flitprobe$$
ip netns add $probe 2>/dev/null || { echo 'skipped: no right to make network namespaces' >&2; exit 77; }
ip netns del $probe
[ -c /dev/net/tun ] || { echo 'skipped: no /dev/net/tun' >&2; exit 77; }

FLITCAP= "$DATA/record" -k -o out try-64-p2 try-64-p4-tap | sed -E '/^flitcap is not/d; /ok:|relative/s/[0-9.e-]+$/N/'
ls out
"$DATA/cluster/facts" out/try-64-p4-tap.pcap | cut -f1 | grep -cx "$(awk -F '\t' '/^try-64-p4/ { print $2 }' out/MANIFEST.tsv)"
# Namespaces whose recorder is gone; another recording on the same machine may be at work.
ip netns list | sed -n 's/^flit\([0-9]*\)-.*/\1/p' | while read -r pid; do kill -0 "$pid" 2>/dev/null || echo left; done | grep -c left || :
"$DATA/record" no-such-recording 2>&1
