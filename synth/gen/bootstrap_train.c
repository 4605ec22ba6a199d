// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a trace in random order. By length: the circular block bootstrap (Politis and Romano, A circular
// block-resampling procedure for stationary data, in LePage and Billard, Exploring the limits of bootstrap (1992)
// 263-270): the trace is a circle, of which blocks of one length begin anywhere, so that every packet comes as often as
// any other. By episodes: the regenerative bootstrap (Bertail and Clemencon, Bernoulli 12(4) (2006) 689-712): whole
// episodes, and the silences between them, each drawn alike and apart.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/bootstrap_model.h"
#include "gen/bootstrap_trace.h"
#include "gen/families/family.h"
#include "gen/source.h"
#include "trace/random.h"

// A stretch of the trace: packets first .. end - 1, and the silence behind it (the last one's is not known).
struct episode {
	size_t first, end;
};

struct bootstrap {
	struct bootstrap_trace trace;
	struct episode *episodes; // NULL: blocks by length
	size_t episode_count;
	struct tr_random random;
	int64_t block_ticks; // of blocks by length
	int64_t stop_ticks;
	uint64_t packets; // given so far: the next id
	// The block at work: trace time from_ticks comes at begin_ticks.
	int64_t begin_ticks, from_ticks;
	size_t next, end; // packets of it yet to come; beyond the count: on the circle's next turn
	bool over;
};

static int64_t time_of(const struct bootstrap_trace *trace, size_t i)
{
	const bool again = i >= trace->count;

	return trace->packets[again ? i - trace->count : i].time_ticks + (again ? trace->circle_ticks : 0);
}

// The first packet at ticks or after, on the circle's first or second turn.
static size_t first_from(const struct bootstrap_trace *trace, int64_t ticks)
{
	size_t low = 0, high = 2 * trace->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (time_of(trace, middle) < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t draw_time(struct bootstrap *state, int64_t below_ticks)
{
	return (int64_t)tr_random_below(&state->random, (uint64_t)below_ticks);
}

static void begin_block(struct bootstrap *state, int64_t begin_ticks)
{
	state->begin_ticks = begin_ticks;
	state->from_ticks = draw_time(state, state->trace.circle_ticks);
	state->next = first_from(&state->trace, state->from_ticks);
	state->end = first_from(&state->trace, state->from_ticks + state->block_ticks);
}

static int64_t episode_begin(const struct bootstrap *state, size_t episode)
{
	return state->trace.packets[state->episodes[episode].first].time_ticks;
}

static int64_t episode_end(const struct bootstrap *state, size_t episode)
{
	return state->trace.packets[state->episodes[episode].end - 1].time_ticks;
}

static void begin_episode(struct bootstrap *state, int64_t begin_ticks)
{
	const size_t which = (size_t)tr_random_below(&state->random, state->episode_count);

	state->begin_ticks = begin_ticks;
	state->from_ticks = episode_begin(state, which);
	state->next = state->episodes[which].first;
	state->end = state->episodes[which].end;
}

static int64_t draw_silence(struct bootstrap *state)
{
	const size_t after = (size_t)tr_random_below(&state->random, state->episode_count - 1);

	return episode_begin(state, after + 1) - episode_end(state, after);
}

// The first block or episode as it is found at a random time: the traffic is stationary from its first tick.
static void start(struct bootstrap *state)
{
	const struct bootstrap_trace *trace = &state->trace;

	if (!state->episodes) {
		begin_block(state, 0);
		return;
	}
	state->from_ticks = draw_time(state, trace->packets[trace->count - 1].time_ticks);
	state->next = first_from(trace, state->from_ticks);
	for (size_t i = 0; i < state->episode_count && state->end <= state->next; i++)
		state->end = state->episodes[i].end;
}

// What follows a block that has given all its packets.
static void go_on(struct bootstrap *state)
{
	int64_t next_ticks;

	if (state->episodes)
		next_ticks = state->begin_ticks + (time_of(&state->trace, state->end - 1) - state->from_ticks) +
			     draw_silence(state);
	else
		next_ticks = state->begin_ticks + state->block_ticks;
	if (next_ticks >= state->stop_ticks)
		state->over = true;
	else if (state->episodes)
		begin_episode(state, next_ticks);
	else
		begin_block(state, next_ticks);
}

static enum tr_status bootstrap_next(void *opaque, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err)
{
	struct bootstrap *state = opaque;
	size_t n = 0;

	(void)err;
	while (n < max && !state->over) {
		int64_t ticks;

		if (state->next == state->end) {
			go_on(state);
			continue;
		}
		ticks = state->begin_ticks + (time_of(&state->trace, state->next) - state->from_ticks);
		if (ticks >= state->stop_ticks) {
			state->over = true;
			break;
		}
		packets[n] = state->trace.packets[state->next++ % state->trace.count];
		packets[n].time_ticks = ticks;
		packets[n].flow = TR_FLOW_NONE;
		packets[n++].id = state->packets++;
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t bootstrap_nodes(const void *state)
{
	return ((const struct bootstrap *)state)->trace.node_count;
}

static enum tr_role bootstrap_node(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES])
{
	const struct tr_node *node = &((const struct bootstrap *)state)->trace.nodes[id];

	if (node->address)
		(void)snprintf(address, GENERATOR_NAME_BYTES, "%s", node->address);
	else
		(void)snprintf(address, GENERATOR_NAME_BYTES, "node%u", id);
	return (enum tr_role)node->role;
}

static void bootstrap_close(void *opaque)
{
	struct bootstrap *state = opaque;

	bootstrap_trace_clear(&state->trace);
	free(state->episodes);
}

static enum tr_status find_episodes(struct bootstrap *state, int64_t gap_ticks, struct tr_error *err)
{
	const struct tr_packet *packets = state->trace.packets;
	const size_t count = state->trace.count;
	size_t parts = 1;

	for (size_t i = 1; i < count; i++)
		parts += packets[i].time_ticks - packets[i - 1].time_ticks > gap_ticks;
	if (parts < 2)
		return tr_fail(err, "no silence of the trace is longer than episode-gap");
	state->episodes = calloc(parts, sizeof(*state->episodes));
	if (!state->episodes)
		return tr_no_memory(err, "%zu episodes", parts);
	state->episode_count = parts;
	for (size_t i = 1, part = 0; i <= count; i++)
		if (i == count || packets[i].time_ticks - packets[i - 1].time_ticks > gap_ticks) {
			state->episodes[part++].end = i;
			if (i < count)
				state->episodes[part].first = i;
		}
	return TR_OK;
}

static enum tr_status set_up(struct bootstrap *state, const struct bootstrap_model *model,
			     const struct generator_settings *settings, struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;

	if (bootstrap_trace_read(&state->trace, model, settings->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (settings->nodes > 0 && settings->nodes != state->trace.node_count)
		return tr_fail(err, "a bootstrap has the nodes of its trace: %u (flitfit --rank says which families scale)",
			       state->trace.node_count);
	state->stop_ticks = settings->end_ticks || model->duration_s > 0 ? source_end_ticks(settings, model->duration_s)
									 : state->trace.circle_ticks;
	state->block_ticks = model->block_s * ticks_per_s < (double)state->trace.circle_ticks
				     ? (int64_t)(model->block_s * ticks_per_s)
				     : state->trace.circle_ticks;
	if (model->block_s > 0 && state->block_ticks < state->trace.circle_ticks / (int64_t)state->trace.count)
		return tr_fail(err, "block: shorter than the trace's mean gap");
	if (model->episode_gap_s > 0 && find_episodes(state, source_ticks(model->episode_gap_s * ticks_per_s), err) != TR_OK)
		return TR_ERROR;
	tr_random_open(&state->random, settings->seed, "bootstrap/block");
	start(state);
	return TR_OK;
}

static enum tr_status bootstrap_open(void *state, const struct model *text, const struct generator_settings *settings,
				     struct tr_error *err)
{
	struct bootstrap_model model;
	enum tr_status status;

	if (bootstrap_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = set_up(state, &model, settings, err);
	bootstrap_model_clear(&model);
	return status;
}

// Ticks in which all packets come once, on average: the circle, or every episode and a mean silence after each.
static double turn_ticks(const struct bootstrap *state)
{
	double silence = 0, episodes = 0;

	if (!state->episodes)
		return (double)state->trace.circle_ticks;
	for (size_t i = 0; i < state->episode_count; i++) {
		episodes += (double)(episode_end(state, i) - episode_begin(state, i));
		if (i + 1 < state->episode_count)
			silence += (double)(episode_begin(state, i + 1) - episode_end(state, i));
	}
	return episodes + silence / ((double)state->episode_count - 1) * (double)state->episode_count;
}

static enum tr_status bootstrap_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	const struct generator_settings settings = {.ticks_per_s = 1000000000};
	struct forecast_sender sender = {.who = "All nodes together",
					 .what = "data and overhead",
					 .senders = 1,
					 .burst_packets_per_s = NAN,
					 .dispersion = NAN};
	struct bootstrap state = {.episodes = NULL};
	enum tr_status status = bootstrap_open(&state, text, &settings, err);

	*out = (struct forecast){.senders = NULL};
	if (status == TR_OK) {
		const double count = (double)state.trace.count, ticks_per_s = (double)settings.ticks_per_s;

		out->nodes = state.trace.node_count;
		out->duration_s = (double)state.stop_ticks / ticks_per_s;
		out->memory_B = sizeof(*state.trace.packets) * count;
		sender.packets_per_s = count / turn_ticks(&state) * ticks_per_s;
		for (size_t i = 0; i < state.trace.count; i++) {
			sender.payload_B += state.trace.packets[i].payload_bytes / count;
			sender.wire_B += state.trace.packets[i].wire_bytes / count;
		}
		status = forecast_add(out, &sender, err);
	}
	bootstrap_close(&state);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct bootstrap),
	.open = bootstrap_open,
	.next = bootstrap_next,
	.nodes = bootstrap_nodes,
	.node = bootstrap_node,
	.explain = bootstrap_explain,
	.forecast = bootstrap_forecast,
	.close = bootstrap_close,
};

const struct family bootstrap_family = {
	.name = "bootstrap",
	.summary = "blocks of a trace, in random order",
	.generator = &generator,
	.fit = &bootstrap_fit,
};
