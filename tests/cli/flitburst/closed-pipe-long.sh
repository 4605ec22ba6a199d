# SPDX-License-Identifier: GPL-3.0-or-later
# Nobody reads the output any more, which is longer than what is held back: no message, status 2.
flitgen -q -n 8 -c 20000 -w a.flt "$DATA/models/yates-rc1-8.model"
mkfifo pipe
(exec 4<pipe) &
exec 3>pipe
wait
flitburst --by pair --points a.flt >&3
echo $?
flitburst --every 10ms --by node --points a.flt >&3
echo $?
flitburst --by pair --points a.flt | wc -c | awk '{ print ($1 > 70000 ? "long" : $1) }'
