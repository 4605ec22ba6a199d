# SPDX-License-Identifier: GPL-3.0-or-later
# What a program's time consists of: the critical path step by step, and for whom the ranks waited.
cat >p.goal <<'END'
num_ranks 3
rank 0 {
work: calc 3000
big: send 100000b to 1 tag 4
big requires work
}
rank 1 {
early: recv 8b from 2
late: recv 100000b from 0 tag 4
on: send 8b to 2 tag 1
on requires late
}
rank 2 {
send 8b to 1
recv 8b from -1 tag -1
}
END
set -- --fabric ideal:latency=2500ns --overhead 1500ns --message-gap 1us --byte-gap 6ns --program p.goal
flitsim "$@" --critical-path --waits --format tsv | sed -n '/^# For which/,/^# Delivered/p'
flitsim "$@" --critical-path --format json | tr -d '\n' | grep -c '"path_sum".*"path"'
# Over a network and by MPI it adds up as well.
flitsim -n switch:3 --mpi --program p.goal --critical-path --format csv |
	awk -F, '$1 == "steps" { getline; print ($3 + $4 + $5 + $6 + $7 + $8 - $2) ^ 2 < 1e-6 ? "the sum is the end" : $0 }'
# All tables at once.
flitsim -n switch:3 --mpi --waits --critical-path --program p.goal --format tsv | grep "^# [A-Z]"
# An empty program has no path.
printf 'num_ranks 1\nrank 0 {\n}\n' | flitsim --fabric ideal:latency=1us --critical-path --waits --program - --format csv | sed -n '/^rank,source/,/^class/p'
# Ranks that wait for one another.
printf '%s\n' 'num_ranks 2' 'rank 0 {' 'a: send 70000b to 1' 'b: recv 8b from 1' 'b requires a' '}' \
	'rank 1 {' 'a: send 70000b to 0' 'b: recv 8b from 0' 'b requires a' '}' | flitsim --program - >stuck
