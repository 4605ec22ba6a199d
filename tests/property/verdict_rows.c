// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict_rows.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "stat/tests/self_similarity.h"

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct verdict_row verdict_row_make(size_t kind, size_t n, int count, uint64_t first)
{
	struct traffic_maker *maker = traffic_maker_open(kind, n);
	double *x = must(malloc(n * sizeof(*x)));
	double answers[3] = {0}, sum = 0, squares = 0, held = 0;
	struct verdict_row row = {.series = count};
	double yes;

	for (int i = 0; i < count; i++) {
		struct self_similarity verdict;

		traffic_draw(maker, first + (uint64_t)i, x);
		if (self_similarity_decide_series(x, n, NULL, 0.95, &verdict, NULL) != TR_OK)
			abort();
		answers[verdict.answer]++;
		if (verdict.answer != VERDICT_YES)
			continue;
		sum += verdict.h;
		squares += verdict.h * verdict.h;
		held += verdict.lo <= traffic_kinds[kind].h && traffic_kinds[kind].h <= verdict.hi;
	}
	yes = answers[VERDICT_YES];
	row.yes = yes / count;
	row.no = answers[VERDICT_NO] / count;
	row.not_decided = answers[VERDICT_UNKNOWN] / count;
	row.yes_at_most = yes < count ? gsl_cdf_beta_Pinv(0.95, yes + 1, count - yes) : 1;
	row.h_mean = yes > 0 ? sum / yes : (double)NAN;
	row.h_sd = yes > 0 ? sqrt(fmax(0, squares / yes - row.h_mean * row.h_mean)) : (double)NAN;
	row.held = yes > 0 ? held / yes : (double)NAN;
	traffic_maker_close(maker);
	free(x);
	return row;
}
