# SPDX-License-Identifier: GPL-3.0-or-later
# The messages of 20 steps of four ranks, as text: in each, rank r computes for 10 ms + r ms, sends 16000 B to the next rank in 100 us, and
# all add up 8 B, 100000 B, 8 B and 100000 B, each after 100 us of computing and in 10 us from the last one on. EXTRA: an operation of
# 1000 B after each step, with its root if it has one, of ranks 0 to LAST.
function put(begin, end, bytes, src, dst, tag, comm, op) {
	printf "%.6f\t%.6f\t%d\t%d\trank%d\trank%d\t%d\t%d\t%s\t-\t%d\t%d\n", begin, end, id++, bytes, src, dst, tag, comm, op, src, dst
}
function all(bytes, op, root, last, comm, r, latest) {
	latest = 0
	for (r = 0; r <= last; r++) { now[r] += 1e-4; if (now[r] > latest) latest = now[r] }
	for (r = 0; r <= last; r++) {
		put(now[r], latest + 1e-5, op == "bcast" && r != root ? 0 : bytes, r, root < 0 ? r : root, 0, comm, op)
		now[r] = latest + 1e-5
	}
}
BEGIN {
	for (step = 0; step < 20; step++) {
		for (r = 0; r < 4; r++) now[r] += 0.010 + r / 1000
		for (r = 0; r < 4; r++) { put(now[r], now[r] + 1e-4, 16000, r, (r + 1) % 4, 0, 0, "isend"); got[(r + 1) % 4] = now[r] + 1e-4 }
		for (r = 0; r < 4; r++) if (got[r] > now[r]) now[r] = got[r]
		for (i = 0; i < 4; i++) all(i % 2 ? 100000 : 8, "allreduce", -1, 3, 0)
		if (EXTRA) all(1000, EXTRA, ROOT == "" ? -1 : ROOT, LAST, LAST < 3 ? 1 : 0)
	}
}
