// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/scores.h"

static bool before(const struct ranking *ranking, size_t a, size_t b)
{
	double x = ranking->means[a], y = ranking->means[b];

	if (x != y)
		return ranking->lower ? x < y : x > y;
	return a < b;
}

static void sort(const struct ranking *ranking, size_t *order)
{
	for (size_t i = 0; i < ranking->count; i++) {
		size_t at = i;

		for (; at > 0 && before(ranking, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

void scores_rank(const struct ranking *ranking, double *scores, size_t *order)
{
	const size_t count = ranking->count;
	size_t end;

	sort(ranking, order);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && !ranking->differ(ranking->context, order[begin], order[end]);)
			end++;
		// Places count - begin down to count - end + 1, shared.
		for (size_t i = begin; i < end; i++)
			scores[order[i]] = ((double)(count - begin) + (double)(count - end + 1)) / 2;
	}
}

struct score_means scores_means(const double *scores, const double *weights, size_t blocks)
{
	const double n = (double)blocks;
	double sum = 0, weighted = 0, weight = 0;

	for (size_t i = 0; i < blocks; i++) {
		sum += scores[i];
		weighted += weights[i] * scores[i];
		weight += weights[i];
	}
	return (struct score_means){sum / n, weighted / weight, weighted / (n * n)};
}
