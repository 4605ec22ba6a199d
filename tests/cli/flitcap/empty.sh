# SPDX-License-Identifier: GPL-3.0-or-later
: >empty.pcap
flitcap -r empty.pcap
