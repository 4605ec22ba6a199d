# SPDX-License-Identifier: GPL-3.0-or-later
# Addresses change, keep their common prefix, and the key is nowhere in the trace.
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
flitcap -q -r a.pcap --anonymize 'open sesame' -w a.flt
echo 'open sesame' >key
flitcap -q -r a.pcap --anonymize @key -w b.flt
cmp a.flt b.flt && echo 'the same from a file'
grep -c sesame a.flt
flitinfo a.flt | grep -c '10\.0\.0\.'
flitcut -T csv -f src a.flt | sed '1d;/:/d' | sort -u | cut -d . -f 1-3 | uniq | wc -l
flitcap -q -r a.pcap | flitcut -T csv -f time,payload >plain
flitcut -T csv -f time,payload a.flt | cmp - plain && echo 'nothing else changes'
