// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/family.h"

#include <string.h>

#include "gen/arrivals/map.h"

const char *const fit_by_names[] = {
	[FIT_BY_ROLE] = "role", [FIT_BY_ALL] = "all",	[FIT_BY_CLASS] = "class",
	[FIT_BY_NODE] = "node", [FIT_BY_PAIR] = "pair", [FIT_BY_NETWORK] = "network",
};

const char *fit_by_word(const struct fit_family *family, enum fit_by by)
{
	return family->always ? family->always : fit_by_names[by];
}

enum tr_status fit_by_refuse(const struct fit_family *family, struct tr_error *err)
{
	char words[200] = "";

	for (int by = FIT_BY_ROLE; by <= FIT_BY_NETWORK; by++) {
		if ((family->by >> by & 1) == 0)
			continue;
		strncat(words, *words ? " or " : "", sizeof(words) - strlen(words) - 1);
		strncat(words, fit_by_names[by], sizeof(words) - strlen(words) - 1);
	}
	return tr_fail(err, "is fitted --by %s", words);
}

static const struct fit_family *const own[] = {
	&pulse_family,
	&on_off_family,
	&bootstrap_family,
#ifdef FLIT_ESTIMATORS
	&noise_family,
#endif
};
static const size_t own_count = sizeof(own) / sizeof(*own);

// Other ways to a process that the table has.
static const struct {
	const char *name;
	const struct arrival_kind *kind;
} others[] = {{"er-hmm", &map_phases_arrivals}, {"map-moments", &map_moments_arrivals}};

size_t fit_families(const struct arrival_kind *const *kinds, struct fit_family out[FIT_FAMILIES_MAX])
{
	size_t count = 0;

	// The first process is the simplest (Poisson's): where all are alike it is what they are.
	for (size_t k = 0; kinds[k] && count + own_count < FIT_FAMILIES_MAX; k++) {
		if (kinds[k]->fit)
			out[count++] = streams_family(kinds[k]);
		for (size_t i = 0; k == 0 && i < own_count; i++)
			out[count++] = *own[i];
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others) && count < FIT_FAMILIES_MAX; i++) {
		out[count] = streams_family(others[i].kind);
		out[count++].name = others[i].name;
	}
	return count;
}
