# SPDX-License-Identifier: GPL-3.0-or-later
# Nobody reads the output any more when it is written: no message, status 2.
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
mkfifo pipe
(exec 4<pipe) &
exec 3>pipe
wait
flitcap -q -r a.pcap >&3
echo $?
