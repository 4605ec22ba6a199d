# SPDX-License-Identifier: GPL-3.0-or-later
# With --keep-going what came before the damage is replayed, and the status still tells.
flitgen -c 4000 -w a.flt "$DATA/models/yates-rc1-4.model"
head -c 100000 a.flt >cut.flt
flitgen --keep-going --replay cut.flt -w b.flt 2>&1 | sed 's/offset.*bytes/offset .../'
flitgen --keep-going --replay cut.flt 2>/dev/null >b.flt
echo $?
flitcut -q -T csv b.flt | wc -l
