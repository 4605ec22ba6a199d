# SPDX-License-Identifier: GPL-3.0-or-later
# Matrix multiplication over the network of George and VanLoon (section 5.2): mean times and efficiencies beside what
# they say. The time of a multiply-add is calibrated on their claim for eight nodes; the table stands in flitgen(1).
finish_us() { # N RANKS NETWORK [option ...]
	product=matmul:N=$1,ranks=$2
	network=$3
	shift 3
	flitgen --program "$product" |
		flitsim -q --fabric myrinet:preset=george -n "$network" --eager 1MB --program - --format csv "$@" |
		sed -n 2p | cut -d, -f 8
}
for nodes in 2 4 8 16; do
	network=switch:$nodes
	[ $nodes = 16 ] && network=triangle16
	for n in 32 48 64 80 96 112 128 144; do
		echo "$nodes $n $(finish_us $n $nodes $network)"
	done
done >times
awk '{
	sum[$1] += $3 / 8e3
	grows[$1] += ($3 / 1e3) ^ .8
	relative[$1] += ($3 / 1e3) ^ -.2
	efficiency = 0.242 * $2 ^ 3 / ($1 * $3) # of 242 ns a multiply-add
	line[$1] = line[$1] sprintf(" %.1f", 100 * efficiency)
	if (efficiency < least[$1] || !least[$1])
		least[$1] = efficiency
	if ($1 == 4 && $2 >= 80 && efficiency < .95)
		four = "no"
	if ($1 == 8 && ($2 >= 128) != (efficiency >= .95))
		eight = "no"
	if ($1 == 16 && $2 == 144)
		sixteen = efficiency <= .85 ? "yes" : "no"
} END {
	for (nodes = 2; nodes <= 16; nodes *= 2)
		printf "%d nodes: mean %.1f ms, quotient of mean differences %.1f ms, efficiency%s %%\n",
			nodes, sum[nodes], grows[nodes] / relative[nodes], line[nodes]
	print "2 nodes over 95 % everywhere:", (least[2] > .95 ? "yes" : "no")
	print "4 nodes 95 % from 80 x 80:", (four ? four : "yes")
	print "8 nodes 95 % from 128 x 128, not before:", (eight ? eight : "yes")
	print "16 nodes at most 85 % at 144 x 144:", sixteen
}' times
# Their case study: 64 x 64 on 8 nodes; from 640 Mb/s to 1.28 Gb/s it gains most, marks matter little.
for rate in 640Mb/s 1.28Gb/s 2.56Gb/s 5.12Gb/s; do
	for marks in '20B 8B' '160B 64B'; do
		set -- $marks
		finish_us 64 8 switch:8 --fabric myrinet:link-rate=$rate,below-go="$1",hysteresis="$2",above-stop=400B
	done
done | paste -d' ' - -
