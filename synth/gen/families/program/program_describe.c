// SPDX-License-Identifier: GPL-3.0-or-later
// How a program's model was fitted, as comments of its text.
#include "gen/families/program/program_fitting.h"

#include "gen/families/program/program_library.h"
#include "gen/model_field.h"

// What hosts take is theirs, and no law of the nodes: how far captures differ tells what a
// prediction may be off by.
static void describe_flow(const struct fitting *fitting, struct model *text)
{
	for (size_t i = 0; fitting->count > 1 && i < fitting->count; i++) {
		const struct program_trace *trace = &fitting->each[i].capture->trace;
		const struct program_moments turn = program_values_usual(
						     &fitting->each[i].phases.turns),
					     look = program_values_usual(
						     &fitting->each[i].phases.looks);
		char pace[MODEL_NUMBER_BYTES], stalls[MODEL_NUMBER_BYTES],
			stall[MODEL_NUMBER_BYTES], turns[MODEL_NUMBER_BYTES],
			looks[MODEL_NUMBER_BYTES];

		model_comment(
			text, "%s: pace %s, stalls %s of %s, turn %s%s%s.", trace->name,
			model_format(MODEL_TIME, model_settle(MODEL_TIME, trace->flow.pace_s, 3),
				     pace),
			model_format(MODEL_SHARE, model_settle(MODEL_SHARE, trace->flow.stalls, 3),
				     stalls),
			model_format(MODEL_TIME, model_settle(MODEL_TIME, trace->flow.stall_s, 3),
				     stall),
			model_format(MODEL_TIME,
				     model_settle(MODEL_TIME, turn.mean / trace->ticks_per_s, 3),
				     turns),
			look.mean > 0 ? ", look " : "",
			look.mean > 0
				? model_format(MODEL_TIME,
					       model_settle(MODEL_TIME,
							    look.mean / trace->ticks_per_s, 3),
					       looks)
				: "");
	}
	if (fitting->count > 1)
		model_comment(
			text,
			"These are of the hosts and no law of the nodes: the last ones are used.");
}

// What of the trace is in the iterations.
static struct program_counts count_kept(const struct folded *each)
{
	const size_t count = (size_t)each->fold.iterations * each->fold.slot_count;
	struct program_counts kept = {.messages = 0};
	uint64_t parts = 0;

	for (size_t i = 0; i < count; i++) {
		parts += each->fold.at[i]->operation != 0;
		kept.messages += each->fold.at[i]->operation == 0;
		kept.bytes += (double)each->fold.at[i]->bytes;
	}
	kept.operations = parts / each->capture->trace.nodes;
	return kept;
}

// From the begin of this iteration to the end of the last one.
static struct fit_iterations iterations_of_fold(const struct folded *each, uint32_t from)
{
	const struct program_fold *fold = &each->fold;
	const struct program_found **first = fold->at + (size_t)from * fold->slot_count,
				   **last = fold->at +
					    (size_t)(fold->iterations - 1) * fold->slot_count;
	struct fit_iterations out = {.count = fold->iterations + fold->others_whole,
				     .all = fold->iterations + fold->others,
				     .begin_ticks = first[0]->begin_ticks,
				     .end_ticks = last[0]->end_ticks};

	for (uint32_t i = 1; i < fold->slot_count; i++) {
		out.begin_ticks = first[i]->begin_ticks < out.begin_ticks ? first[i]->begin_ticks
									  : out.begin_ticks;
		out.end_ticks = last[i]->end_ticks > out.end_ticks ? last[i]->end_ticks
								   : out.end_ticks;
	}
	return out;
}

// The begin of the second half of the iterations. Marks the messages that are of it, or that begin
// later and are in no iteration: ranks may be in different iterations at a time.
static int64_t halve_iterations(const struct folded *each)
{
	struct program_trace *trace = &each->capture->trace;
	const uint32_t half = each->fold.iterations / 2;
	const int64_t middle_ticks = iterations_of_fold(each, half).begin_ticks;

	for (size_t i = 0; i < trace->count; i++)
		trace->found[i].later = trace->found[i].begin_ticks >= middle_ticks;
	for (size_t i = 0; i < (size_t)each->fold.iterations * each->fold.slot_count; i++)
		trace->found[each->fold.at[i] - trace->found].later = i / each->fold.slot_count >=
								      half;
	return middle_ticks;
}

static void describe_left_out(const struct folded *each, struct model *text)
{
	const struct program_counts *all = &each->capture->trace.all, *kept = &each->capture->kept;

	model_comment(text,
		      "%s: left out: %llu of %llu messages, %llu of %llu collective operations, "
		      "%.0f of %.0f B.",
		      each->capture->trace.name,
		      (unsigned long long)(all->messages - kept->messages),
		      (unsigned long long)all->messages,
		      (unsigned long long)(all->operations - kept->operations),
		      (unsigned long long)all->operations, all->bytes - kept->bytes, all->bytes);
}

// A collective operation's algorithm is that of the last trace.
static void describe_choices(const struct fitting *fitting, struct model *text)
{
	const char *rules = program_library_rules(program_last(fitting)->capture->trace.library);
	uint32_t collective = 0;

	for (uint32_t p = 0; p < fitting->model.phase_count; p++)
		collective += fitting->model.phases[p].collective != NULL;
	if (collective && rules)
		model_comment(text,
			      "Algorithms of collective operations by the rules of %s; by= takes "
			      "another one.",
			      rules);
	else if (collective)
		model_comment(text, "No library whose rules are known: collective operations have "
				    "the first algorithm of their "
				    "list; by= takes another one.");
}

void program_describe(const struct fitting *fitting, struct model *text)
{
	for (size_t i = 0; i < fitting->count; i++) {
		const struct folded *each = &fitting->each[i];

		model_comment(text,
			      "%s: %u nodes; %u iterations of %u messages, cut at %s; left out: %u "
			      "iterations, %zu small messages.",
			      each->capture->trace.name, each->capture->trace.nodes,
			      each->fold.iterations, each->fold.slot_count,
			      each->fold.silence_count > 0 ? "silences"
			      : each->fold.by_beats	   ? "a message of each"
							   : "periods of sizes",
			      each->fold.left_out, each->fold.small_left_out);
		if (each->fold.variation > PROGRAM_VARIES)
			model_comment(text,
				      "%s: sizes of a message vary by %.2g %% with the iterations; "
				      "the model has their mean.",
				      each->capture->trace.name, 100 * each->fold.variation);
		each->capture->kept = count_kept(each);
		each->capture->iterations = iterations_of_fold(each, 0);
		each->capture->middle_ticks = halve_iterations(each);
		describe_left_out(each, text);
	}
	if (fitting->count == 1)
		model_comment(
			text,
			"Fitted to one number of nodes: sizes and times do not depend on it.");
	describe_choices(fitting, text);
	for (uint32_t p = 0; p < fitting->model.phase_count; p++)
		program_describe_doubt(fitting, p, text);
	describe_flow(fitting, text);
}
