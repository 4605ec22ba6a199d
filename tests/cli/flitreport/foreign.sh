# SPDX-License-Identifier: GPL-3.0-or-later
# A text, a capture and one byte are no inputs.
echo 'some text' >a
flitreport --text a
echo "status $?"
flitreport --text "$DATA/captures/rc-256-p2.pcap.zst" 2>&1 | sed "s,$DATA/captures/,,g"
printf x >b
flitreport --text b
