# SPDX-License-Identifier: GPL-3.0-or-later
# A crossbar whose inputs are queues and always full, with uniform destinations, carries 2 - sqrt(2) = 0.5858 of its links
# for many ports (Karol, Hluchyj, Morgan: Input versus output queueing on a space-division packet switch, IEEE Trans. Commun.
# 35 (1987) 1347): within 1 % at 256. Adapters and the switch cost nothing here, and what a full queue is offered is dropped.
flitgen -n 256 --set arrivals=saturated --set 'size=4000 B' -t 40ms "$DATA/models/load.model" |
	flitsim -n switch:256 --fabric myrinet:when-full=drop,queue=4,flit=6.25ns,dma-in=1GB/s,dma-out=1GB/s,conversion=0 \
		--fabric myrinet:assignment=0,sram=64KiB,receive-reserve=32KiB --warmup 10ms -t 40ms --format csv |
	awk -F, '/^data,/ && NF > 10 { share = $12 / 256 / 160; print (share > 0.99 * (2 - sqrt(2)) && share < 1.01 * (2 - sqrt(2))) }
		p { print $1 - $2 - $3 - $4; p = 0 } /^offered/ { p = 1 }'
