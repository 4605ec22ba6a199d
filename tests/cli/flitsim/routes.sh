# SPDX-License-Identifier: GPL-3.0-or-later
# Routes by rule and by file carry the same worms; ways that differ in length differ in time.
flitgen -n 5 -c 400 -w in.flt "$DATA/models/yates-rc1-4.model"
flitroute -q -n ring:5 -o ring.routes updown >tables
flitsim -q -n ring:5 --routes updown -w rule.flt in.flt >rule
flitsim -q -n ring:5 --routes ring.routes -w file.flt in.flt >file
cmp rule file && echo same
flitsim -q -n ring:5 --routes shortest in.flt >shortest
cmp -s rule shortest || echo another
flitsim -n ring:5 --routes nowhere in.flt
echo $?
flitsim -n ring:6 --routes ring.routes in.flt
echo $?
