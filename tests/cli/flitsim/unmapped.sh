# SPDX-License-Identifier: GPL-3.0-or-later
# Eight nodes, a switch of four.
flitgen -t 3s -w g.flt "$DATA/models/yates-rc1-8.model"
flitsim --net switch:4 -w out.flt g.flt
echo $?
flitsim --net switch:4 --ignore-unmapped -w out.flt --format csv g.flt |
	awk -F, 'p { print ($1 == $2 + $3), ($3 > 0) } { p = /^offered/ }'
flitcut -T csv -f status,reason out.flt | sort | uniq -c
