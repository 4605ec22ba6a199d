# SPDX-License-Identifier: GPL-3.0-or-later
# Each report is that of what came before, at the same times from a file and a pipe; the last one is that without --every.
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" -w p4.flt
flitburst --every 5s p4.flt >file
flitburst --every 5s <p4.flt | cmp - file && echo same from a pipe
grep -A 1 ^time_s file | grep -v time_s
flitburst p4.flt >whole
tail -n "$(wc -l <whole)" file | cmp - whole && echo whole at the end
at=$(awk '$1 == "time_s" { getline; print $1; exit }' file)
flitcut --before "@${at}s" p4.flt | flitburst >first
sed -n '5,$p' file | head -n "$(wc -l <first)" | cmp - first && echo first at first
flitburst --every 5s --by node -g 50ms -p --width 1ms,2ms --gaps 1,3 p4.flt >some
flitburst --by node -g 50ms -p --width 1ms,2ms --gaps 1,3 p4.flt >whole
tail -n "$(wc -l <whole)" some | cmp - whole && echo whole at the end
flitburst --every 5s --json p4.flt | grep -c '"now"'
flitburst --every 0s p4.flt
flitburst --every 1/7 p4.flt
flitburst --every 5s p4.flt >/dev/full
