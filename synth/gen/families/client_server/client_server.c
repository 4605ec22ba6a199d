// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of clients and servers. Each node has its own random streams ("node3/gap", "node3/to",
// "node3/size", and "node3/reply" for the replies to it), so its draws do not depend on the other
// nodes.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "gen/alias.h"
#include "gen/families/client_server/client_server.h"
#include "gen/families/family.h"
#include "gen/loser_tree.h"
#include "gen/packet_source.h"
#include "value/grow.h"
#include "value/heap.h"

// A class, prepared for generation.
struct class_plan {
	struct alias choice;	 // of a target
	const uint32_t *targets; // classes, or CLIENT_SERVER_ALL
	uint32_t *members;	 // its nodes
	uint32_t nodes;
	double gap_ticks;      // mean, for a load; NAN: think
	double think_ticks;    // mean
	double ticks_per_byte; // on a node's link
	double service_ticks;  // mean
	bool sends, replies;
	struct sizes sizes, reply_sizes;
};

struct client_node {
	uint32_t class;
	uint32_t place;	   // in its class' members
	double due_ticks;  // of its next packet, with fraction
	double free_ticks; // from then on it can reply
	struct tr_random gap, to, size, reply;
};

struct client_server_train {
	struct draw_tables tables;
	struct client_server model;
	struct class_plan *plans;
	struct client_node *each;
	uint32_t *members; // nodes by class
	uint32_t *targets; // of all plans
	struct agenda agenda;
	struct reply_queue queue;
	int64_t end_ticks;
	uint64_t packets; // given so far: the next id
	uint32_t nodes;
	uint32_t header_B;
};

// Draws uniformly a member of the class other than the node itself.
static uint32_t draw_member(const struct class_plan *plan, const struct client_node *node, bool own,
			    struct tr_random *random)
{
	uint32_t place = (uint32_t)tr_random_below(random, plan->nodes - own);

	return plan->members[place + (own && place >= node->place)];
}

static uint32_t client_server_draw_destination(struct client_server_train *train,
					       struct client_node *node, uint32_t self)
{
	const struct class_plan *plan = &train->plans[node->class];
	const uint32_t target = plan->targets[alias_draw(&plan->choice, &node->to)];

	if (target != CLIENT_SERVER_ALL)
		return draw_member(&train->plans[target], node, target == node->class, &node->to);
	return source_draw_other(&node->to, 0, train->nodes, self);
}

// The server handles requests one after the other in the order of sending. Returns when the reply
// arrives.
static double client_server_answer(struct client_server_train *train, uint32_t server,
				   uint32_t client, double there_ticks, struct tr_error *err)
{
	struct client_node *from = &train->each[server];
	struct client_node *to = &train->each[client];
	const struct class_plan *plan = &train->plans[from->class];
	const double start = fmax(there_ticks, from->free_ticks) +
			     plan->service_ticks * draw_exponential(&train->tables, &to->reply);
	const uint32_t size_B = sizes_draw(&plan->reply_sizes, &train->tables, &to->reply);
	const struct reply reply = {
		.ticks = source_ticks(start), .src = server, .dst = client, .size_B = size_B};

	from->free_ticks = start + plan->ticks_per_byte * ((double)size_B + train->header_B);
	if (reply.ticks < train->end_ticks && reply_queue_put(&train->queue, reply, err) != TR_OK)
		return NAN;
	return from->free_ticks;
}

static void client_server_fill_packet(struct client_server_train *train, const struct reply *from,
				      struct tr_packet *packet)
{
	*packet = (struct tr_packet){
		.time_ticks = from->ticks,
		.id = train->packets++,
		.flow = TR_FLOW_NONE,
		.src = from->src,
		.dst = from->dst,
		.payload_bytes = from->size_B,
		.wire_bytes = source_wire_B(from->size_B, train->header_B),
		.class = TR_CLASS_DATA,
	};
}

// Makes the packet that is due at a node, and schedules its next one.
static enum tr_status send_one(struct client_server_train *train, uint32_t self,
			       struct tr_packet *packet, struct tr_error *err)
{
	struct client_node *node = &train->each[self];
	const struct class_plan *plan = &train->plans[node->class];
	const struct reply sent = {
		.ticks = source_ticks(node->due_ticks),
		.src = self,
		.dst = client_server_draw_destination(train, node, self),
		.size_B = sizes_draw(&plan->sizes, &train->tables, &node->size),
	};
	double done = node->due_ticks +
		      plan->ticks_per_byte * ((double)sent.size_B + train->header_B);

	client_server_fill_packet(train, &sent, packet);
	if (train->plans[train->each[sent.dst].class].replies)
		done = client_server_answer(train, sent.dst, self, done, err);
	if (isnan(done))
		return TR_ERROR;
	node->due_ticks = isnan(plan->gap_ticks)
				  ? done + plan->think_ticks *
						    draw_exponential(&train->tables, &node->gap)
				  : node->due_ticks +
					    plan->gap_ticks *
						    draw_exponential(&train->tables, &node->gap);
	agenda_postpone(&train->agenda, source_ticks(node->due_ticks));
	return TR_OK;
}

static enum tr_status client_server_train_next(void *state, struct tr_packet *packets, size_t max,
					       size_t *count, struct tr_error *err)
{
	struct client_server_train *train = state;
	size_t n = 0;

	while (n < max) {
		const int64_t due = train->agenda.next_ticks;

		if (train->queue.count > 0 && train->queue.replies[0].ticks <= due) {
			const struct reply reply = reply_queue_take(&train->queue);

			client_server_fill_packet(train, &reply, &packets[n++]);
			continue;
		}
		if (due >= train->end_ticks)
			break;
		if (send_one(train, (uint32_t)train->agenda.next, &packets[n], err) != TR_OK)
			return TR_ERROR;
		n++;
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t client_server_train_nodes(const void *state)
{
	return ((const struct client_server_train *)state)->nodes;
}

static void client_server_train_close(void *state)
{
	struct client_server_train *train = state;

	for (uint32_t c = 0; train->plans && c < train->model.class_count; c++) {
		alias_clear(&train->plans[c].choice);
		sizes_clear(&train->plans[c].sizes);
		sizes_clear(&train->plans[c].reply_sizes);
	}
	client_server_clear(&train->model);
	reply_queue_clear(&train->queue);
	free(train->plans);
	free(train->each);
	free(train->members);
	free(train->targets);
	agenda_close(&train->agenda);
}

static enum tr_status plan_class(const struct client_class *class, struct class_plan *plan,
				 uint32_t *targets, double ticks_per_s, struct tr_error *err)
{
	double *weights = calloc(class->target_count + 1, sizeof(*weights));
	enum tr_status status = weights ? TR_OK : tr_no_memory(err, "targets");

	for (size_t i = 0; status == TR_OK && i < class->target_count; i++) {
		weights[i] = class->targets[i].share;
		targets[i] = class->targets[i].class;
	}
	plan->targets = targets;
	plan->nodes = (uint32_t) class->nodes;
	plan->sends = class->load != 0;
	plan->replies = class->reply_bins;
	plan->gap_ticks = isnan(class->load) ? NAN : ticks_per_s / class->packets_per_s;
	plan->think_ticks = class->think_s * ticks_per_s;
	plan->service_ticks = class->service_s * ticks_per_s;
	plan->ticks_per_byte = 8 / class->rate_bps * ticks_per_s;
	if (status == TR_OK && plan->sends)
		status = alias_make(&plan->choice, weights, class->target_count, err);
	if (status == TR_OK)
		status = sizes_empirical(&plan->sizes, class->bins, class->bin_count, err);
	if (status == TR_OK && plan->replies)
		status = sizes_empirical(&plan->reply_sizes, class->reply_bins,
					 class->reply_bin_count, err);
	free(weights);
	return status;
}

static enum tr_status plan_classes(struct client_server_train *train, double ticks_per_s,
				   struct tr_error *err)
{
	enum tr_status status = TR_OK;
	size_t targets = 0;

	for (uint32_t c = 0; c < train->model.class_count; c++)
		targets += train->model.classes[c].target_count;
	train->plans = calloc(train->model.class_count, sizeof(*train->plans));
	train->targets = calloc(targets + 1, sizeof(*train->targets));
	if (!train->plans || !train->targets)
		return tr_no_memory(err, "%u classes", train->model.class_count);
	targets = 0;
	for (uint32_t c = 0; status == TR_OK && c < train->model.class_count; c++) {
		const struct client_class *class = &train->model.classes[c];

		status = plan_class(class, &train->plans[c], train->targets + targets, ticks_per_s,
				    err);
		targets += class->target_count;
	}
	return status;
}

static void client_server_open_streams(struct client_node *node, uint32_t number, uint64_t seed)
{
	const struct source_stream streams[] = {{&node->gap, "gap"},
						{&node->to, "to"},
						{&node->size, "size"},
						{&node->reply, "reply"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u", number);
}

// Puts each node into its class, and into the class' list of members.
static enum tr_status place_nodes(struct client_server_train *train, struct tr_error *err)
{
	uint32_t *class_of_node = calloc(train->nodes, sizeof(*class_of_node));
	uint32_t *filled = calloc(train->model.class_count, sizeof(*filled)); // by class
	size_t members = 0;

	if (!class_of_node || !filled) {
		free(class_of_node);
		free(filled);
		return tr_no_memory(err, "%u nodes", train->nodes);
	}
	client_server_place(&train->model, class_of_node);
	for (uint32_t c = 0; c < train->model.class_count; c++) {
		train->plans[c].members = train->members + members;
		members += train->model.classes[c].nodes;
	}
	for (uint32_t i = 0; i < train->nodes; i++) {
		const uint32_t c = class_of_node[i];

		train->each[i].class = c;
		train->each[i].place = filled[c]++;
		train->plans[c].members[train->each[i].place] = i;
	}
	free(class_of_node);
	free(filled);
	return TR_OK;
}

static enum tr_status client_server_start_nodes(struct client_server_train *train, uint64_t seed,
						struct tr_error *err)
{
	int64_t *first = calloc(train->nodes, sizeof(*first));
	bool made;

	for (uint32_t i = 0; first && i < train->nodes; i++) {
		struct client_node *node = &train->each[i];
		const struct class_plan *plan = &train->plans[node->class];
		const double mean = isnan(plan->gap_ticks) ? plan->think_ticks : plan->gap_ticks;

		client_server_open_streams(node, i, seed);
		if (plan->sends)
			node->due_ticks = mean * draw_exponential(&train->tables, &node->gap);
		first[i] = plan->sends ? source_ticks(node->due_ticks) : SOURCE_NEVER;
	}
	made = first && agenda_open(&train->agenda, first, train->nodes);
	free(first);
	return made ? TR_OK : tr_no_memory(err, "%u nodes", train->nodes);
}

static enum tr_status client_server_set_up(struct client_server_train *train,
					   const struct generator_settings *settings,
					   struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;

	if (settings->nodes && client_server_scale(&train->model, settings->nodes, err) != TR_OK)
		return TR_ERROR;
	client_server_solve(&train->model);
	if (client_server_check(&train->model, err) != TR_OK)
		return TR_ERROR;
	train->nodes = (uint32_t)train->model.nodes;
	train->header_B = (uint32_t)(train->model.header_B + 0.5);
	train->end_ticks = source_end_ticks(settings, train->model.duration_s);
	train->each = calloc(train->nodes, sizeof(*train->each));
	train->members = calloc(train->nodes, sizeof(*train->members));
	if (!train->each || !train->members)
		return tr_no_memory(err, "%u nodes", train->nodes);
	draw_tables_make(&train->tables);
	if (plan_classes(train, ticks_per_s, err) != TR_OK || place_nodes(train, err) != TR_OK)
		return TR_ERROR;
	return client_server_start_nodes(train, settings->seed, err);
}

static enum tr_status client_server_train_open(void *state, const struct model *text,
					       const struct generator_settings *settings,
					       struct tr_error *err)
{
	struct client_server_train *train = state;

	if (client_server_get(text, &train->model, err) != TR_OK)
		return TR_ERROR;
	return client_server_set_up(train, settings, err);
}

static bool client_server_before(const struct reply *a, const struct reply *b)
{
	return a->ticks < b->ticks || (a->ticks == b->ticks && a->number < b->number);
}

HEAP(reply, struct reply, client_server_before);

enum tr_status reply_queue_put(struct reply_queue *queue, struct reply reply, struct tr_error *err)
{
	if (!GROW(queue->replies, queue->capacity, queue->count))
		return tr_no_memory(err, "%zu answers under way", queue->count);
	reply.number = queue->put++;
	reply_put(queue->replies, queue->count++, reply);
	return TR_OK;
}

struct reply reply_queue_take(struct reply_queue *queue)
{
	return reply_take(queue->replies, --queue->count);
}

void reply_queue_clear(struct reply_queue *queue)
{
	free(queue->replies);
	*queue = (struct reply_queue){.replies = NULL};
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct client_server_train),
	.open = client_server_train_open,
	.next = client_server_train_next,
	.nodes = client_server_train_nodes,
	.node = source_worker,
	.explain = client_server_explain,
	.forecast = client_server_forecast,
	.pairs = client_server_pairs,
	.close = client_server_train_close,
};

const struct family client_server_family = {
	.name = "client-server",
	.summary = "clients and servers: the shares of traffic within and between classes",
	.generator = &generator,
};
