# SPDX-License-Identifier: GPL-3.0-or-later
# Streams by the second, named by a pattern and by numbers: together they are the whole.
"$BUILD/tests/make-captures" bench mpi 12000000 >a.pcap
flitcap -r a.pcap -w all.flt
flitcap -q -r a.pcap -G 1s -w 'by-%S.flt'
flitcap -q -r a.pcap -G 1s -w numbered
ls
flitcut -T csv -f id,time,payload,wire all.flt | md5sum >all
flitcat by-*.flt | flitcut -T csv -f id,time,payload,wire | md5sum | cmp - all && echo whole
for part in by-*.flt; do
	flitinfo --json $part | awk -F '[:,] *' '/"stream"/ { records = $7 } /"frames"/ { print records == $4 + 0 ? "counted" : records " " $4 }'
done
flitcap -q -r a.pcap -G 1s -w 'all-%H'
