# SPDX-License-Identifier: GPL-3.0-or-later
"$BUILD/tests/make-captures" make pcap-us-le | flitcap -q >/dev/full
