# SPDX-License-Identifier: GPL-3.0-or-later
# The bins of a series stream are those of the trace, without its partial ends. Bins of several widths need a choice.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -w vr.flt
flitcount -q -b 10ms,20ms -w two.flt vr.flt >tables
flithurst two.flt
echo $?
flithurst -b 20ms two.flt | sed -n '/^# series/{n;n;p;}'
sed -n 4p tables | cut -f 2
flithurst -b 20ms vr.flt | sed -n '/^# series/{n;n;p;}'
sed -n 4p tables | cut -f 5-7
flithurst -b 20ms --of bytes vr.flt | sed -n '/^# series/{n;n;p;}'
sed -n 4p tables | cut -f 11,12
