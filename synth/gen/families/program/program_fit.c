// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_eager.h"
#include "gen/families/program/program_exponents.h"
#include "gen/families/program/program_fitting.h"
#include "gen/model_field.h"
#include "value/order.h"

#define DIGITS 4      // of fitted times
#define SIZE_DIGITS 9 // of sizes
#define SNAP 0.03     // exponents of sizes this near to a half are that half
#define SLACK 2.0     // full packets
#define NONE 1e-3     // exponents of times this near to 0 are 0
#define SURE 3.0      // standard errors by which two mean times differ

static int program_fit_by_nodes(const void *a, const void *b)
{
	const struct program_capture *x = a, *y = b;

	ORDER_BY(x->trace.nodes, y->trace.nodes);
	return ORDER(x->problem, y->problem);
}

static enum tr_status fold_all(struct fitting *fitting, struct program_capture *captures,
			       struct tr_error *err)
{
	qsort(captures, fitting->count, sizeof(*captures), program_fit_by_nodes);
	for (size_t i = 0; i < fitting->count; i++) {
		struct folded *each = &fitting->each[i];
		enum tr_status status = program_fold_make(&each->fold, &captures[i].trace,
							  captures[i].doublings, err);

		each->capture = &captures[i];
		fitting->log_nodes[i] = log(captures[i].trace.nodes);
		fitting->log_problems[i] = captures[i].problem > 0 ? log(captures[i].problem) : 0;
		if (status != TR_OK) {
			(void)tr_fail_in(err, "%s", captures[i].trace.name);
			return status;
		}
	}
	return TR_OK;
}

// Silences that differ with the nodes or the problem are computing, of each rank after what it did
// last in the iteration before.
static void settle_silences(struct fitting *fitting)
{
	double least = INFINITY, most = -INFINITY, error = 0;
	bool same = true;

	for (size_t i = 0; i < fitting->count; i++) {
		const struct program_fold *fold = &fitting->each[i].fold;
		const struct program_values values = {fold->silence_ticks, fold->silence_count, 0};
		const struct program_moments moments = program_values_moments(&values);
		const double silence = log(moments.mean /
					   fitting->each[i].capture->trace.ticks_per_s);

		same = same && fold->silent && moments.mean > 0;
		least = fmin(least, silence);
		most = fmax(most, silence);
		error += moments.variation / fmax(1, fold->silence_count);
	}
	same = same && !(most - least > SURE * sqrt(error));
	for (size_t i = 0; fitting->count > 1 && !same && i < fitting->count; i++)
		fitting->each[i].fold.silent = false;
}

static enum tr_status find_phases_of(struct folded *each, const struct program_allowed *allowed,
				     struct tr_error *err)
{
	const struct program_trace *trace = &each->capture->trace;
	enum tr_status status;

	program_phases_clear(&each->phases);
	status = program_phases_find(&each->phases, &each->fold, trace->nodes, trace->library,
				     allowed, err);
	if (status == TR_OK)
		status = program_phases_time(&each->phases, &each->fold,
					     SLACK * trace->flow.pace_s * trace->ticks_per_s, err);
	if (status != TR_OK)
		(void)tr_fail_in(err, "%s", trace->name);
	return status;
}

static enum tr_status find_phases(struct fitting *fitting, const struct program_allowed *allowed,
				  struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < fitting->count && status == TR_OK; i++)
		status = find_phases_of(&fitting->each[i], allowed, err);
	return status;
}

// What differs on more nodes may be the same again on fewer: two iterations of these, or four, then
// have the phases of one.
static enum tr_status double_iterations(struct fitting *fitting,
					const struct program_allowed *allowed, struct tr_error *err)
{
	const uint32_t most = program_last(fitting)->phases.count;
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < fitting->count; i++) {
		struct folded *each = &fitting->each[i];

		for (uint32_t before = 0; status == TR_OK && 2 * each->phases.count <= most &&
					  each->fold.slot_count > before;) {
			before = each->fold.slot_count;
			program_fold_clear(&each->fold);
			status = program_fold_make(&each->fold, &each->capture->trace,
						   ++each->capture->doublings, err);
			if (status == TR_OK)
				status = find_phases_of(each, allowed, err);
		}
	}
	return status;
}

// Several patterns have the same messages on few nodes: those that all captures show, or else that
// of the one with most nodes.
static enum tr_status find_common_phases(struct fitting *fitting, struct tr_error *err)
{
	struct program_allowed common[PROGRAM_PHASES_MAX];
	enum tr_status status = find_phases(fitting, NULL, err);

	if (status != TR_OK || fitting->count < 2)
		return status;
	for (uint32_t p = 0; p < PROGRAM_PHASES_MAX; p++) {
		const struct program_phases *last = &program_last(fitting)->phases;

		common[p] = (struct program_allowed){program_common_patterns(fitting, p),
						     UINT32_MAX, false};
		if (common[p].patterns == 0 && p < last->count)
			common[p] = program_phase_allowed(&last->seen[p]);
		else if (common[p].patterns == 0)
			common[p].patterns = UINT32_MAX;
	}
	status = find_phases(fitting, common, err);
	return status == TR_OK ? double_iterations(fitting, common, err) : status;
}

// Values of the captures; NaN or 0 where one has none.
static struct program_points program_fit_points_of(const struct fitting *fitting,
						   const double *values)
{
	return (struct program_points){fitting->count, fitting->log_nodes, fitting->log_problems,
				       values};
}

// p^b N^c at a capture.
static double shape_at(const struct fitting *fitting, const struct program_power *power, size_t i)
{
	return exp(power->p_exponent * fitting->log_nodes[i] +
		   power->n_exponent * fitting->log_problems[i]);
}

// ---- Sizes

static double snap(double exponent)
{
	const double half = round(2 * exponent) / 2;

	return fabs(exponent - half) < SNAP ? half : model_settle(MODEL_REAL, exponent, DIGITS);
}

static void fit_exponents(struct fitting *fitting, double *values)
{
	for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
		struct program_power *power = &fitting->model.phases[p].bytes;
		struct program_points points;

		for (size_t i = 0; i < fitting->count; i++)
			values[i] = fitting->each[i].phases.seen[p].bytes *
				    program_settle_parts(fitting, p, i);
		points = program_fit_points_of(fitting, values);
		(void)program_exponents_fit(&points, power);
		power->p_exponent = snap(power->p_exponent);
		power->n_exponent = snap(power->n_exponent);
	}
}

// The envelope of a kind of message, from two messages of a phase: both of this kind, or one of the
// other kind whose envelope is known. NaN: none is told.
static double envelope_of(const struct fitting *fitting, bool granted, double *values)
{
	const double other_B = fitting->envelope_B[!granted];
	size_t count = 0;
	double envelope_B;

	for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
		const struct program_power *power = &fitting->model.phases[p].bytes;

		for (size_t i = 0; i + 1 < fitting->count; i++) {
			const struct program_seen *a = &fitting->each[i].phases.seen[p],
						  *b = &fitting->each[i + 1].phases.seen[p];
			const double x = shape_at(fitting, power, i),
				     y = shape_at(fitting, power, i + 1);

			if (fitting->model.phases[p].collective || fabs(x - y) < 1e-6 * x)
				continue;
			if (a->granted == granted && b->granted == granted)
				values[count++] = (b->bytes * x - a->bytes * y) / (x - y);
			else if (b->granted == granted && !isnan(other_B))
				values[count++] = b->bytes - (a->bytes - other_B) * y / x;
			else if (a->granted == granted && !isnan(other_B))
				values[count++] = a->bytes - (b->bytes - other_B) * x / y;
		}
	}
	if (count == 0)
		return NAN;
	qsort(values, count, sizeof(*values), order_double);
	envelope_B = round(values[count / 2]);
	return envelope_B >= 0 && envelope_B <= PROGRAM_ENVELOPE_MAX ? envelope_B : NAN;
}

static void fit_sizes(struct fitting *fitting, double *values)
{
	const double of_library_B = program_eager_envelope(
		&program_last(fitting)->capture->trace.flow);

	fit_exponents(fitting, values);
	fitting->envelope_B[0] = fitting->envelope_B[1] = NAN;
	for (unsigned pass = 0; pass < 4; pass++)
		if (isnan(fitting->envelope_B[pass % 2]))
			fitting->envelope_B[pass % 2] = envelope_of(fitting, pass % 2 == 1, values);
	if (isnan(fitting->envelope_B[0]) && fitting->envelope_B[1] >= of_library_B)
		fitting->envelope_B[0] = of_library_B;
	for (unsigned kind = 0; kind < 2; kind++)
		if (isnan(fitting->envelope_B[kind]))
			fitting->envelope_B[kind] = 0;
	for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
		struct program_power *power = &fitting->model.phases[p].bytes;
		double sum = 0;

		for (size_t i = 0; i < fitting->count; i++) {
			const struct program_seen *seen = &fitting->each[i].phases.seen[p];
			const double envelope_B = seen->shape.collective
							  ? 0
							  : fitting->envelope_B[seen->granted];

			sum += fmax(0, seen->bytes - envelope_B) *
			       program_settle_parts(fitting, p, i) / shape_at(fitting, power, i);
		}
		power->a = model_settle(MODEL_SIZE, sum / (double)fitting->count, SIZE_DIGITS);
	}
}

// ---- Times

static const struct program_values *values_of(const struct folded *each, uint32_t phase,
					      bool between)
{
	const struct program_seen *seen = &each->phases.seen[phase];

	return between ? &seen->betweens : &seen->computes;
}

// Whether the means of two captures differ by more than chance; a rank's times in one iteration may
// be alike.
static bool program_fit_differ(const struct fitting *fitting, uint32_t phase, bool between)
{
	double error = 0, least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < fitting->count; i++) {
		const struct program_moments moments = program_values_moments(
			values_of(&fitting->each[i], phase, between));

		if (!(moments.mean > 0))
			continue;
		least = fmin(least,
			     log(moments.mean / fitting->each[i].capture->trace.ticks_per_s));
		most = fmax(most, log(moments.mean / fitting->each[i].capture->trace.ticks_per_s));
		error += moments.variation / fitting->each[i].fold.iterations;
	}
	return most - least > SURE * sqrt(error);
}

// Adds "what 44 ms 22 ms" to the phase's note.
static void note_times(const struct fitting *fitting, uint32_t phase, const char *what,
		       const double *values)
{
	char *note = fitting->notes[phase], number[MODEL_NUMBER_BYTES];
	size_t end = strlen(note);

	end += (size_t)snprintf(note + end, PROGRAM_NOTE_BYTES - end, "%s%s", end > 0 ? "; " : "",
				what);
	for (size_t i = 0; i < fitting->count; i++)
		if (values[i] > 0 && end + MODEL_NUMBER_BYTES < PROGRAM_NOTE_BYTES)
			end += (size_t)snprintf(note + end, PROGRAM_NOTE_BYTES - end, " %s",
						model_format(MODEL_TIME,
							     model_settle(MODEL_TIME, values[i], 3),
							     number));
}

// What of a time that only one capture shows is computing, which hardly varies from one iteration
// to the next: all but one standard deviation, since what hosts take to answer varies as much as it
// lasts.
static double computing_part(double variation)
{
	return fmax(0, 1 - sqrt(variation));
}

static double settle_exponent(double exponent)
{
	return fabs(exponent) < NONE ? 0 : model_settle(MODEL_REAL, exponent, 3);
}

// Fits a time of the phase. like (NULL: none): where only one of several captures shows it, what of
// it is computing grows as this does, and the rest is constant: near that capture, the exponents
// are those of the computing by its part.
static void program_fit_fit_time(struct fitting *fitting, uint32_t phase, bool between,
				 const struct program_time *like, struct program_time *out,
				 double *values)
{
	double variation = 0, sum = 0, count = 0;
	struct program_points points;
	size_t shown;

	for (size_t i = 0; i < fitting->count; i++) {
		const struct program_moments moments = program_values_moments(
			values_of(&fitting->each[i], phase, between));

		values[i] = moments.mean / fitting->each[i].capture->trace.ticks_per_s;
		if (values[i] > 0)
			variation = moments.variation;
	}
	points = program_fit_points_of(fitting, values);
	shown = program_exponents_fit(&points, &out->mean_s);
	out->law.name = LAW_CONSTANT;
	if (shown == 0)
		return;
	if (!program_fit_differ(fitting, phase, between))
		out->mean_s = (struct program_power){.a = 0};
	if (shown < 2 && like) {
		out->mean_s.p_exponent = like->mean_s.p_exponent * computing_part(variation);
		out->mean_s.n_exponent = like->mean_s.n_exponent * computing_part(variation);
	}
	out->mean_s.p_exponent = settle_exponent(out->mean_s.p_exponent);
	out->mean_s.n_exponent = settle_exponent(out->mean_s.n_exponent);
	for (size_t i = 0; i < fitting->count; i++)
		if (values[i] > 0) {
			sum += log(values[i] / shape_at(fitting, &out->mean_s, i));
			count++;
		}
	out->mean_s.a = model_settle(MODEL_TIME, exp(sum / count), DIGITS);
	program_law_set(&out->law, variation);
	note_times(fitting, phase, between ? "between" : "compute", values);
	if (shown < 2 && like && like->mean_s.a > 0 && fitting->count > 1)
		(void)strncat(fitting->notes[phase], ", partly computing",
			      PROGRAM_NOTE_BYTES - strlen(fitting->notes[phase]) - 1);
}

// ---- What is not of phases

// The largest message without a request and the smallest one with a request.
static void fit_eager(struct fitting *fitting, struct model *text)
{
	double eager_B = 0, granted_B = INFINITY;

	for (size_t i = 0; i < fitting->count; i++)
		for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
			const struct program_seen *seen = &fitting->each[i].phases.seen[p];
			const double bytes = seen->bytes - fitting->envelope_B[seen->granted];

			if (seen->granted)
				granted_B = fmin(granted_B, bytes);
			else if (!seen->shape.collective)
				eager_B = fmax(eager_B, bytes);
		}
	program_eager_fit(&fitting->model, eager_B, granted_B, text);
}

static void fit_flow(struct fitting *fitting)
{
	struct folded *from = &fitting->each[fitting->count - 1];
	const double ticks_per_s = from->capture->trace.ticks_per_s;
	const struct program_moments turn = program_values_usual(&from->phases.turns);
	struct program_flow *flow = &fitting->model.flow;
	const struct program_flow settled = *flow;

	*flow = from->capture->trace.flow;
	program_settle_pace(fitting, flow);
	flow->pace_s = model_settle(MODEL_TIME, fmax(flow->pace_s, 1e-12), DIGITS);
	flow->burst_B = round(flow->burst_B);
	flow->pairs = model_settle(MODEL_SHARE, flow->pairs, 3);
	flow->pair_gap_s = model_settle(MODEL_TIME, flow->pair_gap_s, 3);
	flow->stalls = model_settle(MODEL_SHARE, fmin(flow->stalls, PROGRAM_STALLS_MAX), 3);
	flow->stall_s = model_settle(MODEL_TIME, flow->stall_s, 3);
	flow->stall_after_B = round(flow->stall_after_B);
	flow->acks = model_settle(MODEL_REAL, flow->acks, 3);
	flow->ack_s = model_settle(MODEL_TIME, flow->ack_s, 3);
	flow->turn_s = model_settle(
		MODEL_TIME, from->phases.turns.count ? turn.mean / ticks_per_s : flow->turn_s,
		DIGITS);
	program_law_set(&flow->turn, turn.variation);
	flow->take_s = settled.take_s;
	flow->lag_s = settled.lag_s;
	flow->look_s = settled.look_s;
	flow->look = settled.look;
	flow->end_B = fmax(0, fitting->envelope_B[1] - fitting->envelope_B[0]);
	flow->envelope_B += fitting->envelope_B[0];
}

static void fit_silence(struct fitting *fitting)
{
	const struct folded *from = program_last(fitting);
	const struct program_values values = {from->fold.silence_ticks, from->fold.silence_count,
					      0};
	const struct program_moments moments = program_values_moments(&values);

	fitting->model.silence.name = LAW_CONSTANT;
	if (!from->fold.silent || values.count == 0)
		return;
	fitting->model.silence_s = model_settle(
		MODEL_TIME, moments.mean / from->capture->trace.ticks_per_s, DIGITS);
	program_law_set(&fitting->model.silence, moments.variation);
}

static enum tr_status fit_program(struct fitting *fitting, struct model *text, struct tr_error *err)
{
	double *values = calloc(fitting->count * (fitting->model.phase_count + 1), sizeof(*values));

	if (!values)
		return tr_no_memory(err, "%u phases", fitting->model.phase_count);
	program_describe(fitting, text);
	fit_sizes(fitting, values);
	for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
		struct program_phase *phase = &fitting->model.phases[p];

		program_fit_fit_time(fitting, p, false, NULL, &phase->compute, values);
		program_fit_fit_time(fitting, p, true, &phase->compute, &phase->between, values);
	}
	fit_flow(fitting);
	fit_silence(fitting);
	fitting->model.nodes = program_last(fitting)->capture->trace.nodes;
	fitting->model.problem = program_last(fitting)->capture->problem > 0
					 ? program_last(fitting)->capture->problem
					 : 1;
	fitting->model.iterations = program_last(fitting)->capture->iterations.count;
	fit_eager(fitting, text);
	program_model_put(text, &fitting->model, (const char *const *)fitting->notes);
	free(values);
	return TR_OK;
}

enum tr_status program_fit(struct program_capture *captures, size_t count, struct model *text,
			   struct program_others *others, struct tr_error *err)
{
	struct fitting fitting = {.each = calloc(count + 1, sizeof(*fitting.each)),
				  .count = count,
				  .log_nodes = calloc(count + 1, sizeof(*fitting.log_nodes)),
				  .log_problems = calloc(count + 1, sizeof(*fitting.log_problems))};
	enum tr_status status = TR_OK;

	if (!fitting.each || !fitting.log_nodes || !fitting.log_problems)
		status = tr_no_memory(err, "%zu captures", count);
	if (status == TR_OK)
		status = fold_all(&fitting, captures, err);
	if (status == TR_OK)
		settle_silences(&fitting);
	if (status == TR_OK)
		status = find_common_phases(&fitting, err);
	if (status == TR_OK)
		status = program_settle_shapes(&fitting, err);
	if (status == TR_OK)
		status = program_settle_lag(&fitting, err);
	if (status == TR_OK)
		status = program_settle_looks(&fitting, err);
	if (status == TR_OK)
		status = fit_program(&fitting, text, err);
	if (status == TR_OK && others)
		status = program_others_find(&fitting, others, err);
	for (uint32_t p = 0; fitting.notes && p < fitting.model.phase_count; p++)
		free(fitting.notes[p]);
	free(fitting.notes);
	program_model_clear(&fitting.model);
	for (size_t i = 0; fitting.each && i < count; i++) {
		program_phases_clear(&fitting.each[i].phases);
		program_fold_clear(&fitting.each[i].fold);
	}
	free(fitting.each);
	free(fitting.log_nodes);
	free(fitting.log_problems);
	return status;
}
