# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be compared is told, with the line where there is one.
flitgen -c 20 -w p.flt "$DATA/models/yates-rc1-8.model"
flitsim -w d.flt p.flt >/dev/null
cp "$SRC/tests/golden/messages.flt" .
printf 'class\tworm_MBps\nall\t1\nall\tmany\n' >word
printf 'class\tworm_MBps\nall\t1\t5\n' >wide
printf '# only remarks\n' >remarks
printf 'class\tworm_MBps\n' >none
printf 'class\tspeed\nall\t1\n' >other
for f in messages.flt word wide remarks none other; do
	flitcmp $f
	echo $?
done 2>&1
for o in '-c link_MBps' '-b nodes' '-a fft' '-w nodes=3' '-w nodes' '--accuracy 0' '--level 80'; do
	flitcmp $o d.flt
	echo $?
done 2>&1
flitcmp -c latency_us p.flt 2>&1
echo $?
# Nothing to compare is not equality.
printf 'class\tworm_MBps\nall\t1\n' >one
flitcmp --equal d.flt >out
echo $?
flitcmp --equal one one >out
echo $?
grep '^#.*one value' out
