# SPDX-License-Identifier: GPL-3.0-or-later
# Bins of each host, or of each part of the time, that were counted apart: put together they tell what the whole tells, and the trace.
flitcap -q -r "$DATA/captures/vr-256-p4.pcap.zst" -w trace.flt
flitcount -q -b 10ms -w all.flt trace.flt >table
flithurst all.flt >whole
flithurst trace.flt | sed 's/trace.flt/all.flt/' | cmp - whole && echo whole
for host in 10.77.0.1 10.77.0.2 10.77.0.3 10.77.0.4; do
	flitcut -q --src $host trace.flt | flitcount -q -b 10ms -w - >host-$host.flt
done
flitcat -q --merge host-*.flt | flithurst | sed 's/^-/all.flt/; s/^# -/# all.flt/' | cmp - whole && echo hosts
flitcut -q --before 8s trace.flt | flitcount -q -b 10ms -w - >day-1.flt
flitcut -q --after 8s trace.flt | flitcount -q -b 10ms -w - >day-2.flt
flitcat -q day-1.flt day-2.flt | flithurst | sed 's/^-/all.flt/; s/^# -/# all.flt/' | cmp - whole && echo days
flitcat -q day-1.flt day-2.flt | flithurst --every 1h >apart
flithurst --every 1h all.flt | sed 's/^all.flt/-/; s/^# all.flt/# -/' | cmp - apart && echo live
