# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -t 1s "$DATA/models/yates-rc1-4.model" | sed '1s/^\(.FLT\)/\1/' >g.flt
printf '\377' | dd of=g.flt bs=1 seek=8 conv=notrunc 2>/dev/null
flitsim g.flt
