# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -w a.flt "$DATA/models/yates-rc1-4.model"
flitfit a.flt >/dev/full
echo $?
flitfit -o /dev/full a.flt
echo $?
