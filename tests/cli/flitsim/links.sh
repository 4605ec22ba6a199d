# SPDX-License-Identifier: GPL-3.0-or-later
# Samples of the 16 links of an 8-port switch; their characters add up to the books'.
flitgen -t 2s -w g.flt "$DATA/models/yates-rc1-8.model"
flitsim --links l.flt --interval 500ms --format csv g.flt | awk -F, 'p { print $9 } { p = /^offered/ }'
flitcut -T csv -f time,link,characters l.flt | awk -F, 'NR > 1 { s += $3 } END { print s, (NR - 1) % 16 }'
flitcut -T csv -f time,width,link,occupancy_peak --last 17 l.flt
