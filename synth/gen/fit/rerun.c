// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/doubt.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MISS 10.0   // percent
#define LITTLE 0.05 // of the bytes of an iteration: so few after the last one are none that was cut
#define FACTOR_MOST 8 // a run stops at this multiple of the trace's packets
#define SPARE 1000
#define DIGITS 4
#define LEVEL 0.95
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
		out->packets[out->count]++;
		out->wire_B[out->count] += batch[i].wire_bytes;
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
	const double most = traced->packets > 0 ? FACTOR_MOST * traced->packets + SPARE
						: (double)PACKET_SAMPLE_MAX;
	struct tr_packet batch[BATCH];
	enum tr_status status = TR_OK;
	struct generator generator;
	int64_t begin_ticks = 0, end_ticks = 0;
	bool begun = false;
	size_t count;

	out->packets[out->count] = out->wire_B[out->count] = 0;
	if (generator_open(&generator, text, &settings, err) != TR_OK)
		return TR_ERROR;
	while (out->packets[out->count] < most &&
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
	out->seconds[out->count++] = (double)(end_ticks - begin_ticks) /
				     (double)traced->ticks_per_s;
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

static const char *format_quantity(enum model_type type, double value,
				   char text[MODEL_NUMBER_BYTES])
{
	if (type == MODEL_COUNT)
		(void)snprintf(text, MODEL_NUMBER_BYTES, "%.0f", value);
	else
		(void)model_format(type, model_settle(type, value, DIGITS), text);
	return text;
}

void fit_compare(struct fit_comparison *out, const char *what, enum model_type type, double trace,
		 double model, bool counts)
{
	const size_t end = strlen(out->text);
	const double off = 100 * (model / trace - 1);
	char texts[2][MODEL_NUMBER_BYTES];

	for (unsigned i = 0; i < 2; i++)
		(void)format_quantity(type, i ? model : trace, texts[i]);
	if (out->count < FIT_COMPARED_MAX)
		out->each[out->count++] = (struct fit_compared){what, type, trace, model,
								NAN,  NAN,  counts};
	out->misses = out->misses || (counts && !(off >= -MISS && off <= MISS));
	(void)snprintf(out->text + end, sizeof(out->text) - end,
		       end > 0 ? "; %s %s, %s (%+.3g %%)"
			       : "%s %s in the trace, %s in the model (%+.3g %%)",
		       what, texts[0], texts[1], off);
}

struct fit_prediction fit_predict(const double *runs, unsigned count, double further)
{
	double mean = 0, squares = 0, half = 0;

	for (unsigned r = 0; r < count; r++)
		mean += runs[r];
	mean /= count; // not before: the mean of equal numbers is theirs
	for (unsigned r = 0; r < count; r++)
		squares += (runs[r] - mean) * (runs[r] - mean);
	if (count > 1)
		half = gsl_cdf_tdist_Pinv(0.5 + LEVEL / 2, count - 1) *
		       sqrt(squares / (count - 1) * (further + 1.0 / count));
	return (struct fit_prediction){mean, fmax(mean - half, 0), mean + half};
}

void fit_compare_runs(struct fit_comparison *out, const char *what, enum model_type type,
		      double trace, const double *runs, unsigned count, double over, bool counts)
{
	const struct fit_prediction all = fit_predict(runs, count, 2),
				    one = {all.mean / over, all.low / over, all.high / over};
	const bool inside = out->held_out && trace >= one.low && trace <= one.high;
	const size_t end = strlen(out->text);
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	fit_compare(out, what, type, trace, one.mean, counts && !inside);
	out->each[out->count - 1].low = one.low;
	out->each[out->count - 1].high = one.high;
	out->each[out->count - 1].counts = counts;
	if (counts && inside && fabs(one.mean - trace) * 100 > MISS * trace)
		out->unshown = true;
	if (out->held_out && end < strlen(out->text))
		(void)snprintf(out->text + strlen(out->text) - 1,
			       sizeof(out->text) - strlen(out->text) + 1, ", %s .. %s)",
			       format_quantity(type, one.low, a),
			       format_quantity(type, one.high, b));
}

void fit_compare_reruns(struct fit_comparison *out, const struct fit_reruns *reruns,
			const struct fit_traced *traced)
{
	const struct fit_iterations *iterations = &traced->iterations;
	const double length_s = (double)(iterations->end_ticks - iterations->begin_ticks) /
				(double)traced->ticks_per_s / iterations->all;

	if (traced->packets > 0)
		fit_compare_runs(out, "packets", MODEL_COUNT, traced->packets, reruns->packets,
				 reruns->count, 1, true);
	if (traced->wire_B > 0)
		fit_compare_runs(out, "bytes", MODEL_COUNT, traced->wire_B, reruns->wire_B,
				 reruns->count, 1, true);
	fit_compare(out, "iterations", MODEL_COUNT, iterations->all, iterations->count, true);
	fit_compare_runs(out, "length of one", MODEL_TIME, length_s, reruns->seconds, reruns->count,
			 iterations->count, true);
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
