// SPDX-License-Identifier: GPL-3.0-or-later
// What a test says: numbers, an answer, and a sentence.
#ifndef STAT_VERDICT_H
#define STAT_VERDICT_H

#include <stddef.h>

// Level of all tests.
#define VERDICT_LEVEL 0.05

enum verdict { VERDICT_UNKNOWN, VERDICT_YES, VERDICT_NO };

// "not decided", "yes", "no".
const char *verdict_word(enum verdict verdict);

// How many times as likely one of two explanations is, in words: "0.45", "320", "over 10^6", "under 10^-6"; of its natural
// logarithm.
struct verdict_odds {
	char text[24];
};
struct verdict_odds verdict_odds(double log_odds);

#define VERDICT_SENTENCE 240

// One method's answer to the question of its test.
struct method_result {
	const char *method; // static
	double statistic;   // NaN where there is none
	double threshold;   // that it must not pass; NaN where p decides
	double p;	    // of one as large where the null hypothesis holds; NaN where that is not known
	size_t n;	    // values, blocks or points that took part
	enum verdict verdict;
	char sentence[VERDICT_SENTENCE];
};

// An empty one: NaN, unknown, no sentence.
struct method_result method_result_make(const char *method, size_t n);

// Sets the sentence, cut at VERDICT_SENTENCE.
void method_result_say(struct method_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The answer that p gives: no below level, else yes; unknown for NaN.
enum verdict verdict_by_p(double p, double level);

#endif
