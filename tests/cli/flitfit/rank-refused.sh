# SPDX-License-Identifier: GPL-3.0-or-later
try() { "$@" >out 2>err; echo "$?: $(cat err)"; }
flitgen -c 4000 -w a.flt "$DATA/models/yates-rc1-4.model"
flitgen -c 60 -w few.flt "$DATA/models/yates-rc1-4.model"
head -c 100000 a.flt >cut.flt
: >empty
try flitfit -f no-such-family a.flt 2>&1 | sed 's/there are all.*/there are all .../'
try flitfit --rank --max-packets 100 a.flt
try flitfit --rank --replicates 1 a.flt
try flitfit --rank few.flt
try flitfit -f poisson few.flt
try flitfit --by node a.flt
try flitfit -f pulse-train --by node a.flt
try flitfit --rank empty
try flitfit --rank cut.flt 2>&1 | sed 's/offset [1-9][0-9]*: .*/offset .../'
try flitfit --rank -f poisson --keep-going cut.flt 2>&1 | sed 's/offset [1-9][0-9]*: .*/offset .../'
flitfit --rank -f poisson a.flt >/dev/full
echo "full: $?"
flitfit --rank -f poisson -o /dev/full a.flt >/dev/null
echo "full: $?"
flitfit -f poisson -f pulse-train a.flt | head -n 1
flitfit --rank --write-all empty a.flt >/dev/null
echo "no folder: $?"
