# SPDX-License-Identifier: GPL-3.0-or-later
. "$CASE/streams"
flitcat <a.flt | flitcut -T csv -f time,id
flitcat - <a.flt | flitcut -T csv -f time,id
flitcat a.flt - <c.flt | flitcut -T csv -f time,id
