// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/doubt.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "file/source.h"
#include "gen/families/family.h"
#include "value/memstream.h"

#define RUNS_LEAST 9u
#define NORMAL_QUANTILE 1.959964 // of 95 %
#define CLUSTERS_LEAST 25.0	 // n/D from which on counts count as normal
#define SLACK 0.1		 // share of the packets by which a miss is tolerated
#define FACTOR_MOST 20		 // a run stops at this multiple of the trace's packets
#define SPARE 1000
#define EMPTY_MOST 0.1	// share of the runs without a packet
#define PACKETS_LEAST 5 // of a trace such that a run of the same rate is rarely empty
#define BATCH 512

// Packets in the trace's duration.
struct forecast_packets {
	double low, high;
	unsigned runs, empty; // 0 runs: by formula
};

static enum tr_status count_run(const struct fit_doubt *doubt, uint64_t seed, double *packets,
				struct tr_error *err)
{
	const struct generator_settings settings = {
		.seed = seed, .ticks_per_s = doubt->ticks_per_s, .end_ticks = doubt->length_ticks};
	const double most = FACTOR_MOST * (double)doubt->packets + SPARE;
	struct tr_packet batch[BATCH];
	enum tr_status status = TR_OK;
	struct generator generator;
	size_t count;

	*packets = 0;
	if (generator_open(&generator, doubt->text, &settings, err) != TR_OK)
		return TR_ERROR;
	while (*packets < most &&
	       (status = generator_next(&generator, batch, BATCH, &count, err)) == TR_OK)
		*packets += (double)count;
	generator_close(&generator);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

// The generator's input: the text as it is read back.
static enum tr_status read_back(const struct fit_doubt *doubt, struct model *out,
				struct tr_error *err)
{
	struct tr_source *source = NULL;
	char *written = NULL;
	size_t bytes = 0;
	FILE *memory = tr_memstream_open(&written, &bytes);
	enum tr_status status = memory ? model_write(doubt->text, memory, err)
				       : tr_no_memory(err, "the model");

	if (memory && !tr_memstream_close(memory) && status == TR_OK)
		status = tr_no_memory(err, "the model");
	if (status == TR_OK)
		status = tr_source_open_memory(&source, written, bytes, "model", err);
	if (status == TR_OK)
		status = model_read(out, source, err);
	tr_source_close(source);
	free(written);
	return status;
}

enum tr_status fit_doubt_try(const struct fit_doubt *doubt, struct tr_error *err)
{
	const struct generator_settings settings = {
		.seed = 1, .ticks_per_s = doubt->ticks_per_s, .end_ticks = doubt->length_ticks};
	struct generator generator;
	struct model model = {.name = NULL};
	enum tr_status status = read_back(doubt, &model, err);

	if (status == TR_OK) {
		status = generator_open(&generator, &model, &settings, err);
		generator_close(&generator);
	}
	model_clear(&model);
	return status == TR_OK ? TR_OK : tr_fail_in(err, "cannot describe this trace");
}

static enum tr_status doubt_simulate(const struct fit_doubt *doubt, struct forecast_packets *out,
				     struct tr_error *err)
{
	const double affordable = floor(FIT_DOUBT_PACKETS / (double)doubt->packets);
	const unsigned runs = (unsigned)fmin(fmax(affordable, RUNS_LEAST), FIT_DOUBT_RUNS);
	double packets[FIT_DOUBT_RUNS];

	*out = (struct forecast_packets){.low = INFINITY, .runs = runs};
	for (unsigned r = 0; r < runs; r++) {
		if (count_run(doubt, 1 + r, &packets[r], err) != TR_OK)
			return TR_ERROR;
		out->empty += packets[r] == 0;
		out->low = fmin(out->low, packets[r]);
		out->high = fmax(out->high, packets[r]);
	}
	if (runs < FIT_DOUBT_RUNS) {
		const struct fit_prediction one = fit_predict(packets, runs, 1);

		out->low = one.low;
		out->high = one.high;
	}
	return TR_OK;
}

// The normal interval, where valid; else false.
static bool forecast_by_formula(const struct fit_doubt *doubt, struct forecast_packets *out)
{
	const struct family *family;
	struct forecast forecast;
	struct tr_error err;

	if (FIT_DOUBT_RUNS * (double)doubt->packets <= FIT_DOUBT_PACKETS)
		return false;
	if (family_of(doubt->text, &family, &err) != TR_OK ||
	    family->generator->forecast(doubt->text, &forecast, &err) != TR_OK)
		return false;
	const struct forecast_total total = forecast_total(&forecast);
	const double packets = total.packets_per_s * (double)doubt->length_ticks /
			       (double)doubt->ticks_per_s;
	const double half = NORMAL_QUANTILE * sqrt(total.dispersion * packets);

	forecast_clear(&forecast);
	*out = (struct forecast_packets){.low = packets - half, .high = packets + half};
	return isfinite(total.dispersion) && packets > CLUSTERS_LEAST * total.dispersion;
}

struct fit_doubt fit_doubt_of(const struct model *text, const struct fit_notes *notes,
			      const struct packet_sample *sample)
{
	struct fit_doubt out = {text, notes->bound, sample->count,
				sample->end_ticks - sample->begin_ticks,
				(uint64_t)sample->ticks_per_s};

	if (notes->iterations.count > 0)
		out.traced = fit_traced_of(sample, &notes->iterations);
	return out;
}

static enum tr_status rerun(const struct fit_doubt *doubt, char reason[FIT_DOUBT_BYTES],
			    struct tr_error *err)
{
	const unsigned runs = fit_rerun_count(doubt->traced.packets) *
			      (doubt->held_out ? FIT_RERUNS_MAX / FIT_RERUNS : 1);
	struct fit_comparison comparison = {.held_out = doubt->held_out};
	struct fit_reruns reruns = {.count = 0};

	for (unsigned r = 0; r < runs; r++)
		if (fit_rerun_add(&reruns, doubt->text, &doubt->traced, 1 + r, NULL, err) != TR_OK)
			return TR_ERROR;
	fit_compare_reruns(&comparison, &reruns, &doubt->traced);
	if (comparison.misses)
		(void)snprintf(reason, FIT_DOUBT_BYTES, "%s", comparison.text);
	return TR_OK;
}

enum tr_status fit_doubt_find(const struct fit_doubt *doubt, char reason[FIT_DOUBT_BYTES],
			      struct tr_error *err)
{
	struct forecast_packets forecast;
	const double packets = (double)doubt->packets;

	reason[0] = '\0';
	if (doubt->text->failed)
		return tr_no_memory(err, "the forecast");
	if (fit_doubt_try(doubt, err) != TR_OK)
		return TR_ERROR;
	if (*doubt->bound) {
		(void)snprintf(reason, FIT_DOUBT_BYTES, "%s", doubt->bound);
		return TR_OK;
	}
	if (doubt->traced.iterations.count > 0)
		return rerun(doubt, reason, err);
	if (!forecast_by_formula(doubt, &forecast) &&
	    doubt_simulate(doubt, &forecast, err) != TR_OK)
		return TR_ERROR;
	if (forecast.low > (1 + SLACK) * packets || (1 + SLACK) * forecast.high < packets)
		(void)snprintf(reason, FIT_DOUBT_BYTES,
			       "it generates %.4g to %.4g packets for a trace of %.0f",
			       forecast.low, forecast.high, packets);
	else if (forecast.empty > EMPTY_MOST * forecast.runs && packets >= PACKETS_LEAST)
		(void)snprintf(reason, FIT_DOUBT_BYTES, "%u of its %u runs contain no packet",
			       forecast.empty, forecast.runs);
	return TR_OK;
}
