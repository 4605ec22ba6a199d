# SPDX-License-Identifier: GPL-3.0-or-later
flitcap -r missing.pcap
