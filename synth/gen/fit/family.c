// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/family.h"

static const struct fit_family *const own[] = {
	&pulse_family,
	&bootstrap_family,
#ifdef FLIT_ESTIMATORS
	&noise_family,
#endif
};

size_t fit_families(const struct arrival_kind *const *kinds, struct fit_family out[FIT_FAMILIES_MAX])
{
	size_t count = 0;

	for (; count < sizeof own / sizeof *own; count++)
		out[count] = *own[count];
	for (; *kinds && count < FIT_FAMILIES_MAX; kinds++)
		if ((*kinds)->fit)
			out[count++] = streams_family(*kinds);
	return count;
}
