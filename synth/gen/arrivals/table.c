// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "gen/arrivals/kind.h"

const struct arrival_kind *const arrival_kinds[] = {
	&poisson_arrivals,
	&mmpp_arrivals,
	&map_arrivals,
	&m_g_infinity_arrivals,
	&cascade_arrivals,
	&batch_poisson_arrivals,
	&renewal_arrivals,
#ifdef FLIT_TRANSFORMS
	&fractional_rate_arrivals,
#endif
	NULL,
};

const struct arrival_kind *arrival_find(const char *family)
{
	for (const struct arrival_kind *const *kind = arrival_kinds; *kind; kind++)
		if (strcmp((*kind)->family, family) == 0)
			return *kind;
	return NULL;
}
