// SPDX-License-Identifier: GPL-3.0-or-later
// Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979) 65-70. Known
// value: .01, .04, .03, .005 become .03, .06, .06, .02 (R's p.adjust).
#include "stat/holm.h"

#include <math.h>
#include <string.h>

void holm_adjust(const double *p, size_t count, double *adjusted)
{
	for (size_t i = 0; i < count; i++) {
		adjusted[i] = isnan(p[i]) ? NAN : 0;
		// The greatest of p_j times those that are not below it, over all j not above this one.
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

enum verdict holm_verdict(enum verdict verdict, double p, double joint, char sentence[VERDICT_SENTENCE])
{
	struct method_result said = method_result_make("", 0);

	if (verdict == VERDICT_UNKNOWN || !(p <= VERDICT_LEVEL) || joint <= VERDICT_LEVEL)
		return verdict;
	method_result_say(&said, "%s alone (p %.2g), but not jointly with the other questions (p %.2g): %.160s",
			  verdict == VERDICT_NO ? "no" : "yes", p, joint, sentence);
	memcpy(sentence, said.sentence, sizeof(said.sentence));
	return VERDICT_UNKNOWN;
}
