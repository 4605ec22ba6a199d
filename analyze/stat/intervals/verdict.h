// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a test: numbers, an answer and a sentence; one joint level for several tests;
// tabled laws.
#ifndef STAT_VERDICT_H
#define STAT_VERDICT_H

#include <stddef.h>

// ---- The result of a test: numbers, an answer, and a sentence.

// Level of all tests.
#define VERDICT_LEVEL 0.05
// What a normal deviate exceeds at this level.
#define VERDICT_ONE_SIDED 1.6448536269514722

enum verdict { VERDICT_UNKNOWN, VERDICT_YES, VERDICT_NO };

// "not decided", "yes", "no".
const char *verdict_word(enum verdict verdict);

// The odds of two explanations as text, from their natural logarithm: "0.45", "320", "over 10^6",
// "under 10^-6".
struct verdict_odds {
	char text[24];
};
struct verdict_odds verdict_odds(double log_odds);

#define VERDICT_SENTENCE 384

// One method's answer to the question of its test.
struct method_result {
	const char *method; // static
	double statistic;   // NaN where there is none
	double threshold;   // that the statistic must not exceed; NaN if p decides
	double p;	    // of a statistic as large under the null hypothesis; NaN if unknown
	size_t n;	    // values, blocks or points that took part
	enum verdict verdict;
	char sentence[VERDICT_SENTENCE];
};

// An empty one: NaN, unknown, no sentence.
struct method_result method_result_make(const char *method, size_t n);

// Sets the sentence, cut at VERDICT_SENTENCE.
void method_result_say(struct method_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The answer from p: no below level, else yes; unknown for NaN.
enum verdict verdict_by_p(double p, double level);

// ---- One joint level for several tests (Holm 1979).

// Fills adjusted[count] with Holm's probabilities: rejecting those below a level rejects any true
// hypothesis with at most that probability, however the tests depend on one another. NaN means no
// test, and stays. p and adjusted must not overlap.
void holm_adjust(const double *p, size_t count, double *adjusted);

// The joint verdict of one with probability p: a rejection, p at most VERDICT_LEVEL, that the joint
// probability does not confirm becomes unknown, and the sentence says so.
enum verdict holm_verdict(enum verdict verdict, double p, double joint,
			  char sentence[VERDICT_SENTENCE]);

// ---- Probabilities from a few tabled quantiles of a law.

// Every table has the upper quantiles for .5 .25 .1 .05 .025 .01 .005 .001.
#define TABLED_LAW_LEVELS 8

// Probability of a value >= statistic by rising quantiles at those levels, its log linear in
// between and beyond; between 1 and 1e-6. NaN for NaN.
double tabled_law_p(const double quantiles[TABLED_LAW_LEVELS], double statistic);

#endif
