# SPDX-License-Identifier: GPL-3.0-or-later
cp "$DATA/models/yates-rc1-2.model" "$DATA/models/yates-rc1-4.model" .
m=.
try() { "$@" >out 2>err; echo "$?: $(sed 's/offset [1-9][0-9]*: .*/offset .../' err)"; }
: >empty
printf 'text\n' >text
flitgen -c 1 -w one.flt "$m/yates-rc1-4.model"
flitgen -c 4000 -w a.flt "$m/yates-rc1-4.model"
head -c 100000 a.flt >cut.flt
flitcount -q a.flt --format csv >counts
try flitfit </dev/null
try flitfit empty
try flitfit text
try flitfit missing
try flitfit one.flt
try flitfit cut.flt
try flitfit -o cut.model --keep-going cut.flt
head -n 1 cut.model
try flitfit a.flt a.flt
try flitfit --level 1 a.flt
try flitfit --window 0s a.flt
try flitfit --method guess a.flt
try flitfit --scale 16 "$m/yates-rc1-2.model"
try flitfit --scale 16 --rule published "$m/yates-rc1-4.model" "$m/yates-rc1-2.model"
try flitfit --scale 12 --rule published "$m/yates-rc1-2.model" "$m/yates-rc1-4.model"
try flitfit --scale 0 --rule published "$m/yates-rc1-2.model" "$m/yates-rc1-4.model"
try flitfit --scale 16 a.flt "$m/yates-rc1-4.model"
try flitfit -o nowhere/x.model a.flt
# Too few to fit to: no packet, one, all of one tick where halves are wanted; and a family by groups that it does not know.
printf '!flitline-text\t1\n!kind\tpacket\n!ticks_per_s\t1000\n!node\t0\tunknown\ta\n!node\t1\tunknown\tb\n' >head
printf '!fields\ttime_s\tsrc\tdst\tpayload_B\n' >>head
{ cat head; printf '!end\t0\n'; } | flitcut --from-text -w none.flt
{ cat head; for i in $(seq 200); do printf '1\ta\tb\t9\n'; done; printf '!end\t200\n'; } | flitcut --from-text -w tick.flt
try flitfit none.flt
try flitfit -f poisson none.flt
try flitfit -f poisson one.flt
try flitfit -q --rank tick.flt
try flitfit -f on-off --by pair a.flt
