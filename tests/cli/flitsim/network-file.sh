# SPDX-License-Identifier: GPL-3.0-or-later
# A network from a file, or from standard input, carries as the generator's does; names of its own are the links'.
flitgen -n 16 -t 200ms "$DATA/models/yates-rc1-4.model" >in.flt
flitnet -o net.topo yates16
flitsim -q -n yates16 in.flt >one
flitsim -q -n net.topo in.flt | cmp - one
flitsim -q -n - in.flt <net.topo | cmp - one
sed -i 's/^hosts 16/host master\nhosts 15/; s/switch3/top/; s/host0 /master /' net.topo
flitsim -q -n net.topo --links links.flt in.flt | cmp - one
flitcut -T text links.flt | grep -o 'master>switch0.0\|top.5>switch2.7' | sort -u
flitinfo links.flt | grep -o 'input net.topo'
# By the names of the hosts, whatever their order.
sed 's/^host master/host node1/; s/^hosts 15/host node0\nhosts 14/; s/ master / node1 /; s/host1 /node0 /' net.topo >names.topo
printf 'node0 1\nnode1 0\n' >map
flitgen -t 2s "$DATA/models/yates-rc1-4.model" >in.flt
flitsim -q -n names.topo --ignore-unmapped --map names in.flt >names
flitsim -q -n yates16 --ignore-unmapped --map map in.flt | cmp - names
awk '/^all/ { print "some were carried", ($2 > 0); exit }' names
sed -i '$d' net.topo
flitsim -q -n net.topo in.flt
