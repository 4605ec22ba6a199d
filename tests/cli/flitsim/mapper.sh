# SPDX-License-Identifier: GPL-3.0-or-later
# Scouts find the network; the traffic is carried as before, by the routes that the mapper made; books balance.
flitgen -n 16 -t 3s -w in.flt "$DATA/models/yates-rc1-16.model"
flitsim --format csv -n yates16 --mapper 1s in.flt | sed -n '1,/^data/p;/^offered/,/^$/p' | cut -d , -f 1-15
flitsim --format csv -n yates16 --mapper 1s in.flt -w by-mapper.flt >/dev/null
flitcut -T csv -f reason,hops by-mapper.flt | sort | uniq -c | sed 's/^ *//'
flitsim -q -n torus:3x3,hosts=2 --mapper 20s --mapper-tries 1 --mapper-timeout 100us --scout 16B --format csv in.flt |
	sed -n '1,2p' | cut -d , -f 1-6
flitsim -n yates16 --mapper 1s --mapper-tries 0 in.flt
echo $?
flitsim -n yates16 --mapper 1s --scout 1MB in.flt
echo $?
flitsim -n yates16 --mapper 1s --mapper-timeout 0 in.flt
echo $?
flitsim -n yates16 --mapper 1s --program in.goal
echo $?
for engine in local reference; do flitsim -n yates16 --mapper 1s --engine $engine -w $engine.flt in.flt >$engine && flitcut -T csv $engine.flt >>$engine; done
cmp local reference && echo same
echo $?
# A cable that dies and returns: the map changes twice. A mapper that dies: the next host takes over, finds it
# missing, and then it is back.
flitgen -n 6 -t 6s -w six.flt "$DATA/models/yates-rc1-8.model"
for fault in link:switch1.1-switch2.2 host:host5; do
	flitsim -q -n ring:6 --mapper 500ms --fault $fault@2s..4s --format csv six.flt | sed -n '2p;/^offered/,/^$/p' |
		cut -d , -f 1-15
done
# A cable that is dead from the beginning: no route leads over it, nothing is lost.
flitsim -q -n ring:6 --mapper 500ms --fault link:switch1.1-switch2.2@0.. --format csv -w lost.flt six.flt |
	sed -n '2p' | cut -d , -f 1-7
flitcut -T csv -f reason lost.flt | sort | uniq -c | sed 's/^ *//'
