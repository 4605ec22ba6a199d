# SPDX-License-Identifier: GPL-3.0-or-later
# Names, flows and times of a real capture stay (its counts of frames may stand elsewhere).
flitcap -q -r "$DATA/captures/rc-256-p2.pcap.zst" -w a.flt
flitgen --replay a.flt -w b.flt
for f in a b; do flitcut -T text $f.flt | grep -Ev '^!(made|note|counter)' >$f; done
cmp a b && wc -l <a | awk '{ print ($1 > 6000) }'
