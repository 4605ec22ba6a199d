# SPDX-License-Identifier: GPL-3.0-or-later
flitmodel -s 0
flitmodel -s 4x
flitmodel -N 0
flitmodel -n nothing:3
flitgen -n 2 -c 5 $DATA/models/yates-rc1-2.model >packets.flt
flitmodel packets.flt
