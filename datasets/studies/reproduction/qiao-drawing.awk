# SPDX-License-Identifier: GPL-3.0-or-later
# Draws a network that is all that table 4.4 and the text of Qiao (1997) say of topology `name`, A to F, by `seed`: of the graphs
# that are read, as "graph a b" for each cable, one is taken at random, its switches get their hosts at random, and it is drawn again
# until diameter, bisection and mean distance are as printed. The switches of the file are numbered at random. Where `like` names a
# network file in place of graphs, only its switches are numbered anew.
#   A, B, C  a graph of degree 4 on 10 switches
#   D        switch 0 joined to all others, and nine cables among these with which one more switch is odd
#   E        switches 0 and 9 joined to all others and each other
#   F        a graph of degree 4 on 9 switches, in one of whose cables switch 9 is put
# A linear congruential generator, its multiplier by Marsaglia (1972), so that all versions of awk draw the same.
function below(n) {
	state = (state * 69069 + 1) % 4294967296
	return int(state / 4294967296 * n)
}
function shuffle(list, n,    i, k, t) {
	for (i = 0; i < n; i++)
		list[i] = i
	for (i = n - 1; i > 0; i--) {
		k = below(i + 1)
		t = list[i]; list[i] = list[k]; list[k] = t
	}
}
function join_two(a, b) { joined[a, b] = joined[b, a] = 1; from[cables] = a; to[cables++] = b }
function clear_cables() { split("", joined); cables = 0 }

# Distances by the algorithm of Floyd and Warshall.
function measure_distances(    i, j, k) {
	longest = sum = 0
	for (i = 0; i < switches; i++)
		for (j = 0; j < switches; j++)
			far[i, j] = i == j ? 0 : (i, j) in joined ? 1 : 99
	for (k = 0; k < switches; k++)
		for (i = 0; i < switches; i++)
			for (j = 0; j < switches; j++)
				if (far[i, k] + far[k, j] < far[i, j])
					far[i, j] = far[i, k] + far[k, j]
	for (i = 0; i < switches; i++)
		for (j = 0; j < switches; j++) {
			if (far[i, j] > longest)
				longest = far[i, j]
			sum += hosts[i] * hosts[j] * far[i, j]
		}
	mean = sum / (all_hosts * all_hosts)
}
# The least number of cables between two halves of the switches.
function bisection(    half, bits, size, i, cut, least) {
	least = cables
	for (half = 0; half < 512; half++) { # switch 9 is on the other side
		for (i = size = 0; i < switches; i++) {
			bits[i] = int(half / 2 ^ i) % 2
			size += bits[i]
		}
		if (size != 5)
			continue
		for (i = cut = 0; i < cables; i++)
			cut += bits[from[i]] != bits[to[i]]
		if (cut < least)
			least = cut
	}
	return least
}
function draw_regular(    g, i, label) {
	g = names[1 + below(graphs)]
	shuffle(label, switches)
	for (i = 0; i < size[g]; i++)
		join_two(label[a[g, i]], label[b[g, i]])
}
function draw_hub(    i, x, y, odd) {
	for (i = 1; i < 10; i++)
		join_two(0, i)
	while (cables < 18) {
		x = 1 + below(9); y = 1 + below(9)
		if (x != y && !((x, y) in joined)) {
			join_two(x, y)
			odd[x]++; odd[y]++
		}
	}
	for (i = 1; i < 10; i++)
		unlike += odd[i] % 2 == 0
}
function draw_two_hubs(    i) {
	for (i = 1; i < 9; i++) {
		join_two(0, i)
		join_two(i, 9)
	}
	join_two(0, 9)
}
function draw_put_in(    g, i, label, at) {
	g = names[1 + below(graphs)]
	shuffle(label, 9)
	at = below(size[g])
	for (i = 0; i < size[g]; i++)
		if (i == at) {
			join_two(label[a[g, i]], 9)
			join_two(9, label[b[g, i]])
		} else
			join_two(label[a[g, i]], label[b[g, i]])
}
function as_printed() {
	measure_distances()
	if (name == "A") return longest == 2 && mean >= 1.3985 && mean < 1.3995
	if (name == "B") return longest == 3 && mean >= 1.4415 && mean < 1.4425 && bisection() == 6
	if (name == "C") return longest == 3 && mean >= 1.495 && mean < 1.505 && bisection() == 6
	if (name == "D") return unlike == 1 && mean >= 1.5095 && mean < 1.5105
	if (name == "E") return longest == 2 && mean >= 1.6305 && mean < 1.6315
	return longest == 3 && mean >= 1.4535 && mean < 1.4545
}
BEGIN {
	state = seed * 2654435761 % 4294967296
	cables = 0
	split("7 8 8 8 7 8 7 7 8 7,7 8 7 8 8 8 7 7 8 7,7 8 8 7 8 7 7 8 8 7,3 8 8 8 8 8 8 8 8 8,3 9 9 8 9 9 9 8 8 3,8 7 8 8 8 7 7 7 8 7", printed, ",")
	n = split(name == "" ? "" : printed[index("ABCDEF", name)], each, " ")
	for (i = 0; i < n; i++)
		hosts[i] = each[i + 1]
	switches = 10; all_hosts = 75
}
like && $1 == "hosts" { all_hosts = $2 }
like && $1 == "switches" { switches = $2 }
like && $1 == "cable" && $2 ~ /^host/ { sub(/^switch/, "", $3); hosts[int($3)]++ }
like && $1 == "cable" && $2 ~ /^switch/ { sub(/^switch/, "", $2); sub(/^switch/, "", $3); join_two(int($2), int($3)) }
!like {
	if (!($1 in size))
		names[++graphs] = $1
	a[$1, size[$1] + 0] = $2
	b[$1, size[$1]++] = $3
}
END {
	while (!like) {
		clear_cables()
		unlike = 0
		if (name ~ /[ABC]/) draw_regular()
		else if (name == "D") draw_hub()
		else if (name == "E") draw_two_hubs()
		else draw_put_in()
		if (as_printed())
			break
	}
	shuffle(number, switches)
	for (i = 0; i < switches; i++)
		taken[i] = hosts[i]
	for (i = 0; i < cables; i++) {
		taken[from[i]]++
		taken[to[i]]++
	}
	for (i = 0; i < switches; i++)
		if (taken[i] > ports)
			ports = taken[i]
	print "flitline-topology 1\nhosts " all_hosts "\nswitches " switches " ports " ports
	for (i = h = 0; i < switches; i++)
		for (k = 0; k < hosts[i]; k++)
			print "cable host" h++ " switch" number[i] "." used[number[i]]++
	for (i = 0; i < cables; i++)
		print "cable switch" number[from[i]] "." used[number[from[i]]]++ " switch" number[to[i]] "." used[number[to[i]]]++
	print "end"
}
