// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of alternatives as in the tables of Yates 1997, chapter 4: of k alternatives the best gets
// k, the next k - 1, down to 1; those that do not differ share the sum of their places.
#ifndef STAT_SCORES_H
#define STAT_SCORES_H

#include <stdbool.h>
#include <stddef.h>

// What is ranked: count means, the higher the better unless lower is, and whether two of them
// differ.
struct ranking {
	const double *means;
	size_t count;
	bool lower;
	bool (*differ)(const void *context, size_t a, size_t b);
	const void *context;
};

// Fills scores[count]. From the best on, an alternative ties with the group before it where it does
// not differ from that group's best. order[count] is room for the work, and afterwards the
// alternatives from best to worst, equal means by their number.
void scores_rank(const struct ranking *ranking, double *scores, size_t *order);

// Means over blocks of the scores of one alternative, scores[0 .. blocks - 1], weights of blocks
// beside them (their sum > 0).
struct score_means {
	double plain;	 // sum s / blocks
	double weighted; // sum w s / sum w
	double printed;	 // sum w s / blocks^2: as the thesis divides twice
};
struct score_means scores_means(const double *scores, const double *weights, size_t blocks);

#endif
