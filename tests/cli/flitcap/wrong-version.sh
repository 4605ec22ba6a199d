# SPDX-License-Identifier: GPL-3.0-or-later
printf '\324\303\262\241\001\000\000\000\000\000\000\000\000\000\000\000\000\000\004\000\001\000\000\000' >one.pcap
flitcap -r one.pcap
