// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/hurst/estimation.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "stat/hurst/detrended.h"
#include "stat/spectra/spectrum.h"
#include "value/processors.h"

#define THREADS_MAX 4
#define SHARED_POINTS_MIN 512 // shorter series are done before another thread would start

enum state { WAITS, BEGUN, DONE };

// What all threads share; everything after lock is protected by it.
struct crew {
	const double *x;
	size_t n;
	const struct estimate_options *options;
	struct estimation *estimations;
	size_t count;
	estimation_begins *begins;
	void *context;
	pthread_mutex_t lock;
	pthread_cond_t moved;	      // a part is made, or memory ran out
	unsigned wanted, begun, made; // parts
	double *profile;
	const struct spectrum *spectrum;
	struct spectrum *own_spectrum; // the same, if the caller has none
	struct detrended *detrended;
	enum state *states; // of the estimations
	bool failed;
	struct tr_error err;
};

// ---- parts

size_t estimation_low_count(size_t n, const struct estimate_options *options)
{
	return (size_t)(options->scale_min > 0 ? fmin((double)n, (double)n / options->scale_min)
					       : pow((double)n, 0.65));
}

// The sums of the deviations from the mean.
static bool make_profile(struct crew *crew, struct tr_error *err)
{
	double mean = 0;

	crew->profile = malloc((crew->n + 1) * sizeof(*crew->profile));
	if (!crew->profile)
		return tr_no_memory(err, "sums of %zu points", crew->n) == TR_OK;
	for (size_t i = 0; i < crew->n; i++)
		mean += crew->x[i];
	mean /= (double)crew->n;
	crew->profile[0] = 0;
	for (size_t i = 0; i < crew->n; i++)
		crew->profile[i + 1] = crew->profile[i] + (crew->x[i] - mean);
	return true;
}

static bool make_spectrum(struct crew *crew, struct tr_error *err)
{
	crew->own_spectrum = spectrum_open(crew->x, crew->n,
					   estimation_low_count(crew->n, crew->options), err);
	crew->spectrum = crew->own_spectrum;
	return crew->spectrum;
}

static bool make_detrended(struct crew *crew, struct tr_error *err)
{
	crew->detrended = detrended_open(crew->profile + 1, crew->n, err);
	return crew->detrended;
}

// In starting order: the longest first, and each after those that it needs.
static const struct {
	enum series_part part;
	unsigned needs;
	bool (*make)(struct crew *crew, struct tr_error *err);
} makers[] = {
	{PART_SPECTRUM, 0, make_spectrum},
	{PART_PROFILE, 0, make_profile},
	{PART_DETRENDED, PART_PROFILE, make_detrended},
};

#define PARTS (sizeof(makers) / sizeof(makers[0]))

// ---- the next step, under the lock

// A part that is wanted and can be made; PARTS if none.
static size_t next_part(const struct crew *crew)
{
	size_t i = 0;

	while (i < PARTS &&
	       (!(crew->wanted & ~crew->begun & makers[i].part) || makers[i].needs & ~crew->made))
		i++;
	return i;
}

// Whether it can run now. Making the transform takes much memory, so estimators that need much run
// later.
static bool is_ready(const struct crew *crew, const struct estimator *estimator)
{
	const size_t doubles = estimator->workspace ? estimator->workspace(crew->n) : 0;
	const bool transforming = crew->begun & ~crew->made & PART_SPECTRUM;

	return !(estimator->needs & ~crew->made) && !(transforming && doubles > crew->n / 8);
}

// An estimation that is ready; count if none. *left: whether any still waits.
static size_t next_estimation(const struct crew *crew, bool *left)
{
	*left = false;
	for (size_t i = 0; i < crew->count; i++) {
		if (crew->states[i] != WAITS)
			continue;
		*left = true;
		if (is_ready(crew, crew->estimations[i].estimator))
			return i;
	}
	return crew->count;
}

// Frees the parts that are no longer needed.
static void estimation_release(struct crew *crew)
{
	unsigned needed = 0;

	for (size_t i = 0; i < crew->count; i++)
		if (crew->states[i] != DONE)
			needed |= crew->estimations[i].estimator->needs;
	if (needed & PART_DETRENDED)
		needed |= PART_PROFILE;
	if (!(needed & PART_SPECTRUM)) {
		spectrum_close(crew->own_spectrum);
		crew->own_spectrum = NULL;
	}
	if (!(needed & PART_DETRENDED)) {
		detrended_close(crew->detrended);
		crew->detrended = NULL;
	}
	if (!(needed & PART_PROFILE)) {
		free(crew->profile);
		crew->profile = NULL;
	}
}

// ---- the work

static void estimation_fail(struct crew *crew, const struct tr_error *err)
{
	if (!crew->failed)
		crew->err = *err;
	crew->failed = true;
}

// Makes a part, without the lock while it does.
static void make(struct crew *crew, size_t which)
{
	struct tr_error err;
	bool made;

	crew->begun |= makers[which].part;
	pthread_mutex_unlock(&crew->lock);
	made = makers[which].make(crew, &err);
	pthread_mutex_lock(&crew->lock);
	crew->made |= makers[which].part;
	if (!made)
		estimation_fail(crew, &err);
	pthread_cond_broadcast(&crew->moved);
}

// Runs an estimator, without the lock while it does.
static void estimation_estimate(struct crew *crew, struct estimation *own, enum state *state)
{
	const struct estimator *estimator = own->estimator;
	const struct series_parts parts = {crew->x, crew->n, crew->profile, crew->spectrum,
					   crew->detrended};
	const size_t doubles = estimator->workspace ? estimator->workspace(crew->n) : 0;
	double *workspace;

	*state = BEGUN;
	if (crew->begins)
		crew->begins(crew->context, estimator);
	pthread_mutex_unlock(&crew->lock);
	workspace = malloc((doubles + 1) * sizeof(*workspace));
	if (workspace)
		own->made = estimator->run(&parts, crew->options, workspace, &own->estimate,
					   &own->why) == TR_OK;
	free(workspace);
	pthread_mutex_lock(&crew->lock);
	*state = DONE;
	estimation_release(crew);
	if (!workspace)
		(void)tr_no_memory(&own->why, "an estimate from %zu points", crew->n);
	else if (own->made || !own->why.breakdown)
		return;
	estimation_fail(crew, &own->why);
	pthread_cond_broadcast(&crew->moved);
}

static void *work(void *context)
{
	struct crew *crew = context;
	bool left;

	pthread_mutex_lock(&crew->lock);
	while (!crew->failed) {
		const size_t part = next_part(crew), estimation = next_estimation(crew, &left);

		if (part < PARTS)
			make(crew, part);
		else if (estimation < crew->count)
			estimation_estimate(crew, &crew->estimations[estimation],
					    &crew->states[estimation]);
		else if (left)
			pthread_cond_wait(&crew->moved, &crew->lock);
		else
			break;
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

// ---- the crew

static size_t threads_worth(const struct crew *crew)
{
	if (crew->n < SHARED_POINTS_MIN)
		return 1;
	return crew->count < THREADS_MAX ? crew->count : THREADS_MAX;
}

// Works until all is done, with as many threads as can be started; signals go to this one.
static void work_together(struct crew *crew)
{
	const size_t most = threads_worth(crew), allowed = processors_allowed();
	pthread_t threads[THREADS_MAX];
	sigset_t all, before;
	size_t others = 0;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	while (others + 1 < most && others + 1 < allowed &&
	       pthread_create(&threads[others], NULL, work, crew) == 0)
		others++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)work(crew);
	while (others > 0)
		(void)pthread_join(threads[--others], NULL);
}

// Sets the reason for those that cannot run, and collects what the others need.
static void sift(struct crew *crew)
{
	const bool constant = series_is_constant(crew->x, crew->n);

	for (size_t i = 0; i < crew->count; i++) {
		struct estimation *own = &crew->estimations[i];

		own->made = false;
		crew->states[i] = DONE;
		if (crew->n < own->estimator->n_min) {
			(void)tr_fail(&own->why, "needs %zu points, but there are %zu",
				      own->estimator->n_min, crew->n);
		} else if (constant) {
			(void)tr_fail(&own->why, "the series is constant");
		} else {
			crew->states[i] = WAITS;
			crew->wanted |= own->estimator->needs;
		}
	}
	if (crew->wanted & PART_DETRENDED)
		crew->wanted |= PART_PROFILE;
}

enum tr_status estimations_make(const double *x, size_t n, const struct spectrum *spectrum,
				const struct estimate_options *options,
				struct estimation *estimations, size_t count,
				estimation_begins *begins, void *context, struct tr_error *err)
{
	const unsigned known = spectrum ? PART_SPECTRUM : 0;
	struct crew crew = {.x = x,
			    .n = n,
			    .options = options,
			    .estimations = estimations,
			    .count = count,
			    .begins = begins,
			    .context = context,
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .moved = PTHREAD_COND_INITIALIZER,
			    .begun = known,
			    .made = known,
			    .spectrum = spectrum,
			    .states = malloc((count + 1) * sizeof(*crew.states))};

	if (!crew.states)
		return tr_no_memory(err, "%zu estimates", count);
	sift(&crew);
	work_together(&crew);
	detrended_close(crew.detrended);
	spectrum_close(crew.own_spectrum);
	free(crew.profile);
	free(crew.states);
	return crew.failed ? tr_fail_for(err, &crew.err, "%s", crew.err.text) : TR_OK;
}

enum tr_status estimation_make(const struct estimator *estimator, const double *x, size_t n,
			       const struct estimate_options *options, struct estimate *out,
			       struct tr_error *err)
{
	struct estimation own = {.estimator = estimator};

	if (estimations_make(x, n, NULL, options, &own, 1, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	if (!own.made)
		return tr_fail_for(err, &own.why, "%s", own.why.text);
	*out = own.estimate;
	return TR_OK;
}
