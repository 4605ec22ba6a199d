# SPDX-License-Identifier: GPL-3.0-or-later
# What was carried before the damage is told only where that is wanted; the status says it in both cases.
flitgen -t 3s -w g.flt "$DATA/models/yates-rc1-4.model"
head -c 3000 g.flt >cut.flt
flitsim -w out.flt cut.flt
echo $?
flitgen -t 60s -w g.flt "$DATA/models/yates-rc1-4.model"
head -c 70000 g.flt >cut.flt
flitsim --keep-going --format csv cut.flt | cut -d, -f1,2
flitsim --keep-going cut.flt >/dev/null
echo $?
