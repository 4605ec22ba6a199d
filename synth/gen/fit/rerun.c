// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/doubt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MISS 10.0   // percent
#define LITTLE 0.05 // of the bytes of an iteration: so few after the last one are none that was cut
#define FACTOR_MOST 8 // a run stops at this multiple of the trace's packets
#define SPARE 1000
#define DIGITS 4
#define BATCH 512

struct fit_traced fit_traced_of(const struct packet_sample *sample,
				const struct fit_iterations *iterations)
{
	struct fit_traced out = {.iterations = *iterations,
				 .ticks_per_s = (uint64_t)sample->ticks_per_s};
	double rest = 0, rest_B = 0, all_B = 0;

	for (size_t i = 0; i < sample->count; i++) {
		const bool after = sample->ticks[i] > iterations->end_ticks;

		out.outside += after || sample->ticks[i] < iterations->begin_ticks;
		all_B += sample->wire_B[i];
		rest += after;
		rest_B += after ? sample->wire_B[i] : 0;
	}
	if (rest_B * iterations->all > all_B - rest_B ||
	    rest_B * iterations->all < LITTLE * (all_B - rest_B))
		rest = rest_B = 0;
	out.packets = (double)sample->count - rest;
	out.wire_B = all_B - rest_B;
	return out;
}

unsigned fit_rerun_count(double packets)
{
	const double affordable = FIT_RERUN_PACKETS / (packets + 1);

	return affordable < 1 ? 1 : affordable > FIT_RERUNS ? FIT_RERUNS : (unsigned)affordable;
}

// Adds a batch. TR_ERROR: no memory.
static enum tr_status take_batch(const struct tr_packet *batch, size_t count,
				 struct fit_reruns *out, struct packet_sample *first,
				 struct tr_error *err)
{
	for (size_t i = 0; i < count; i++) {
		out->packets++;
		out->wire_B += batch[i].wire_bytes;
		if (first && first->count < first->most &&
		    packet_sample_add(first, &batch[i], err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status fit_rerun_add(struct fit_reruns *out, const struct model *text,
			     const struct fit_traced *traced, uint64_t seed,
			     struct packet_sample *first, struct tr_error *err)
{
	const struct generator_settings settings = {.seed = seed,
						    .ticks_per_s = traced->ticks_per_s};
	const double most = out->packets + (traced->packets > 0
						    ? FACTOR_MOST * traced->packets + SPARE
						    : (double)PACKET_SAMPLE_MAX);
	struct tr_packet batch[BATCH];
	enum tr_status status = TR_OK;
	struct generator generator;
	int64_t begin_ticks = 0, end_ticks = 0;
	bool begun = false;
	size_t count;

	out->count++;
	if (generator_open(&generator, text, &settings, err) != TR_OK)
		return TR_ERROR;
	while (out->packets < most &&
	       (status = generator_next(&generator, batch, BATCH, &count, err)) == TR_OK) {
		begin_ticks = begun ? begin_ticks : batch[0].time_ticks;
		end_ticks = batch[count - 1].time_ticks;
		begun = true;
		if (take_batch(batch, count, out, first, err) != TR_OK) {
			status = TR_ERROR;
			break;
		}
	}
	generator_close(&generator);
	out->seconds += (double)(end_ticks - begin_ticks) / (double)traced->ticks_per_s;
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

void fit_compare(struct fit_comparison *out, const char *what, enum model_type type, double trace,
		 double model, bool counts)
{
	const size_t end = strlen(out->text);
	const double off = 100 * (model / trace - 1);
	char texts[2][MODEL_NUMBER_BYTES];

	for (unsigned i = 0; i < 2; i++)
		if (type == MODEL_COUNT)
			(void)snprintf(texts[i], MODEL_NUMBER_BYTES, "%.0f", i ? model : trace);
		else
			(void)model_format(type, model_settle(type, i ? model : trace, DIGITS),
					   texts[i]);
	out->misses = out->misses || (counts && !(off >= -MISS && off <= MISS));
	(void)snprintf(out->text + end, sizeof(out->text) - end,
		       end > 0 ? "; %s %s, %s (%+.3g %%)"
			       : "%s %s in the trace, %s in the model (%+.3g %%)",
		       what, texts[0], texts[1], off);
}

void fit_compare_reruns(struct fit_comparison *out, const struct fit_reruns *reruns,
			const struct fit_traced *traced)
{
	const struct fit_iterations *iterations = &traced->iterations;
	const double runs = reruns->count;
	const double length_s = (double)(iterations->end_ticks - iterations->begin_ticks) /
				(double)traced->ticks_per_s / iterations->all;

	if (traced->packets > 0)
		fit_compare(out, "packets", MODEL_COUNT, traced->packets, reruns->packets / runs,
			    true);
	if (traced->wire_B > 0)
		fit_compare(out, "bytes", MODEL_COUNT, traced->wire_B, reruns->wire_B / runs, true);
	fit_compare(out, "iterations", MODEL_COUNT, iterations->all, iterations->count, true);
	fit_compare(out, "length of one", MODEL_TIME, length_s,
		    reruns->seconds / runs / iterations->count, true);
}

void fit_compare_outside(struct fit_comparison *out, const struct fit_traced *traced)
{
	const struct fit_iterations *iterations = &traced->iterations;
	const double ticks_per_s = (double)traced->ticks_per_s;
	const size_t end = strlen(out->text);

	if (out->misses && traced->outside > 0)
		(void)snprintf(out->text + end, sizeof(out->text) - end,
			       "; %.0f packets are before or after the iterations: flitcut "
			       "--after=%.9fs --before=%.9fs keeps the others",
			       traced->outside, (double)iterations->begin_ticks / ticks_per_s,
			       (double)(iterations->end_ticks + 1) / ticks_per_s);
}
