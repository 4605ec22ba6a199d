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

struct method_result method_result_make(const char *method, size_t n)
{
	return (struct method_result){method, NAN, NAN, NAN, n, VERDICT_UNKNOWN, ""};
}

void method_result_say(struct method_result *result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(result->sentence, sizeof result->sentence, format, arguments);
	va_end(arguments);
}

enum verdict verdict_by_p(double p, double level)
{
	if (isnan(p))
		return VERDICT_UNKNOWN;
	return p < level ? VERDICT_NO : VERDICT_YES;
}
