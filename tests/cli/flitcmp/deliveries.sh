# SPDX-License-Identifier: GPL-3.0-or-later
# Streams of deliveries, whose means are those that flitsim prints; and tables, separated by tabs or commas.
flitgen -t 20s -w 8.flt "$DATA/models/yates-rc1-8.model"
flitsim -w sbus.flt --level 90 --format csv 8.flt >tables
awk -F, '/^data,/ { print $8, $9, $10; exit }' tables
flitcmp sbus.flt | awk '$1 == "data" { print $4, $6, $7; exit }'
awk -F, '/^all,/ { print $5, $6, $7; exit }' tables
flitcmp -c latency_us sbus.flt | awk '$1 == "all" { print $4, $6, $7; exit }'
flitsim --fabric myrinet:preset=pci33 -w pci.flt 8.flt >/dev/null
flitcmp sbus.flt pci.flt | awk '/disjoint/ && NF > 7 { print $1, $2, $3, $4, $5 }'
flitcmp --where class=data - <sbus.flt | head -n 2 | tail -n 1
printf 'a,v\nx,1\nx,2\ny,-\n' | flitcmp -c v -b a | head -n 3
printf 'a\tv\nx\t1\nx\t3\ny\t7\ny\t8\n\nother\n9\n' >two
flitcmp -c v -w a=y two - <two | head -n 4
flitcmp -c v -a a -w a=y two --json | grep -c '"mean": 7.5'
