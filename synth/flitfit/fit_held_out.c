// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a program's model predicts what it was not fitted to: of each trace the later half of its
// iterations, of traces of three numbers of nodes or more those of the largest; and whether what
// the traces leave open matters on twice the nodes.
#include "flitfit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_fit.h"
#include "table/table_rows.h"

#define ITERATIONS_MIN 6u // of a trace of which half is held out: 3 are the fewest that fold
#define OPEN_ITERATIONS 10u
#define OPEN_MISS 10.0	     // percent
#define LINE_PACKETS 100000u // of a run, carried over a line

// in_trace, in_model: numbers, and times in s. holds: "not shown" if it is off, but inside the
// interval.
TABLE_ROW(held_check, (text, trace), (text, held_out), (text, quantity), (real, in_trace, 7),
	  (real, in_model, 7), (real, model_lo, 7), (real, model_hi, 7), (real, off, 3, "off_%"),
	  (text, holds));

struct held_out {
	struct tool *tool;
	const struct fit_request *request;
	struct model *text;  // gets comments
	bool tails;	     // as struct fit_comparison's
	bool packets;	     // the captures show them
	struct table *table; // gets the checks; NULL without --rank
	double worst;	     // off by most, of what counts; percent
	char worst_text[FIT_DOUBT_BYTES];
	char reason[FIT_DOUBT_BYTES + 200];
};

// Parts of captures. program_fit puts captures in order; these are, and stay so.
struct held_parts {
	struct program_capture *each;
	struct packet_sample *packets;
	size_t count;
};

static bool held_parts_open(struct held_parts *parts, size_t count, struct tr_error *err)
{
	*parts = (struct held_parts){.each = calloc(count, sizeof(*parts->each)),
				     .packets = calloc(count, sizeof(*parts->packets))};
	if (!parts->each || !parts->packets)
		(void)tr_no_memory(err, "%zu captures", count);
	return parts->each && parts->packets;
}

static void held_parts_close(struct held_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		program_trace_clear(&parts->each[i].trace);
	free(parts->each);
	free(parts->packets);
}

// What of the iterations: all, their first half, or their second one.
enum held_half { HELD_ALL, HELD_FIRST, HELD_LATER };

static enum tr_status cut_messages(const struct program_trace *whole, enum held_half half,
				   struct program_trace *out, struct tr_error *err)
{
	for (size_t i = 0; i < whole->count; i++) {
		const struct program_found *found = &whole->found[i];

		if (half != HELD_ALL && found->later != (half == HELD_LATER))
			continue;
		if (program_trace_add(out, found, err) != TR_OK)
			return TR_ERROR;
		out->all.bytes += (double)found->bytes;
		out->all.messages += found->operation == 0;
		out->all.operations += found->operation != 0;
	}
	out->all.operations /= whole->nodes;
	return TR_OK;
}

static enum tr_status held_parts_add(struct held_parts *parts, const struct program_capture *whole,
				     enum held_half half, struct tr_error *err)
{
	struct program_capture *out = &parts->each[parts->count];
	struct packet_sample *packets = &parts->packets[parts->count++];

	out->problem = whole->problem;
	out->doublings = whole->doublings;
	out->trace = (struct program_trace){.name = whole->trace.name,
					    .nodes = whole->trace.nodes,
					    .ticks_per_s = whole->trace.ticks_per_s,
					    .library = whole->trace.library,
					    .flow = whole->trace.flow,
					    .pace_known = whole->trace.pace_known};
	if (whole->packets) {
		*packets = packet_sample_part(whole->packets,
					      half == HELD_LATER ? whole->middle_ticks : INT64_MIN,
					      half == HELD_FIRST ? whole->middle_ticks : INT64_MAX);
		out->packets = packets;
	}
	if (!whole->trace.shows_packets)
		return cut_messages(&whole->trace, half, &out->trace, err);
	return program_trace_find(&out->trace, packets, whole->ranks, whole->trace.nodes, err);
}

// Of messages, whose packets no trace shows, those of their own model.
static enum tr_status held_as_packets(const struct held_out *held, const struct model *own,
				      struct fit_traced *traced, struct tr_error *err)
{
	struct fit_reruns runs = {.count = 0};

	if (fit_rerun_add(&runs, own, traced, held->request->seed, NULL, err) != TR_OK)
		return TR_ERROR;
	traced->packets = runs.packets[0];
	traced->wire_B = runs.wire_B[0];
	traced->iterations.all = traced->iterations.count;
	traced->iterations.begin_ticks = 0;
	traced->iterations.end_ticks = (int64_t)(runs.seconds[0] * (double)traced->ticks_per_s);
	return TR_OK;
}

// Compares a model with a capture that it was not fitted to, whose own model is known.
static enum tr_status compare_held(const struct held_out *held, const struct model *model,
				   const struct model *own, const struct program_capture *capture,
				   struct fit_comparison *out, struct tr_error *err)
{
	const struct fit_notes notes = {.iterations = capture->iterations};
	struct fit_traced traced = {.iterations = capture->iterations,
				    .ticks_per_s = (uint64_t)capture->trace.ticks_per_s};
	struct fit_reruns runs = {.count = 0};
	struct model predicting = {.name = NULL};
	enum tr_status status = TR_OK;

	fit_program_model_for(model, capture, &predicting);
	if (capture->packets) {
		const struct packet_sample packets = fit_program_packets(capture);
		const struct fit_doubt doubt = fit_doubt_of(&predicting, &notes, &packets);

		status = fit_try_program(held->tool, held->request, &doubt, &packets, out, err);
	} else {
		status = held_as_packets(held, own, &traced, err);
		for (unsigned r = 0; r < FIT_RERUNS_MAX && status == TR_OK; r++)
			status = fit_rerun_add(&runs, &predicting, &traced, held->request->seed + r,
					       NULL, err);
		if (status == TR_OK)
			fit_compare_reruns(out, &runs, &traced);
	}
	model_clear(&predicting);
	return status;
}

static void tabulate_held(struct held_out *held, const char *trace, const char *what,
			  const struct fit_comparison *comparison)
{
	if (comparison->count == 0)
		TABLE_PUT(held->table, held_check, .trace = trace, .held_out = what,
			  .quantity = "program", .in_trace = NAN, .in_model = NAN, .model_lo = NAN,
			  .model_hi = NAN, .off = NAN, .holds = "no");
	for (unsigned i = 0; i < comparison->count; i++) {
		const struct fit_compared *one = &comparison->each[i];
		const double off = 100 * (one->model / one->trace - 1);
		const bool inside = one->trace >= one->low && one->trace <= one->high;
		char quantity[80];

		(void)snprintf(quantity, sizeof(quantity), "%s%s", one->what,
			       one->type == MODEL_TIME ? ", s" : "");
		TABLE_PUT(held->table, held_check, .trace = trace, .held_out = what,
			  .quantity = quantity, .in_trace = one->trace, .in_model = one->model,
			  .model_lo = one->low, .model_hi = one->high, .off = off,
			  .holds = fabs(off) <= OPEN_MISS ? "yes"
				   : !one->counts	  ? "does not count"
				   : inside		  ? "not shown"
							  : "no");
		if (!one->counts || !(fabs(off) > fabs(held->worst)))
			continue;
		held->worst = off;
		(void)snprintf(held->worst_text, sizeof(held->worst_text),
			       "%s of %s without %s, off by %+.3g %%", one->what, trace, what, off);
	}
}

static enum tr_status print_held(struct held_out *held, struct tr_error *err)
{
	if (!held->table)
		return TR_OK;
	table_note(held->table, "worst: %s",
		   *held->worst_text ? held->worst_text : "nothing was held out");
	return tables_finish(&held->table, 1, held->request->style, "flitfit",
			     tool_stdout(held->tool), err);
}

// Judges the model by a capture, whose comparison it gets; what: of it, was held out.
static void judge_held(struct held_out *held, const struct program_capture *capture,
		       const struct fit_comparison *comparison, const char *what)
{
	model_comment(held->text, "%s: held out: %s: %s.", capture->trace.name, what,
		      comparison->text);
	if (held->table)
		tabulate_held(held, capture->trace.name, what, comparison);
	if (comparison->unshown && !comparison->misses && held->tails)
		tool_warn(held->tool,
			  "%s: fitted without %s, the program is off them by more than a tenth, "
			  "but no more than its own runs are from each other; whether it holds was "
			  "not shown: longer traces decide",
			  capture->trace.name, what);
	if (comparison->misses && !*held->reason)
		(void)snprintf(held->reason, sizeof(held->reason),
			       "%s: fitted without %s, it misses them: %s", capture->trace.name,
			       what, comparison->text);
}

// Fits count captures and judges the fit by others, of which what was held out of it. Their own
// model is that of all of them, since fewer nodes alone may not show what the phases are.
static enum tr_status hold_out(struct held_out *held, struct program_capture *captures,
			       size_t count, struct program_capture *others, size_t other_count,
			       const char *what, struct tr_error *err)
{
	struct model model = {.name = NULL}, own = {.name = NULL};
	struct tr_error why = {.text = ""};
	enum tr_status status = program_fit(captures, count, &model, NULL, &why);
	bool is_same = false;

	if (status == TR_END && !*held->reason)
		(void)snprintf(held->reason, sizeof(held->reason),
			       "without %s it is no program: %s", what, why.text);
	if (status == TR_OK) {
		status = program_fit(others, other_count, &own, NULL, &why);
		is_same = status == TR_OK;
	} else {
		other_count = 0;
	}
	for (size_t i = 0; i < other_count && status != TR_ERROR; i++) {
		struct fit_comparison comparison = {
			.held_out = true, .misses = !is_same, .tails = held->tails};
		struct model as_own = {.name = NULL};

		if (is_same) {
			fit_program_model_for(&own, &others[i], &as_own);
			status = compare_held(held, &model, &as_own, &others[i], &comparison, &why);
			model_clear(&as_own);
		} else {
			(void)snprintf(comparison.text, sizeof(comparison.text),
				       "it is another program: %s", why.text);
		}
		if (status != TR_ERROR)
			judge_held(held, &others[i], &comparison, what);
	}
	model_clear(&model);
	model_clear(&own);
	if (status == TR_ERROR)
		*err = why;
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

// ---- Iterations

static enum tr_status hold_iterations(struct held_out *held, const struct program_capture *captures,
				      size_t count, struct tr_error *err)
{
	struct held_parts first = {.count = 0}, later = {.count = 0};
	enum tr_status status = held_parts_open(&first, count, err) &&
						held_parts_open(&later, count, err)
					? TR_OK
					: TR_ERROR;

	for (size_t i = 0; i < count && status == TR_OK; i++) {
		const struct program_capture *each = &captures[i];
		const bool halved = each->iterations.all >= ITERATIONS_MIN;

		if (!halved)
			model_comment(held->text, "%s: %u iterations: none are held out.",
				      each->trace.name, each->iterations.all);
		status = held_parts_add(&first, each, halved ? HELD_FIRST : HELD_ALL, err);
		if (halved && status == TR_OK)
			status = held_parts_add(&later, each, HELD_LATER, err);
	}
	if (status == TR_OK && later.count > 0)
		status = hold_out(held, first.each, first.count, later.each, later.count,
				  "the later half of its iterations", err);
	held_parts_close(&first);
	held_parts_close(&later);
	return status;
}

// ---- Numbers of nodes

static enum tr_status hold_nodes(struct held_out *held, const struct program_capture *captures,
				 size_t count, struct tr_error *err)
{
	const uint32_t most = captures[count - 1].trace.nodes;
	struct program_capture *copies;
	enum tr_status status;
	char what[60];
	size_t fewer = 0;

	while (captures[fewer].trace.nodes < most)
		fewer++;
	if (fewer == 0)
		return TR_OK;
	if (captures[0].trace.nodes == captures[fewer - 1].trace.nodes) {
		model_comment(held->text,
			      "Of two numbers of nodes: how sizes and times go on with the nodes "
			      "was not tested.");
		tool_warn(held->tool,
			  "the traces are of two numbers of nodes, %u and %u, so how the program "
			  "goes on with the nodes was not tested; add a trace of a third number",
			  captures[0].trace.nodes, most);
		return TR_OK;
	}
	copies = calloc(count, sizeof(*copies));
	if (!copies)
		return tr_no_memory(err, "%zu captures", count);
	memcpy(copies, captures, count * sizeof(*copies));
	for (size_t i = 0; i < fewer; i++)
		if (!copies[i].trace.shows_packets)
			copies[i].trace.flow = captures[count - 1].trace.flow;
	(void)snprintf(what, sizeof(what), "the traces of %u nodes", most);
	status = hold_out(held, copies, fewer, copies + fewer, count - fewer, what, err);
	free(copies);
	return status;
}

// ---- What the captures leave open

static const char *const open_names[] = {"packets", "bytes", "length of an iteration"};
static const char *const line_names[] = {"mean latency", "99th percentile of the latency"};

// Runs of one model on twice the nodes: packets, bytes and length, and the latency over a line of
// so many switches (0: not wanted). TR_END: it has none on so many; err says why.
static enum tr_status run_other(const struct held_out *held, struct program_other *other,
				uint32_t line, double out[5], struct tr_error *err)
{
	const struct fit_traced traced = {.ticks_per_s = 1000000000};
	struct fit_reruns runs = {.count = 0};
	char iterations[MODEL_NUMBER_BYTES];
	double latencies[2], sums[2] = {0, 0};
	enum tr_status status = TR_OK;

	(void)snprintf(iterations, sizeof(iterations), "%u", OPEN_ITERATIONS);
	model_set(&other->text, "iterations", iterations);
	for (unsigned r = 0; r < FIT_RERUNS && status == TR_OK; r++) {
		struct packet_sample sent = {.ticks_per_s = (double)traced.ticks_per_s,
					     .most = LINE_PACKETS};

		status = fit_rerun_add(&runs, &other->text, &traced, held->request->seed + r,
				       line > 0 ? &sent : NULL, err);
		if (status == TR_OK && line > 0)
			status = fit_net_latency(held->request, &sent, line, latencies, err);
		for (unsigned q = 0; q < 2 && status == TR_OK && line > 0; q++)
			sums[q] += latencies[q];
		packet_sample_clear(&sent);
	}
	if (status != TR_OK)
		return err->breakdown ? TR_ERROR : TR_END;
	out[0] = fit_predict(runs.packets, runs.count, 1).mean;
	out[1] = fit_predict(runs.wire_B, runs.count, 1).mean;
	out[2] = fit_predict(runs.seconds, runs.count, 1).mean / OPEN_ITERATIONS;
	for (unsigned q = 0; q < 2; q++)
		out[3 + q] = sums[q] / FIT_RERUNS;
	return TR_OK;
}

// Tells by how much the latency depends on times that vary more than the captures show.
static enum tr_status tell_scattered(struct held_out *held, struct program_others *others,
				     struct program_other *other, struct tr_error *err)
{
	const uint32_t nodes = others->nodes;
	double as_fitted[5], scattered[5];
	char told[FIT_DOUBT_BYTES] = "";
	enum tr_status status = run_other(held, &others->each[0], nodes, as_fitted, err);

	if (status == TR_OK)
		status = run_other(held, other, nodes, scattered, err);
	if (status == TR_END)
		(void)snprintf(told, sizeof(told), "line:%u with %s was not tried: %s", nodes,
			       other->what, err->text);
	for (unsigned q = 0; q < 2 && status == TR_OK && !*told; q++) {
		const double off = 100 * (scattered[3 + q] / as_fitted[3 + q] - 1);

		if (!(off >= -OPEN_MISS && off <= OPEN_MISS))
			(void)snprintf(told, sizeof(told),
				       "the %s on %u nodes over line:%u (%s) is %.4g us, %.4g us "
				       "(%+.3g %%) with %s; a trace of %u nodes tells them apart",
				       line_names[q], nodes, nodes, FIT_LINE_FABRIC,
				       1e6 * as_fitted[3 + q], 1e6 * scattered[3 + q], off,
				       other->what, nodes);
	}
	if (*told) {
		model_comment(held->text, "Not known: %s.", told);
		tool_warn(held->tool, "%s", told);
	}
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

static enum tr_status try_open(struct held_out *held, struct program_others *others,
			       struct tr_error *err)
{
	double as_fitted[5], other[5];
	struct tr_error why;

	for (size_t i = 0; i < others->count; i++) {
		enum tr_status status;

		if (others->each[i].scattered)
			continue;
		status = run_other(held, &others->each[i], 0, i == 0 ? as_fitted : other, &why);
		if (status == TR_ERROR)
			return tr_no_memory(err, "another model");
		if (status == TR_END && i == 0)
			return TR_OK;
		for (unsigned q = 0; status == TR_OK && i > 0 && q < 3; q++) {
			const double off = 100 * (other[q] / as_fitted[q] - 1);

			if (off >= -OPEN_MISS && off <= OPEN_MISS)
				continue;
			model_comment(held->text, "As well fits %s: on %u nodes %+.3g %% of %s.",
				      others->each[i].what, others->nodes, off, open_names[q]);
			if (!*held->reason)
				(void)snprintf(held->reason, sizeof(held->reason),
					       "%s fits the traces as well, with %+.3g %% of the "
					       "%s on %u nodes; a trace of %u nodes tells them "
					       "apart",
					       others->each[i].what, off, open_names[q],
					       others->nodes, others->nodes);
			break;
		}
	}
	for (size_t i = 1; i < others->count; i++)
		if (others->each[i].scattered && held->packets &&
		    (!*held->reason || held->request->force))
			return tell_scattered(held, others, &others->each[i], err);
	return TR_OK;
}

enum tr_status fit_held_out(struct tool *tool, const struct fit_request *request,
			    const struct program_capture *captures, size_t count,
			    struct program_others *others, struct model *text, struct tr_error *err)
{
	struct held_out held = {
		.tool = tool,
		.request = request,
		.text = text,
		.table = request->rank ? table_of("held_out", "What was held out of the fit",
						  held_check_fields)
				       : NULL,
		.packets = captures[count - 1].packets,
		.tails = captures[0].trace.nodes != captures[count - 1].trace.nodes};

	model_comment(text, "Held out of a fit and then predicted: off is what misses by more than "
			    "a tenth and is outside the interval (95 %%) of the runs.");
	if (hold_iterations(&held, captures, count, err) != TR_OK ||
	    hold_nodes(&held, captures, count, err) != TR_OK ||
	    try_open(&held, others, err) != TR_OK) {
		table_free(held.table);
		return TR_ERROR;
	}
	if (print_held(&held, err) != TR_OK)
		return TR_ERROR;
	if (*held.reason && request->force)
		tool_warn(tool, "the program does not hold: %s", held.reason);
	return fit_trust_reason(request, held.reason, text, err);
}
