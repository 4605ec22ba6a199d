# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -t 3s -w g.flt "$DATA/models/yates-rc1-4.model"
flitsim g.flt >/dev/full
echo $?
flitsim -w /dev/full g.flt
echo $?
flitsim --links /dev/full g.flt
echo $?
flitsim --explain 100 >/dev/full
echo $?
