# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -t 1s -w g.flt "$DATA/models/yates-rc1-4.model"
flitsim g.flt g.flt
