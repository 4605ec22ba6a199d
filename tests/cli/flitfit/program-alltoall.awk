# SPDX-License-Identifier: GPL-3.0-or-later
# An alltoall of 4 ranks in each of N iterations: each sends 20 kB to the ranks before it, the nearest one first, as Open MPI's linear algorithm,
# when it has computed 30 ms, more or less. MORE: so many iterations have other messages too; EARLY: small packets before the first one,
# and others that answer them when it begins; OTHER: an iteration with a longer message.
function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
function put(t, src, dst, bytes) { printf "%.7f,10.0.0.%d,10.0.0.%d,%d,%d,data\n", t, src + 1, dst + 1, bytes, bytes + 54 }
BEGIN {
	s = 3
	for (i = 1; i <= N; i++) for (r = 0; r < 4; r++) {
		t = i * .05 + u() * .006
		if (i <= MORE) put(t + .0013, r, (r + 2) % 4, 974)
		for (k = 1; k < 4; k++) {
			to = (r + 4 - k) % 4
			if (i == 1 && EARLY) { put(.01 + r * .001 + k * .0001, r, to, 93); put(t - .00005, to, r, 24) }
			for (p = i == OTHER && !r && to == 3 ? -13 : 0; p < 14; p++) { put(t, r, to, p < 13 ? 1460 : 1020); t += .000121 }
		}
	}
}
