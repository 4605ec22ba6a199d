# SPDX-License-Identifier: GPL-3.0-or-later
# What is told apart adds up to the whole.
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" --nodes "$DATA/nodes/p4.nodes" -w p4.flt
flitburst p4.flt | awk '$1 == "all" { print $2, $3; exit }'
for by in node pair class role; do
	echo $by
	flitburst --by $by -g 50ms p4.flt | awk 'NF == 11 { print $1, $2, $3, $6; n += $2; b += $3 } NF == 0 { exit }
		END { print "sum", n, b }'
done
flitburst --by role -g 50ms p4.flt
flitburst --by role --role node0=unknown p4.flt | cut -f 1-3 | head -n 4
flitburst --by class --points p4.flt | grep '^#\|^of'
