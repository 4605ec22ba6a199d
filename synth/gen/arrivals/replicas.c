// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/replicas.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "value/grow.h"

#define REPLICAS_LEAST 10 // of them must have a value

struct replica {
	struct draw_tables tables;
	int64_t *ticks;
	size_t room, count;
	struct arrival_times *each;
};

static bool replicas_push(struct replica *replica, int64_t ticks)
{
	if (!GROW(replica->ticks, replica->room, replica->count))
		return false;
	replica->ticks[replica->count++] = ticks;
	return true;
}

// Appends one realisation of this many ticks.
static enum tr_status make_one(struct replica *replica, const struct arrival_process *process,
			       const void *parameters, double ticks_per_s, double end,
			       struct tr_random *random, struct tr_error *err)
{
	const struct arrival_settings settings = {&replica->tables, ticks_per_s, (int64_t)end};
	void *state = calloc(1, process->state_bytes);
	enum tr_status status = state ? process->start(state, parameters, &settings, random, err)
				      : tr_no_memory(err, "a replica");

	for (double now = 0; status == TR_OK && (now += process->next(state, random)) < end;)
		if (!replicas_push(replica, (int64_t)now))
			status = tr_no_memory(err, "%zu packets", replica->count);
	if (state && process->stop)
		process->stop(state);
	free(state);
	return status;
}

static enum tr_status make_all(struct replica *replica, const struct arrival_process *process,
			       const void *parameters, const struct arrival_sample *sample,
			       struct tr_random *random, struct tr_error *err)
{
	size_t first = 0;

	replica->count = 0;
	for (size_t r = 0; r < sample->count; r++) {
		const int64_t end = sample->each[r].end_ticks - sample->each[r].begin_ticks;

		if (make_one(replica, process, parameters, sample->ticks_per_s, (double)end, random,
			     err) != TR_OK)
			return TR_ERROR;
		replica->each[r] = (struct arrival_times){.count = replica->count - first,
							  .end_ticks = end};
		first = replica->count;
	}
	first = 0;
	for (size_t r = 0; r < sample->count; r++) {
		replica->each[r].ticks = replica->ticks + first;
		first += replica->each[r].count;
	}
	return TR_OK;
}

// Sums over the replicas of each value and its square, relative to the fitted one.
struct scatter {
	double n[REPLICAS_VALUES_MAX], sum[REPLICAS_VALUES_MAX], squares[REPLICAS_VALUES_MAX];
};

static enum tr_status add_replica(const struct family *family, const struct arrival_sample *made,
				  replicas_values *values, const double *fitted, unsigned count,
				  struct scatter *scatter, struct tr_error *err)
{
	struct arrival_notes notes = {.method = ""};
	void *again = calloc(1, family->arrivals->parameter_bytes);
	double found[REPLICAS_VALUES_MAX];
	enum tr_status status;
	struct tr_error why;

	if (!again)
		return tr_no_memory(err, "the intervals");
	// A replica that by chance cannot be fitted has no values.
	status = family->arrival_fit->fit(again, made, &notes, &why);
	if (status == TR_OK) {
		const unsigned known = values(again, found);

		for (unsigned i = 0; i < count && i < known; i++) {
			const double off = found[i] - fitted[i];

			if (!isfinite(off))
				continue;
			scatter->n[i]++;
			scatter->sum[i] += off;
			scatter->squares[i] += off * off;
		}
	}
	if (family->arrivals->clear)
		family->arrivals->clear(again);
	free(again);
	return status == TR_OK || !why.breakdown ? TR_OK : tr_fail_for(err, &why, "%s", why.text);
}

static void replicas_set_ends(const struct scatter *scatter, const double *fitted, unsigned count,
			      double level, double (*ends)[2])
{
	for (unsigned i = 0; i < count; i++) {
		const double n = scatter->n[i], mean = scatter->sum[i] / n;
		const double variance = (scatter->squares[i] - n * mean * mean) / (n - 1);

		ends[i][0] = ends[i][1] = NAN;
		if (n < REPLICAS_LEAST)
			continue;
		const double off = gsl_cdf_tdist_Pinv(0.5 + level / 2, n - 1) *
				   sqrt(fmax(variance, 0));

		ends[i][0] = fitted[i] - off;
		ends[i][1] = fitted[i] + off;
	}
}

enum tr_status replicas_intervals(const struct family *family, const void *parameters,
				  const struct arrival_sample *sample, replicas_values *values,
				  double (*ends)[2], struct tr_error *err)
{
	struct scatter scatter = {{0}, {0}, {0}};
	double fitted[REPLICAS_VALUES_MAX];
	const unsigned count = values(parameters, fitted);
	struct replica replica = {.each = calloc(sample->count + 1, sizeof(*replica.each))};
	const struct arrival_sample made = {replica.each, sample->count, sample->ticks_per_s, 0};
	enum tr_status status = replica.each ? TR_OK
					     : tr_no_memory(err, "%zu realisations", sample->count);
	struct tr_random random;
	char name[32];

	draw_tables_make(&replica.tables);
	for (unsigned i = 0;
	     i < REPLICAS && status == TR_OK && stretches_packets(sample) <= REPLICAS_PACKETS_MAX;
	     i++) {
		(void)snprintf(name, sizeof(name), "replica%u", i);
		tr_random_open(&random, 1, name);
		status = make_all(&replica, family->arrivals, parameters, sample, &random, err);
		if (status == TR_OK)
			status = add_replica(family, &made, values, fitted, count, &scatter, err);
	}
	if (status == TR_OK)
		replicas_set_ends(&scatter, fitted, count, sample->level, ends);
	free(replica.each);
	free(replica.ticks);
	return status;
}
