# SPDX-License-Identifier: GPL-3.0-or-later
# Each is refused with its line.
"$BUILD/tests/make-captures" make pcap-none >a.pcap
try() {
	printf "$1" >nodes
	flitcap -r a.pcap --nodes nodes -w a.flt
	echo $?
}
try '10.0.0.1\ta\n10.0.0.256\tb\n'
try '10.0.0.1\ta\tking\n'
try '10.0.0.1\ta\tworker\textra\n'
try '10.0.0.1\ta\n\n10.0.0.1\tb\n'
try '10.0.0.1\ta\tworker\nfd00::1\ta\tcontroller\n'
try "10.0.0.1\t$(printf '%0300d' 0)\n"
try "$(printf '%02000d' 0)\n"
try '10.0.0.1\ta\\0b\n'
flitcap -r a.pcap --nodes missing -w a.flt
