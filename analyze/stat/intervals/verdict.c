// SPDX-License-Identifier: GPL-3.0-or-later
// Results of tests.
#include "stat/intervals/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = {"not decided", "yes", "no"};

	return words[verdict];
}

// No model of traffic is exact enough for larger odds.
#define LOG_ODDS_MAX 13.815510557964274 // ln 10^6

struct verdict_odds verdict_odds(double log_odds)
{
	struct verdict_odds odds;
	const double unit = pow(10, floor(log_odds / M_LN10) - 1); // of the second digit

	if (log_odds > LOG_ODDS_MAX)
		(void)snprintf(odds.text, sizeof(odds.text), "over 10^6");
	else if (log_odds < -LOG_ODDS_MAX)
		(void)snprintf(odds.text, sizeof(odds.text), "under 10^-6");
	else
		(void)snprintf(odds.text, sizeof(odds.text), "%.7g",
			       round(exp(log_odds) / unit) * unit);
	return odds;
}

struct method_result method_result_make(const char *method, size_t n)
{
	return (struct method_result){method, NAN, NAN, NAN, n, VERDICT_UNKNOWN, ""};
}

void method_result_say(struct method_result *result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(result->sentence, sizeof(result->sentence), format, arguments);
	va_end(arguments);
}

enum verdict verdict_by_p(double p, double level)
{
	if (isnan(p))
		return VERDICT_UNKNOWN;
	return p < level ? VERDICT_NO : VERDICT_YES;
}

// ---- a joint level
// Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics
// 6 (1979) 65-70. Known value: .01, .04, .03, .005 become .03, .06, .06, .02 (R's p.adjust).

void holm_adjust(const double *p, size_t count, double *adjusted)
{
	for (size_t i = 0; i < count; i++) {
		adjusted[i] = isnan(p[i]) ? NAN : 0;
		// The greatest of p_j times those that are not below it, over all j not above this
		// one.
		for (size_t j = 0; j < count; j++) {
			double not_below = 0;

			if (!(p[j] <= p[i]))
				continue;
			for (size_t k = 0; k < count; k++)
				not_below += p[k] >= p[j];
			adjusted[i] = fmax(adjusted[i], fmin(1, not_below * p[j]));
		}
	}
}

enum verdict holm_verdict(enum verdict verdict, double p, double joint,
			  char sentence[VERDICT_SENTENCE])
{
	struct method_result said = method_result_make("", 0);

	if (verdict == VERDICT_UNKNOWN || !(p <= VERDICT_LEVEL) || joint <= VERDICT_LEVEL)
		return verdict;
	method_result_say(
		&said,
		"%s by itself (p %.2g), but not jointly with the other tests (p %.2g): %.160s",
		verdict == VERDICT_NO ? "no" : "yes", p, joint, sentence);
	memcpy(sentence, said.sentence, sizeof(said.sentence));
	return VERDICT_UNKNOWN;
}

#define P_MIN 1e-6

static const double tabled_law_levels[TABLED_LAW_LEVELS] = {0.5,   0.25, 0.1,	0.05,
							    0.025, 0.01, 0.005, 0.001};

double tabled_law_p(const double quantiles[TABLED_LAW_LEVELS], double statistic)
{
	size_t i = 0;
	double share;

	if (isnan(statistic))
		return NAN;
	while (i + 2 < TABLED_LAW_LEVELS && quantiles[i + 1] < statistic)
		i++;
	share = (statistic - quantiles[i]) / (quantiles[i + 1] - quantiles[i]);
	return fmin(1, fmax(P_MIN,
			    tabled_law_levels[i] *
				    pow(tabled_law_levels[i + 1] / tabled_law_levels[i], share)));
}
