// SPDX-License-Identifier: GPL-3.0-or-later
// bench_gaps COUNT: a plain C loop of exponential gaps, by inversion, from xorshift64* (Vigna, ACM
// TOMS 42 (2016)): the cost of times alone, without sizes, destinations, a merge of nodes or a
// stream.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 10000000;
	uint64_t state = 88172645463325252u;
	double now = 0;

	for (long i = 0; i < count; i++) {
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		now -= log((double)(state * 2685821657736338717u >> 11) * 0x1p-53 + 0x1p-54);
	}
	printf("%.3f\n", now);
	return 0;
}
