# SPDX-License-Identifier: GPL-3.0-or-later
# Reports while a trace comes, at the same times and with the same numbers from a file, a pipe, or text; the last one tells of
# all, as the whole series does but for where windows begin.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -w vr.flt
flithurst --every 10s vr.flt >file
cat file
flithurst --every 10s <vr.flt | sed 's/^-/vr.flt/; s/^# -/# vr.flt/' | cmp - file && echo same from a pipe
origin=$(flitinfo vr.flt | awk -F '\t' 'NR == 2 { print int($9) }')
flitcut -T csv -f time,wire vr.flt | sed 1d | awk -F '[.,]' '{ print '$origin' + $1 "." $2, $3 }' >text
flithurst -a --every 10s text | sed 's/^text/vr.flt/; s/^# text/# vr.flt/' | cmp - file && echo same from a text
flithurst --every 1h --points -m haar -b 1ms vr.flt | sed -n '/^# sums/,/^$/p' | tail -n 4
flithurst --every 1s --json vr.flt | grep -c '"flithurst"'
flithurst --every 15ms vr.flt
echo $?
flithurst --every 1s -m rs vr.flt
echo $?
seq 10 | flithurst --every 1s
