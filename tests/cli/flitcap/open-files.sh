# SPDX-License-Identifier: GPL-3.0-or-later
# Captures that are merged are all open; beyond the limit of open files a plain sentence says so, and nothing is left.
zstd -dcq "$DATA/captures/rc-256-p2.pcap.zst" >rc.pcap
for i in $(seq 20); do set -- "$@" -r rc.pcap; done
ulimit -n 16
flitcap -q "$@" -w out.flt
echo "$? $(ls)"
once=$(flitcap -q -r rc.pcap | flitcut -T csv -f time | sed 1d | wc -l)
twice=$(flitcap -q -r rc.pcap -r rc.pcap | flitcut -T csv -f time | sed 1d | wc -l)
[ "$once" -gt 0 ] && echo $((twice - 2 * once))
