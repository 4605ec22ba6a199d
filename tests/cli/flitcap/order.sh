# SPDX-License-Identifier: GPL-3.0-or-later
# Steps back are counted and put in order; --unsorted leaves them, and the trace says so.
"$BUILD/tests/make-captures" make pcap-back >a.pcap
flitcap -r a.pcap -w sorted.flt
flitcap -r a.pcap --unsorted -w unsorted.flt
flitcat --check sorted.flt >/dev/null && echo sorted
flitinfo --json unsorted.flt | sed -n 's/.*"sorted": "\([a-z]*\)".*/\1/p'
flitcut -T csv -f id unsorted.flt | sed 1d | sort -n -c && echo 'as they came'
flitcut -T csv -f id,payload sorted.flt | sort >a
flitcut -T csv -f id,payload unsorted.flt | sort | cmp - a && echo 'the same packets'
