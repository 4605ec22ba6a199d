# SPDX-License-Identifier: GPL-3.0-or-later
# Who sits where changes nothing on one switch but whom a tie serves first.
flitgen -t 3s -w g.flt "$DATA/models/yates-rc1-4.model"
printf '# two are swapped\nnode0 3 # the controller\n\nnode1 2\nnode2 1\nnode3 0\n' >map
flitsim --net switch:4 --map map --format csv g.flt | awk -F, '/^all/ && !seen++ { print $2, $3 }'
flitsim --net switch:4 --format csv g.flt | awk -F, '/^all/ && !seen++ { print $2, $3 }'
printf 'node0 1\nnode1 0\n' >two
flitsim --net direct --map two --ignore-unmapped --format csv g.flt | awk -F, '/^all/ && !seen++ { print ($2 > 0) }'
for bad in 'node0' 'node0 4' 'node0 1 x' 'node0 one' 'node0 1
node0 2' 'node0 1
node1 1'; do
	echo "$bad" >bad
	flitsim --net switch:4 --map bad g.flt
	echo $?
done
flitsim --map none g.flt
