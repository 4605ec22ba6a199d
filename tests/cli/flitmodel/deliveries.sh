# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -n 8 -c 20000 --seed 3 --load 0.2 "$DATA/models/load.model" 2>/dev/null >load.flt || flitgen -n 8 -c 20000 $DATA/models/yates-rc1-8.model >load.flt
flitsim -w out.flt load.flt >/dev/null
flitmodel out.flt
flitcat out.flt | flitmodel --json - | head -c 200
