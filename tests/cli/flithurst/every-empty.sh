# SPDX-License-Identifier: GPL-3.0-or-later
# A report at the end also of nothing, and of less than a method needs; what does not go with --every.
flitgen -q -n 2 -t 1s -c 1 --load 1Mb/s -w one.flt "$DATA/models/load.model"
flitcut -q --before 1ns -w none.flt one.flt
flithurst --every 1s none.flt
flithurst --every 1s one.flt
flithurst --every 1s --multiscale one.flt
echo $?
flithurst -a -c 2 one.flt
echo $?
