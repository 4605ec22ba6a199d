# SPDX-License-Identifier: GPL-3.0-or-later
# Servers and workgroups: what is said of them, and that packets go by the shares.
flitgen -e "$DATA/models/client-server.model"
# The patterns of Qiao 1997, table 5.10: 200 nodes, five groups of these sizes.
for n in 1 2; do
	flitgen -e --format tsv "$DATA/models/qiao-pattern-$n.model" | awk -F '\t' '/group/ { printf "%s ", $3 } END { print "" }'
done
# Of a group's packets the table's shares go to servers and own group: 60 20, 50 30, 30 50, 60 20 and 50 30 % of pattern 1. A
# fifth goes to anybody, of which the group and the servers get theirs: counted out, rounded to tens.
shares() {
	flitgen -t 1s "$DATA/models/qiao-pattern-$1.model" | flitcut -T csv -f src,dst | awk -F, '
	function group(n) { return n < 5 ? 0 : n < 55 ? 1 : n < 90 ? 2 : n < 115 ? 3 : n < 160 ? 4 : 5 }
	BEGIN { split("50 35 25 45 40", size, " ") }
	NR > 1 { s = group(substr($1, 5) + 0); d = group(substr($2, 5) + 0); all[s]++; to[s, d]++ }
	END {
		for (g = 1; g <= 5; g++)
			printf "%.0f %.0f\n", (to[g, 0] / all[g] - .2 * 5 / 199) * 10, (to[g, g] / all[g] - .2 * (size[g] - 1) / 199) * 10
	}' | awk '{ print $1 * 10, $2 * 10 }'
}
shares 1
shares 2
# Answers come from the servers alone.
{
	sed -n '/^\[/q; p' "$DATA/models/client-server.model" | sed 's/^load.*/think 1 ms/'
	printf '[servers]\nnodes 2\nload 0 %%\nreply 1 kB .. 2 kB\nservice 10 us\n[clients]\nnodes 10\nto servers 100 %%\n'
} >answers.model
flitgen -e answers.model
flitgen -t 1s answers.model | flitcut -T csv -f src,dst,payload | awk -F, '
NR > 1 { s = substr($1, 5) + 0 < 2; d = substr($2, 5) + 0 < 2; n[s d]++; if (s && ($3 < 1000 || $3 > 2000) || d && $3 > 3000) wrong++ }
END { print (n["10"] > 0), (n["01"] - n["10"] < 11), n["00"] + n["11"], wrong + 0 }'
flitgen -n 40 answers.model -e | head -3
flitgen -n 1 answers.model
