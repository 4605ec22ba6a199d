// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program in words, and a forecast of its traffic.
#include <math.h>

#include "gen/families/program/program_model.h"
#include "gen/families/program/program_times.h"
#include "gen/model_field.h"

#define TRIED 16u		 // iterations that a forecast runs
#define TICKS_PER_S 1000000000.0 // of these
#define MESSAGE_BYTES 300.0	 // of memory for each message of an iteration
#define NODE_BYTES 400.0

static const char *const after_texts[] = {
	[PROGRAM_AFTER_ALL] = "all that it sent and received before",
	[PROGRAM_AFTER_BEGIN] = "the begin of the iteration",
	[PROGRAM_AFTER_PEER] = "what it last received from the same rank",
	[PROGRAM_AFTER_SEND] = "its own last message",
};
static const char *const order_texts[] = {
	[PROGRAM_IN_TURN] = "in turns",
	[PROGRAM_IN_SEQUENCE] = "one after the other",
	[PROGRAM_AT_ONCE] = "all at once",
};

static void explain_time(const struct program_plan *plan, const struct program_time *time,
			 bool before_phase, FILE *out)
{
	const double mean_s = program_power_of(&time->mean_s, plan->nodes, plan->model->problem);
	char a[MODEL_NUMBER_BYTES], law[LAW_DESCRIPTION_BYTES];

	if (mean_s > 0)
		fprintf(out,
			before_phase ? " and computing for %s (%s)"
				     : ", and %s (%s) before each later message",
			model_format(MODEL_TIME, model_settle(MODEL_TIME, mean_s, 4), a),
			law_describe(&time->law, law));
}

static void explain_phase(const struct program_plan *plan, uint32_t number, FILE *out)
{
	const struct program_phase *phase = &plan->model->phases[number];
	uint64_t least_B = UINT64_MAX, most_B = 0;
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];
	uint32_t messages = 0, granted = 0;

	for (uint32_t m = 0; m < plan->list.count; m++) {
		const struct program_train *train = &plan->trains[plan->list.messages[m].train];

		if (plan->list.messages[m].phase != number)
			continue;
		messages++;
		granted += train->granted;
		least_B = train->bytes < least_B ? train->bytes : least_B;
		most_B = train->bytes > most_B ? train->bytes : most_B;
	}
	fprintf(out, "[%s]: %s: %u message%s of %s%s%s, %s%s", phase->name,
		phase->collective ? phase->collective : phase->pattern->what, messages,
		messages == 1 ? "" : "s",
		model_format(MODEL_SIZE, messages ? (double)least_B : 0, a),
		most_B > least_B ? " to " : "",
		most_B > least_B ? model_format(MODEL_SIZE, (double)most_B, b) : "",
		order_texts[phase->order],
		granted == 0	      ? ""
		: granted == messages ? ", each after a request and a grant"
				      : ", the larger ones after a request and a grant");
	fprintf(out, ".\n  A rank begins after %s", after_texts[phase->after]);
	explain_time(plan, &phase->compute, true, out);
	explain_time(plan, &phase->between, false, out);
	if (phase->window > 0)
		fprintf(out, "; what it sends later waits for what it received %llu turns before",
			(unsigned long long)program_phase_window(phase, plan->nodes));
	fputs(".\n", out);
}

static void explain_flow(const struct program_flow *flow, FILE *out)
{
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES], law[LAW_DESCRIPTION_BYTES];

	fprintf(out, "Messages flow as packets of up to %s each %s",
		model_format(MODEL_SIZE, flow->segment_B, a),
		model_format(MODEL_TIME, flow->pace_s, b));
	if (flow->burst_B > 0)
		fprintf(out, "; of a port that was idle the first %s pass %s apart",
			model_format(MODEL_SIZE, flow->burst_B, a),
			model_format(MODEL_TIME, flow->pair_gap_s, b));
	if (flow->pairs > 0)
		fprintf(out, "; %.4g %% of the gaps are %s: packets in pairs", 100 * flow->pairs,
			model_format(MODEL_TIME, flow->pair_gap_s, a));
	if (flow->stalls > 0)
		fprintf(out, "; before %.4g %% of them the sender stalls for %s on average",
			100 * flow->stalls, model_format(MODEL_TIME, flow->stall_s, a));
	if (flow->stalls > 0 && flow->stall_after_B > 0)
		fprintf(out, ", but not in the first %s of a message or after a stall",
			model_format(MODEL_SIZE, flow->stall_after_B, a));
	if (flow->joins)
		fputs("; what waits for a port behind a message to the same receiver joins it",
		      out);
	if (flow->acks > 0)
		fprintf(out, "; %.4g acknowledgements for each", flow->acks);
	if (flow->look_s > 0)
		fprintf(out,
			".\nA rank that waits sees what has come %s (%s) after the first that it "
			"has not seen",
			model_format(MODEL_TIME, model_settle(MODEL_TIME, flow->look_s, 4), a),
			law_describe(&flow->look, law));
	fputs(".\n", out);
}

enum tr_status program_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	struct program_model model;
	struct program_plan plan = {.model = NULL};
	enum tr_status status;
	char a[MODEL_NUMBER_BYTES];

	if (program_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = program_plan_make(&plan, &model, (uint32_t)model.nodes, TICKS_PER_S, 1, err);
	if (status == TR_OK) {
		fprintf(out, "A parallel program of %u phases on %u nodes", model.phase_count,
			plan.nodes);
		if (model.iterations > 0)
			fprintf(out, ", %llu iterations", (unsigned long long)model.iterations);
		if (model.silence_s > 0)
			fprintf(out, " with silences of %s between them",
				model_format(MODEL_TIME, model.silence_s, a));
		fputs(".\n", out);
		for (uint32_t i = 0; i < model.phase_count; i++)
			explain_phase(&plan, i, out);
		explain_flow(&model.flow, out);
	}
	program_plan_clear(&plan);
	program_model_clear(&model);
	return status == TR_OK && ferror(out) ? tr_fail(err, "cannot write the explanation")
					      : status;
}

// What the controller, or the workers together, send in an iteration.
struct program_words_volume {
	double packets, payload_B, others, others_B;
};

// Acknowledgements of a message: one that brings less than one shares a sum with others.
static double program_words_acks(const struct program_flow *flow, double packets)
{
	return packets * flow->acks < 1 ? packets * flow->acks : floor(0.5 + packets * flow->acks);
}

static void add_volume(const struct program_times *times, uint32_t m,
		       struct program_words_volume volumes[2])
{
	const struct program_plan *plan = &times->plan;
	const struct program_message *message = &plan->list.messages[m];
	const struct program_flow *flow = &plan->model->flow;
	const struct program_train *train = &plan->trains[message->train];
	const double packets = (double)times->sent[m].packets;
	struct program_words_volume *from = &volumes[message->src > 0],
				    *to = &volumes[message->dst > 0];

	from->packets += packets;
	from->payload_B += (double)train->stream_B;
	to->others += program_words_acks(flow, packets) + train->granted;
	to->others_B += train->granted ? flow->grant_B : 0;
	from->others += train->granted;
	from->others_B += train->granted ? flow->request_B : 0;
}

static enum tr_status add_senders(const struct program_times *times, double iteration_s,
				  struct forecast *out, struct tr_error *err)
{
	struct program_words_volume volumes[2] = {{.packets = 0}, {.packets = 0}};

	for (uint32_t m = 0; m < times->plan.list.count; m++)
		add_volume(times, m, volumes);
	for (unsigned i = 0; i < 2; i++) {
		const double senders = i == 0 ? 1 : times->plan.nodes - 1.0;
		struct forecast_sender sender = {
			.what = "data",
			.senders = senders,
			.packets_per_s = volumes[i].packets / senders / iteration_s,
			.payload_B = volumes[i].payload_B / fmax(1, volumes[i].packets),
			.burst_packets_per_s = NAN,
			.dispersion = NAN};

		(void)snprintf(sender.who, sizeof(sender.who),
			       i == 0 ? "The controller" : "Each worker");
		sender.wire_B = sender.payload_B + times->plan.model->flow.header_B;
		if (volumes[i].packets > 0 && forecast_add(out, &sender, err) != TR_OK)
			return TR_ERROR;
		sender.what = "overhead";
		sender.packets_per_s = volumes[i].others / senders / iteration_s;
		sender.payload_B = volumes[i].others_B / fmax(1, volumes[i].others);
		sender.wire_B = sender.payload_B + times->plan.model->flow.header_B;
		if (volumes[i].others > 0 && forecast_add(out, &sender, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Mean time of an iteration with its silence, of TRIED ones.
static enum tr_status program_words_try(struct program_times *times, double *iteration_s,
					struct tr_error *err)
{
	enum tr_status status = TR_OK;
	int64_t end_ticks = 0;
	unsigned tried = 0;

	for (; status == TR_OK && tried < TRIED; tried++) {
		status = program_times_next(times);
		for (uint32_t m = 0; status == TR_OK && m < times->plan.list.count; m++)
			if (times->sent[m].end_ticks > end_ticks)
				end_ticks = times->sent[m].end_ticks;
	}
	*iteration_s = (double)end_ticks / TICKS_PER_S / TRIED +
		       times->plan.model->silence_s / TRIED;
	if (status == TR_OK && !(*iteration_s > 0))
		return tr_fail(err, "an iteration takes no time");
	return status == TR_END ? tr_fail(err, "an iteration does not end") : status;
}

// Reads the model and computes its mean iteration; all to be closed and cleared also after
// TR_ERROR.
static enum tr_status program_words_iterate(const struct model *text, struct program_model *model,
					    struct program_times *times, double *iteration_s,
					    struct tr_error *err)
{
	*model = (struct program_model){.phases = NULL};
	*times = (struct program_times){.run = NULL};
	if (program_model_get(text, model, err) != TR_OK ||
	    program_times_open(times, model, (uint32_t)model->nodes, TICKS_PER_S, 1, err) != TR_OK)
		return TR_ERROR;
	return program_words_try(times, iteration_s, err);
}

enum tr_status program_forecast(const struct model *text, struct forecast *out,
				struct tr_error *err)
{
	struct program_model model;
	struct program_times times;
	double iteration_s;
	enum tr_status status = program_words_iterate(text, &model, &times, &iteration_s, err);

	*out = (struct forecast){.senders = NULL};
	if (status == TR_OK) {
		out->nodes = model.nodes;
		out->hurst = 0.5;
		out->duration_s = model.duration_s > 0 ? model.duration_s
						       : (double)model.iterations * iteration_s;
		out->memory_B = MESSAGE_BYTES * times.plan.list.count +
				NODE_BYTES * (double)model.nodes;
		status = add_senders(&times, iteration_s, out, err);
	}
	program_times_close(&times);
	program_model_clear(&model);
	return status;
}

// A message on the wire, with what comes back for it.
static void program_words_add_pair(const struct program_times *times, uint32_t m, double per_s,
				   struct pairs *out)
{
	const struct program_plan *plan = &times->plan;
	const struct program_message *message = &plan->list.messages[m];
	const struct program_flow *flow = &plan->model->flow;
	const struct program_train *train = &plan->trains[message->train];
	const double packets = (double)times->sent[m].packets;

	out->wire_Bps[(size_t)message->src * out->nodes + message->dst] +=
		per_s * ((double)train->stream_B + packets * flow->header_B +
			 (train->granted ? flow->request_B + flow->header_B : 0));
	out->wire_Bps[(size_t)message->dst * out->nodes + message->src] +=
		per_s * (program_words_acks(flow, packets) * flow->header_B +
			 (train->granted ? flow->grant_B + flow->header_B : 0));
}

enum tr_status program_pairs(const struct model *text, struct pairs *out, struct tr_error *err)
{
	struct program_model model;
	struct program_times times;
	double iteration_s;
	enum tr_status status = program_words_iterate(text, &model, &times, &iteration_s, err);

	*out = (struct pairs){.nodes = 0};
	if (status == TR_OK)
		status = pairs_open(out, model.nodes, err);
	for (uint32_t m = 0; status == TR_OK && m < times.plan.list.count; m++)
		program_words_add_pair(&times, m, 1 / iteration_s, out);
	program_times_close(&times);
	program_model_clear(&model);
	return status;
}
