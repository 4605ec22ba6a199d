# SPDX-License-Identifier: GPL-3.0-or-later
# Nobody reads the output any more when it is written: no message, status 2.
mkfifo pipe
(exec 4<pipe) &
exec 3>pipe
wait
flitsweep -s 1..3 -- printf 'a\tb\n1\t{seed}\n' >&3
echo $?
