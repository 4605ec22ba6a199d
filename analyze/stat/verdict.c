// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = {"not decided", "yes", "no"};

	return words[verdict];
}

// Beyond, no model of traffic is that exact.
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
		(void)snprintf(odds.text, sizeof(odds.text), "%.7g", round(exp(log_odds) / unit) * unit);
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
