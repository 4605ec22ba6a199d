// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a trace in random order. By length: the circular block bootstrap (Politis and Romano, A
// circular block-resampling procedure for stationary data, in LePage and Billard, Exploring the
// limits of bootstrap (1992) 263-270): the trace is a circle, and blocks of one length begin
// anywhere, so that every packet is equally frequent. By episodes: the regenerative bootstrap
// (Bertail and Clemencon, Bernoulli 12(4) (2006) 689-712): whole episodes, and the silences between
// them, drawn uniformly and independently.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/files.h"
#include "gen/families/bootstrap/bootstrap.h"
#include "gen/families/family.h"
#include "gen/model_field.h"
#include "gen/packet_source.h"
#include "value/random.h"

#define DIGEST_DIGITS 16

#define AT(member) offsetof(struct bootstrap_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"trace", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"digest", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"discovery", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"from", MODEL_TIME, AT(from_s), false, 0, 1e9, NULL},
	{"to", MODEL_TIME, AT(to_s), false, 1e-9, 1e9, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"block", MODEL_TIME, AT(block_s), false, 1e-9, 1e9, NULL},
	{"episode-gap", MODEL_TIME, AT(episode_gap_s), false, 1e-9, 1e9, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

static enum tr_status get_digest(const struct model *model, uint64_t *out, struct tr_error *err)
{
	const struct model_entry *digest = model_find(model, "", "digest");
	char *end;

	if (!digest)
		return TR_OK;
	*out = strtoull(digest->value, &end, 16);
	if (strlen(digest->value) == DIGEST_DIGITS &&
	    strspn(digest->value, "0123456789abcdef") == DIGEST_DIGITS)
		return TR_OK;
	return model_fail(model, digest, err, "digest: expected %d hexadecimal digits",
			  DIGEST_DIGITS);
}

static enum tr_status get_aside(const struct model *model, bool *out, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "discovery");

	*out = entry && strcmp(entry->value, "no") == 0;
	if (!entry || *out || strcmp(entry->value, "yes") == 0)
		return TR_OK;
	return model_fail(model, entry, err, "discovery: expected yes or no");
}

static enum tr_status bootstrap_model_get(const struct model *model, struct bootstrap_model *out,
					  struct tr_error *err)
{
	const struct model_entry *trace = model_find(model, "", "trace");

	*out = (struct bootstrap_model){.trace = NULL};
	if (model_get(model, "", fields, out, err) != TR_OK)
		return TR_ERROR;
	if (model->sections > 0)
		return model_fail(model, NULL, err, "the family bootstrap has no sections");
	if (!trace)
		return model_fail(model, NULL, err, "the key trace is missing");
	if (strcmp(trace->value, "-") == 0)
		return model_fail(model, trace, err, "trace: must be a file");
	if ((out->block_s > 0) == (out->episode_gap_s > 0))
		return model_fail(model, NULL, err,
				  "expected one of the keys block and episode-gap");
	if (get_digest(model, &out->digest, err) != TR_OK ||
	    get_aside(model, &out->aside, err) != TR_OK)
		return TR_ERROR;
	out->trace = strdup(trace->value);
	out->found = tr_files_beside(model->name, trace->value);
	if (out->trace && out->found)
		return TR_OK;
	bootstrap_model_clear(out);
	return tr_no_memory(err, "the model");
}

// Adds a key if the time is above 0.
static void bootstrap_put_time(struct model *model, const char *key, double seconds)
{
	char text[MODEL_NUMBER_BYTES];

	if (seconds > 0)
		model_key(model, key, model_format(MODEL_TIME, seconds, text), NULL);
}

void bootstrap_model_put(struct model *model, const struct bootstrap_model *bootstrap)
{
	model_key(model, "family", "bootstrap", NULL);
	model_key(model, "trace", bootstrap->trace, NULL);
	if (bootstrap->digest) {
		char digits[DIGEST_DIGITS + 1];

		(void)snprintf(digits, sizeof(digits), "%0*llx", DIGEST_DIGITS,
			       (unsigned long long)bootstrap->digest);
		model_key(model, "digest", digits, NULL);
	}
	if (bootstrap->aside)
		model_key(model, "discovery", "no", NULL);
	bootstrap_put_time(model, "from", bootstrap->from_s);
	bootstrap_put_time(model, "to", bootstrap->to_s);
	bootstrap_put_time(model, "duration", bootstrap->duration_s);
	bootstrap_put_time(model, "block", bootstrap->block_s);
	bootstrap_put_time(model, "episode-gap", bootstrap->episode_gap_s);
}

static enum tr_status bootstrap_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char length[MODEL_NUMBER_BYTES];
	struct bootstrap_model model;
	struct bootstrap_trace trace;
	enum tr_status status;

	if (bootstrap_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = bootstrap_trace_read(&trace, &model, 1000000000, err);
	if (status == TR_OK) {
		fprintf(out, "The %zu packets of %s are repeated, with their nodes and sizes, ",
			trace.count, model.trace);
		if (model.block_s > 0)
			fprintf(out, "in blocks of %s that start at random times of the trace.\n",
				model_format(MODEL_TIME, model.block_s, length));
		else
			fprintf(out,
				"in episodes separated by silences of the whole network longer "
				"than %s;\n  episodes and silences follow in random order.\n",
				model_format(MODEL_TIME, model.episode_gap_s, length));
		fprintf(out,
			"  Dependence over longer times is lost; all else is as in the trace.\n");
		bootstrap_trace_clear(&trace);
	}
	bootstrap_model_clear(&model);
	return status == TR_OK && ferror(out) ? tr_fail(err, "cannot write the explanation")
					      : status;
}

void bootstrap_model_clear(struct bootstrap_model *bootstrap)
{
	free(bootstrap->trace);
	free(bootstrap->found);
	*bootstrap = (struct bootstrap_model){.trace = NULL};
}

// Part of the trace: packets first .. end - 1, and the silence after it (unknown for the last one).
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
	// The current block: trace time from_ticks is output at begin_ticks.
	int64_t begin_ticks, from_ticks;
	size_t next, end; // its remaining packets; beyond the count: the circle's next turn
	bool over;
};

static int64_t bootstrap_time_of(const struct bootstrap_trace *trace, size_t i)
{
	const bool again = i >= trace->count;

	return trace->packets[again ? i - trace->count : i].time_ticks +
	       (again ? trace->circle_ticks : 0);
}

// The first packet at or after ticks, on the circle's first or second turn.
static size_t first_from(const struct bootstrap_trace *trace, int64_t ticks)
{
	size_t low = 0, high = 2 * trace->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (bootstrap_time_of(trace, middle) < ticks)
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

static void bootstrap_begin_episode(struct bootstrap *state, int64_t begin_ticks)
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

// Starts with a block or episode in its stationary distribution.
static void bootstrap_start(struct bootstrap *state)
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

// Continues after a block without packets left.
static void bootstrap_go_on(struct bootstrap *state)
{
	int64_t next_ticks;

	if (state->episodes)
		next_ticks = state->begin_ticks +
			     (bootstrap_time_of(&state->trace, state->end - 1) -
			      state->from_ticks) +
			     draw_silence(state);
	else
		next_ticks = state->begin_ticks + state->block_ticks;
	if (next_ticks >= state->stop_ticks)
		state->over = true;
	else if (state->episodes)
		bootstrap_begin_episode(state, next_ticks);
	else
		begin_block(state, next_ticks);
}

static enum tr_status bootstrap_next(void *opaque, struct tr_packet *packets, size_t max,
				     size_t *count, struct tr_error *err)
{
	struct bootstrap *state = opaque;
	size_t n = 0;

	(void)err;
	while (n < max && !state->over) {
		int64_t ticks;

		if (state->next == state->end) {
			bootstrap_go_on(state);
			continue;
		}
		ticks = state->begin_ticks +
			(bootstrap_time_of(&state->trace, state->next) - state->from_ticks);
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

static enum tr_role bootstrap_node(const void *state, uint32_t id,
				   char address[GENERATOR_NAME_BYTES])
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

static enum tr_status find_episodes(struct bootstrap *state, int64_t gap_ticks,
				    struct tr_error *err)
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

static enum tr_status bootstrap_set_up(struct bootstrap *state, const struct bootstrap_model *model,
				       const struct generator_settings *settings,
				       struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;

	if (bootstrap_trace_read(&state->trace, model, settings->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (settings->nodes > 0 && settings->nodes != state->trace.node_count)
		return tr_fail(err,
			       "a bootstrap generates traffic only for the %u nodes of its trace "
			       "(flitfit --rank shows which families scale)",
			       state->trace.node_count);
	state->stop_ticks = settings->end_ticks || model->duration_s > 0
				    ? source_end_ticks(settings, model->duration_s)
				    : state->trace.circle_ticks;
	state->block_ticks = model->block_s * ticks_per_s < (double)state->trace.circle_ticks
				     ? (int64_t)(model->block_s * ticks_per_s)
				     : state->trace.circle_ticks;
	if (model->block_s > 0 &&
	    state->block_ticks < state->trace.circle_ticks / (int64_t)state->trace.count)
		return tr_fail(err, "block: shorter than the mean gap of the trace");
	if (model->episode_gap_s > 0 &&
	    find_episodes(state, source_ticks(model->episode_gap_s * ticks_per_s), err) != TR_OK)
		return TR_ERROR;
	tr_random_open(&state->random, settings->seed, "bootstrap/block");
	bootstrap_start(state);
	return TR_OK;
}

static enum tr_status bootstrap_open(void *state, const struct model *text,
				     const struct generator_settings *settings,
				     struct tr_error *err)
{
	struct bootstrap_model model;
	enum tr_status status;

	if (bootstrap_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = bootstrap_set_up(state, &model, settings, err);
	bootstrap_model_clear(&model);
	return status;
}

// Mean time in which all packets occur once: the circle, or all episodes with a mean silence after
// each.
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
	return episodes +
	       silence / ((double)state->episode_count - 1) * (double)state->episode_count;
}

static enum tr_status bootstrap_forecast(const struct model *text, struct forecast *out,
					 struct tr_error *err)
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
		const double count = (double)state.trace.count,
			     ticks_per_s = (double)settings.ticks_per_s;

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
