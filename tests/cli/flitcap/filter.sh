# SPDX-License-Identifier: GPL-3.0-or-later
"$BUILD/tests/make-captures" make pcapng-interfaces >a.pcapng
flitcap -r a.pcapng udp >/dev/null
echo 'udp and ( ip or ip6 )' >filter
flitcap -r a.pcapng -F filter >/dev/null
flitcap -r a.pcapng -c 3 udp >/dev/null
