// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/estimation.h"

#include <stdlib.h>

#include "stat/profile.h"
#include "stat/spectrum.h"

static bool is_constant(const double *x, size_t n)
{
	size_t i = 1;

	while (i < n && x[i] == x[0])
		i++;
	return i >= n;
}

// What the parts are kept in.
struct store {
	double *profile;
	struct spectrum *spectrum;
};

static enum tr_status make_parts(struct store *store, const double *x, size_t n, unsigned needs, struct tr_error *err)
{
	if (needs & PART_PROFILE) {
		store->profile = malloc(profile_workspace(n) * sizeof *store->profile);
		if (!store->profile)
			return tr_no_memory(err, "sums of %zu points", n);
		(void)profile_make(x, n, store->profile);
	}
	if (needs & PART_SPECTRUM)
		store->spectrum = spectrum_open(x, n, err);
	return !(needs & PART_SPECTRUM) || store->spectrum ? TR_OK : TR_ERROR;
}

static void free_parts(struct store *store)
{
	free(store->profile);
	spectrum_close(store->spectrum);
}

// TR_ERROR without memory.
static enum tr_status run(struct estimation *own, const struct series_parts *parts,
			  const struct estimate_options *options, struct tr_error *err)
{
	const struct estimator *estimator = own->estimator;
	const size_t doubles = estimator->workspace ? estimator->workspace(parts->n) : 0;
	double *workspace = malloc((doubles + 1) * sizeof *workspace);

	if (!workspace)
		return tr_no_memory(err, "an estimate from %zu points", parts->n);
	own->made = estimator->run(parts, options, workspace, &own->estimate, &own->why) == TR_OK;
	free(workspace);
	return own->made || !own->why.breakdown ? TR_OK : tr_fail_for(err, &own->why, "%s", own->why.text);
}

// Says why for those that cannot run, and adds up what the others need.
static unsigned sift(struct estimation *estimations, size_t count, const double *x, size_t n)
{
	const bool constant = is_constant(x, n);
	unsigned needs = 0;

	for (size_t i = 0; i < count; i++) {
		const struct estimator *estimator = estimations[i].estimator;

		estimations[i].made = false;
		estimations[i].why.text[0] = '\0';
		if (n < estimator->n_min)
			(void)tr_fail(&estimations[i].why, "needs %zu points, there are %zu", estimator->n_min, n);
		else if (constant)
			(void)tr_fail(&estimations[i].why, "the series is constant");
		else
			needs |= estimator->needs;
	}
	return needs;
}

enum tr_status estimations_make(const double *x, size_t n, const struct estimate_options *options,
				struct estimation *estimations, size_t count, estimation_begins *begins,
				void *context, struct tr_error *err)
{
	struct store store = {0};
	enum tr_status status = make_parts(&store, x, n, sift(estimations, count, x, n), err);
	const struct series_parts parts = {x, n, store.profile, store.spectrum};

	for (size_t i = 0; i < count && status == TR_OK; i++) {
		if (estimations[i].why.text[0])
			continue;
		if (begins)
			begins(context, estimations[i].estimator);
		status = run(&estimations[i], &parts, options, err);
	}
	free_parts(&store);
	return status;
}

enum tr_status estimation_make(const struct estimator *estimator, const double *x, size_t n,
			       const struct estimate_options *options, struct estimate *out, struct tr_error *err)
{
	struct estimation own = {.estimator = estimator};

	if (estimations_make(x, n, options, &own, 1, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	if (!own.made)
		return tr_fail_for(err, &own.why, "%s", own.why.text);
	*out = own.estimate;
	return TR_OK;
}
