# SPDX-License-Identifier: GPL-3.0-or-later
# Known values of LogGOPS: a chain of two messages, o = 1500, L = 2500, g = 1000, G = 6, by hand.
cat >p.goal <<'END'
num_ranks 3
rank 0 {
send 101b to 1
}
rank 1 {
a: recv 101b from 0
b: send 1b to 2 tag 9
b requires a
}
rank 2 {
recv 1b from -1 tag -1
}
END
# 1500; 1500 + 2500 + 1500 + 600, and 1500 more; 2500 + 1500 more.
flitsim --program p.goal --fabric ideal:latency=2500ns --overhead 1500ns --message-gap 1us --byte-gap 6ns --format tsv | sed -n 1,9p
# Parts of a nanosecond.
flitsim --program p.goal --fabric ideal:latency=1ns --byte-gap 0.25ns --format csv | sed -n '/^rank/,/^$/p' | cut -d, -f 1,2
# The run may be cut; that is no verdict on the program.
flitsim --program p.goal --fabric ideal:latency=1s --time 1500ms --format csv | sed -n '/^ranks/,/^$/p;/^from/,$p'
# A message of more worms than a queue has places: 1500 + 2500 + 23999999 * 6 + 1500.
printf 'num_ranks 2\nrank 0 {\nsend 24000000b to 1\n}\nrank 1 {\nrecv 24000000b from 0\n}\n' >large.goal
flitsim --program large.goal --fabric ideal:latency=2500ns --overhead 1500ns --byte-gap 6ns --eager 24MB --format csv | sed -n '/^rank,/,/^$/p' | cut -d, -f 1,2
# What needs the begin of a send is ready before what needs its end: it goes second, and no gap of 1 + 99 * 6 ns comes before it.
printf '%s\n' 'num_ranks 2' 'rank 0 {' 'a: send 1b to 1' 'b: send 100b to 1' 'b requires a' 'c: send 1b to 1' 'c irequires a' '}' \
	'rank 1 {' 'recv 1b from 0' 'recv 1b from 0' 'recv 100b from 0' '}' >begun.goal
flitsim --program begun.goal --fabric ideal:latency=2500ns --overhead 1500ns --message-gap 1us --byte-gap 6ns --format csv | sed -n '/^rank,/,/^$/p' | cut -d, -f 1,2
