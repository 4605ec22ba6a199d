# SPDX-License-Identifier: GPL-3.0-or-later
# Only packets are carried.
flitgen -t 1s -w g.flt "$DATA/models/yates-rc1-4.model"
flitsim -q -w out.flt g.flt >/dev/null
flitsim out.flt
