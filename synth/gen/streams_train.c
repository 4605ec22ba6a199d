// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of any arrival process. Each source has its own random streams ("node3/data/gap",
// "node3/data/size", "node3/data/to"; "pair3-5/data/gap"; "network/data/gap" and
// "network/data/from"), so its packets do not depend on the other sources. Times are whole ticks
// and a fraction below one, so that sums of gaps do not drift.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/ahead.h"
#include "gen/alias.h"
#include "gen/families/family.h"
#include "gen/packet_source.h"
#include "gen/size_draw.h"
#include "gen/streams_model.h"
#include "stream/words.h"

// A section of the model, prepared for generation; read-only once made. stream_plan_clear frees it.
// Zero is empty.
struct stream_plan {
	const struct streams_section *section; // lent
	struct sizes sizes;
	struct alias from;    // over the senders; empty: all nodes alike
	uint32_t *senders;    // of a network with unequal nodes; owned
	struct alias to;      // over the section's shares
	double to_controller; // < 0: by the model's pattern
	uint32_t header_B;
	bool silent; // a network without senders
};

static enum tr_status share_out(const struct node_shares *shares, struct alias *out,
				struct tr_error *err)
{
	double *weights;
	enum tr_status status;

	if (shares->count == 0)
		return TR_OK;
	weights = calloc(shares->count, sizeof(*weights));
	for (size_t i = 0; weights && i < shares->count; i++)
		weights[i] = shares->each[i].share;
	status = weights ? alias_make(out, weights, shares->count, err)
			 : tr_no_memory(err, "the shares");
	free(weights);
	return status;
}

// The senders of a network's packets with their weights: nodes with a share, or all, that the
// pattern maps to another node. Returns how many; 0 also if the weights are 0.
static size_t list_senders(const struct destinations *destinations,
			   const struct streams_section *section, uint32_t *senders,
			   double *weights)
{
	const struct node_shares *shares = &section->from_nodes;
	const size_t all = shares->count ? shares->count : destinations->nodes;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < all; i++) {
		const uint32_t node = shares->count ? shares->each[i].node : (uint32_t)i;

		if (!streams_leads(section, destinations, node))
			continue;
		senders[n] = node;
		weights[n] = shares->count ? shares->each[i].share : 1;
		sum += weights[n++];
	}
	return sum > 0 ? n : 0;
}

static enum tr_status plan_senders(const struct destinations *destinations,
				   struct stream_plan *plan, struct tr_error *err)
{
	const struct streams_section *section = plan->section;
	const size_t all = section->from_nodes.count ? section->from_nodes.count
						     : destinations->nodes;
	double *weights = calloc(all, sizeof(*weights));
	enum tr_status status = TR_OK;
	size_t count;

	plan->senders = calloc(all, sizeof(*plan->senders));
	if (!weights || !plan->senders) {
		free(weights);
		return tr_no_memory(err, "%zu nodes", all);
	}
	count = list_senders(destinations, section, plan->senders, weights);
	plan->silent = count == 0;
	if (count > 0 && (section->from_nodes.count || count < all)) {
		status = alias_make(&plan->from, weights, count, err);
	} else {
		free(plan->senders);
		plan->senders = NULL;
	}
	free(weights);
	return status;
}

// For the nodes that the destinations were opened with. The model and the section outlive it.
// TR_ERROR if out of memory; the plan must be cleared all the same.
static enum tr_status stream_plan_make(struct stream_plan *plan, const struct streams_model *model,
				       const struct streams_section *section,
				       const struct destinations *destinations,
				       struct tr_error *err)
{
	const bool by_role = model->destinations.by_role && streams_has_controller(model);

	*plan = (struct stream_plan){.section = section,
				     .header_B = (uint32_t)(section->header_B + 0.5),
				     .to_controller = by_role ? section->to_controller : -1};
	if (sizes_empirical(&plan->sizes, section->bins, section->bin_count, err) != TR_OK ||
	    (section->who == STREAMS_NETWORK && plan_senders(destinations, plan, err) != TR_OK))
		return TR_ERROR;
	return share_out(&section->to_nodes, &plan->to, err);
}

static void stream_plan_clear(struct stream_plan *plan)
{
	sizes_clear(&plan->sizes);
	alias_clear(&plan->from);
	alias_clear(&plan->to);
	free(plan->senders);
	*plan = (struct stream_plan){.section = NULL};
}

// ---- The packets.

struct stream_source {
	const struct stream_plan *plan;
	void *arrivals;	 // the process' state
	double fraction; // rounding remainder of the last time, in ticks
	struct tr_random gap, size, from, to;
	uint32_t node;
	uint8_t class; // enum tr_class
	bool network;
};

static_assert(sizeof(struct stream_source) + AHEAD_SOURCE_BYTES + 64 <= STREAMS_SOURCE_BYTES,
	      "what a source takes, its state rounded up");

struct streams_train {
	struct draw_tables tables;
	struct streams_model model;
	struct stream_plan *plans; // of each section
	struct stream_source *sources;
	char *states; // of the process, stride apart
	size_t count, stride;
	struct ahead ahead;
	int64_t end_ticks;
	uint32_t nodes;
	bool controller; // node 0 is one
	struct destinations destinations;
};

// Continues after the last time generated, at out's end. A process that has ended is not called
// again.
static void streams_train_make_times(const struct streams_train *train,
				     struct stream_source *source, int64_t out[AHEAD_PACKETS])
{
	const struct arrival_process *process = train->model.family->arrivals;
	int64_t now = out[AHEAD_PACKETS - 1];
	double gaps[AHEAD_PACKETS];

	if (process->next_many) {
		process->next_many(source->arrivals, &source->gap, gaps, AHEAD_PACKETS);
		source_later_many(&source->fraction, now, gaps, out, AHEAD_PACKETS);
		return;
	}
	for (unsigned i = 0; i < AHEAD_PACKETS; i++) {
		if (now < train->end_ticks)
			now = source_later(&source->fraction, now,
					   process->next(source->arrivals, &source->gap));
		out[i] = now;
	}
}

// By the shares, but not self; another node has a share (streams_model_check).
static uint32_t draw_shared(const struct stream_plan *plan, uint32_t self, struct tr_random *random)
{
	uint32_t node;

	do
		node = plan->section->to_nodes.each[alias_draw(&plan->to, random)].node;
	while (node == self);
	return node;
}

static uint32_t streams_train_draw_destination(const struct streams_train *train,
					       struct stream_source *source, uint32_t from)
{
	const struct stream_plan *plan = source->plan;

	if (plan->section->who == STREAMS_PAIR)
		return plan->section->to;
	if (plan->to.count)
		return draw_shared(plan, from, &source->to);
	if (plan->to_controller >= 0)
		return source_draw_by_role(&source->to, train->nodes, plan->to_controller, from);
	return destinations_draw(&train->destinations, from, &source->to);
}

static uint32_t draw_sender(const struct streams_train *train, struct stream_source *source)
{
	const struct stream_plan *plan = source->plan;

	if (plan->from.count)
		return plan->senders[alias_draw(&plan->from, &source->from)];
	return (uint32_t)tr_random_below(&source->from, train->nodes);
}

static void make_destinations(const struct streams_train *train, struct stream_source *source,
			      const struct ahead_columns *out)
{
	const struct stream_plan *plan = source->plan;
	const bool by_pattern = plan->section->who != STREAMS_PAIR && !plan->to.count &&
				plan->to_controller < 0;

	if (by_pattern && !source->network) {
		destinations_draw_many(&train->destinations, source->node, &source->to, out->dst,
				       AHEAD_PACKETS);
		return;
	}
	for (unsigned i = 0; i < AHEAD_PACKETS; i++)
		out->dst[i] = streams_train_draw_destination(
			train, source, source->network ? out->src[i] : source->node);
}

static void streams_train_make_packets(void *state, size_t number, const struct ahead_columns *out)
{
	struct streams_train *train = state;
	struct stream_source *source = &train->sources[number];

	streams_train_make_times(train, source, out->ticks);
	sizes_draw_many(&source->plan->sizes, &train->tables, &source->size, out->payload_B,
			AHEAD_PACKETS);
	for (unsigned i = 0; out->src && i < AHEAD_PACKETS; i++)
		out->src[i] = source->network ? draw_sender(train, source) : source->node;
	make_destinations(train, source, out);
}

static enum tr_status streams_train_train_next(void *state, struct tr_packet *packets, size_t max,
					       size_t *count, struct tr_error *err)
{
	struct streams_train *train = state;

	(void)err;
	*count = ahead_take(&train->ahead, streams_train_make_packets, train, train->end_ticks,
			    packets, max);
	return *count > 0 ? TR_OK : TR_END;
}

static uint32_t streams_train_train_nodes(const void *state)
{
	return ((const struct streams_train *)state)->nodes;
}

static enum tr_role streams_train_train_node(const void *state, uint32_t id,
					     char address[GENERATOR_NAME_BYTES])
{
	const struct streams_train *train = state;

	(void)snprintf(address, GENERATOR_NAME_BYTES, "node%u", id);
	return train->controller && id == 0 ? TR_ROLE_CONTROLLER : TR_ROLE_WORKER;
}

static void streams_train_train_close(void *state)
{
	struct streams_train *train = state;

	for (size_t i = 0; i < train->count; i++)
		if (train->model.family->arrivals->stop && train->sources[i].arrivals)
			train->model.family->arrivals->stop(train->sources[i].arrivals);
	for (size_t i = 0; train->plans && i < train->model.count; i++)
		stream_plan_clear(&train->plans[i]);
	streams_model_clear(&train->model);
	destinations_clear(&train->destinations);
	free(train->plans);
	free(train->sources);
	free(train->states);
	ahead_close(&train->ahead);
}

static void streams_train_open_streams(struct stream_source *source, uint64_t seed)
{
	const struct streams_section *section = source->plan->section;
	const struct source_stream streams[] = {{&source->gap, "gap"},
						{&source->size, "size"},
						{&source->from, "from"},
						{&source->to, "to"}};
	const size_t count = sizeof(streams) / sizeof(*streams);
	const char *class = tr_word(TR_CLASS_CODE, source->class);

	if (section->who == STREAMS_PAIR)
		source_streams_open(streams, count, seed, "pair%u-%u/%s", section->node,
				    section->to, class);
	else if (source->network)
		source_streams_open(streams, count, seed, "network/%s", class);
	else
		source_streams_open(streams, count, seed, "node%u/%s", source->node, class);
}

// The sections' sources that send anything, ordered by node, then class, then pairs and networks in
// text order: the order of packets at the same time. into NULL: only counts.
static size_t list_sources(const struct streams_train *train, struct stream_source *into)
{
	static const enum tr_class classes[] = {TR_CLASS_DATA, TR_CLASS_OVERHEAD};
	const struct streams_model *model = &train->model;
	size_t n = 0;

	for (uint32_t i = 0; i < 2 * train->nodes; i++) {
		const struct streams_section *section = streams_section_of(model, i / 2,
									   classes[i % 2]);

		if (!section || !streams_leads(section, &train->destinations, i / 2))
			continue;
		if (into)
			into[n] = (struct stream_source){
				.plan = &train->plans[section - model->sections], .node = i / 2};
		n++;
	}
	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];

		if (section->who < STREAMS_PAIR || train->plans[i].silent)
			continue;
		if (into)
			into[n] = (struct stream_source){.plan = &train->plans[i],
							 .node = section->node,
							 .network = section->who ==
								    STREAMS_NETWORK};
		n++;
	}
	return n;
}

static enum tr_status start_source(struct streams_train *train, struct stream_source *source,
				   void *arrivals, const struct generator_settings *settings,
				   struct tr_error *err)
{
	const struct arrival_settings start = {.tables = &train->tables,
					       .ticks_per_s = (double)settings->ticks_per_s,
					       .end_ticks = train->end_ticks};
	const struct streams_section *section = source->plan->section;

	source->class = (uint8_t)section->class;
	streams_train_open_streams(source, settings->seed);
	source->arrivals = arrivals;
	return train->model.family->arrivals->start(arrivals, section->parameters, &start,
						    &source->gap, err);
}

static enum tr_status streams_train_start_sources(struct streams_train *train,
						  const struct generator_settings *settings,
						  struct tr_error *err)
{
	const size_t all = list_sources(train, NULL);
	bool network = false;
	enum tr_status status = TR_OK;

	train->stride = (train->model.family->arrivals->state_bytes + 63) & ~(size_t)63;
	train->sources = calloc(all ? all : 1, sizeof(*train->sources));
	train->states = calloc(all ? all : 1, train->stride ? train->stride : 64);
	if (train->sources)
		train->count = list_sources(train, train->sources);
	for (size_t i = 0; i < train->count; i++)
		network |= train->sources[i].network;
	if (!train->sources || !train->states || !ahead_open(&train->ahead, all, network))
		status = tr_no_memory(err, "%zu sources", all);
	for (size_t i = 0; status == TR_OK && i < all; i++) {
		const struct stream_source *source = &train->sources[i];
		const struct ahead_columns out = ahead_of(&train->ahead, i);

		status = start_source(train, &train->sources[i], train->states + i * train->stride,
				      settings, err);
		ahead_set_sender(&train->ahead, i, source->node, source->plan->header_B,
				 (enum tr_class)source->class);
		if (status == TR_OK)
			streams_train_make_packets(train, i, &out);
	}
	if (status == TR_OK && !ahead_begin(&train->ahead, all))
		status = tr_no_memory(err, "%zu sources", all);
	return status;
}

static enum tr_status streams_train_set_up(struct streams_train *train, const struct model *text,
					   const struct generator_settings *settings,
					   struct tr_error *err)
{
	const struct streams_model *model = &train->model;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)model->nodes;
	train->end_ticks = source_end_ticks(settings, model->duration_s);
	train->controller = streams_has_controller(model);
	if (streams_model_check(model, train->nodes, err) != TR_OK ||
	    destinations_open(&train->destinations, &model->destinations, train->nodes,
			      settings->seed, text, err) != TR_OK)
		return TR_ERROR;
	train->plans = calloc(model->count, sizeof(*train->plans));
	if (!train->plans)
		return tr_no_memory(err, "the sections");
	draw_tables_make(&train->tables);
	for (size_t i = 0; i < model->count; i++)
		if (stream_plan_make(&train->plans[i], model, &model->sections[i],
				     &train->destinations, err) != TR_OK)
			return TR_ERROR;
	return streams_train_start_sources(train, settings, err);
}

static enum tr_status streams_train_train_open(void *state, const struct model *text,
					       const struct generator_settings *settings,
					       struct tr_error *err)
{
	struct streams_train *train = state;

	if (streams_model_get(text, &train->model, err) != TR_OK)
		return TR_ERROR;
	return streams_train_set_up(train, text, settings, err);
}

const struct generator_kind streams_generator = {
	.state_bytes = sizeof(struct streams_train),
	.open = streams_train_train_open,
	.next = streams_train_train_next,
	.nodes = streams_train_train_nodes,
	.node = streams_train_train_node,
	.explain = streams_explain,
	.forecast = streams_forecast,
	.close = streams_train_train_close,
};
