# SPDX-License-Identifier: GPL-3.0-or-later
# Nobody reads the output any more, which is longer than what is held back: no message, status 2.
mkfifo pipe
(exec 4<pipe) &
exec 3>pipe
wait
flitnet -o - fattree:4096 >&3
echo $?
