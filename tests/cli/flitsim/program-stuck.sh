# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that cannot finish: ranks and lines are named, the status is 1.
cat >circle.goal <<'END'
num_ranks 2
rank 0 {
a: calc 1
b: calc 2
a requires b
b requires a
}
rank 1 {
}
END
flitsim --program circle.goal -w out.flt
echo $? $(ls out.flt 2>/dev/null)
cat >unmatched.goal <<'END'
num_ranks 2
rank 0 {
send 8b to 1 tag 1
a: recv 8b from 1
b: calc 5
b requires a
}
rank 1 {
recv 8b from 0 tag 2
}
END
flitsim -n direct --program unmatched.goal --format csv | head -2
flitsim -q -n direct --program unmatched.goal >quiet
echo $?
# Nobody receives it.
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n' | flitsim --fabric ideal:latency=1us --program - >last
