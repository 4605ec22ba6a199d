// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines_compare.h"

#include <stdlib.h>
#include <string.h>

#include "replay_bed.h"
#include "value/random.h"

// Prefix of an engine's message that it does not support a case.
#define REFUSAL "the local engine "

#define RANKS_MOST 4u

struct side {
	enum tr_status status;
	struct tr_delivery *deliveries;
	size_t delivery_count;
	struct tr_link *samples;
	size_t sample_count;
	struct net_wait_step *steps; // of the cycle of a deadlock
	size_t step_count;
	struct net_totals totals;
	struct tr_error err;
};

// All of it follows from the packet's id: another order of results makes no other packets.
static void react(struct bed *bed, const struct tr_delivery *delivery)
{
	const struct engines_case *item = bed->reacts_to;
	const struct engines_reaction *reaction = &item->reaction;
	const uint64_t id = delivery->packet.id;
	const struct engines_packet *first = &item->packets[id % item->packet_count];
	const uint32_t hosts = item->topology.hosts;
	struct net_offer offer = {.packet = delivery->packet};
	struct tr_random random;
	char name[32];

	if (id / item->packet_count >= reaction->rounds || first->size_bytes == 0 || hosts < 2)
		return;
	snprintf(name, sizeof(name), "result%llu", (unsigned long long)id);
	tr_random_open(&random, reaction->seed, name);
	offer.source = delivery->status == TR_DELIVERED ? delivery->packet.dst
							: delivery->packet.src;
	offer.destination = (offer.source + 1 + (uint32_t)tr_random_below(&random, hosts - 1)) %
			    hosts;
	offer.size_bytes = 1 + (uint32_t)tr_random_below(&random, first->size_bytes);
	if (tr_random_below(&random, 3) > 0)
		offer.packet.time_ticks +=
			(int64_t)(tr_random_below(&random, (uint64_t)reaction->think_ticks + 1) *
				  (bed->ticks_per_s / ENGINES_TICKS_PER_S));
	offer.packet.id = id + item->packet_count;
	offer.packet.src = offer.source;
	offer.packet.dst = offer.destination;
	offer.packet.payload_bytes = offer.size_bytes;
	bed_then(bed, &offer);
}

static bool open_bed(struct bed *bed, const struct engines_case *item)
{
	int64_t finer;

	*bed = (struct bed){.topology = item->topology, .params = item->params};
	memcpy(bed->params.crossbar.order, item->order, sizeof(item->order));
	if (myr_clock(&bed->params, &bed->topology, ENGINES_TICKS_PER_S, &bed->ticks_per_s,
		      &bed->err) != TR_OK ||
	    net_topology_check(&bed->topology, &bed->err) != TR_OK ||
	    net_routes_shortest(&bed->routes, &bed->topology, &bed->err) != TR_OK)
		return false;
	finer = (int64_t)(bed->ticks_per_s / ENGINES_TICKS_PER_S);
	bed->enough = item->enough;
	bed->sampling.width_ticks = item->sampling.width_ticks * finer;
	bed->sampling.start_ticks = item->sampling.start_ticks * finer;
	bed->reacts_to = item;
	bed->react = item->reaction.rounds > 0 ? react : NULL;
	bed->fault_count = item->fault_count;
	for (uint32_t i = 0; i < item->fault_count; i++) {
		bed->faults[i] = item->faults[i];
		bed->faults[i].from_ticks *= finer;
		if (bed->faults[i].to_ticks != INT64_MAX)
			bed->faults[i].to_ticks *= finer;
	}
	for (size_t i = 0; i < item->packet_count; i++) {
		const struct engines_packet *packet = &item->packets[i];

		bed_offer(bed, packet->time_ticks * finer, packet->source, packet->destination,
			  packet->size_bytes);
		if (packet->size_bytes == 0)
			bed->offers[i].refused = TR_DROP_UNMAPPED;
		if (packet->route_count == ENGINES_USUAL_ROUTE)
			continue;
		bed->offers[i].route = packet->route;
		bed->offers[i].route_count = packet->route_count;
		bed->longest_route = ENGINES_ROUTE;
	}
	return true;
}

static void close_bed(struct bed *bed)
{
	bed->topology = (struct net_topology){0}; // the case's
	bed_close(bed);
}

// Runs one engine and takes its results out of the bed.
static struct side run(struct bed *bed, const char *engine)
{
	struct side side;

	bed->err.text[0] = '\0';
	bed->deliveries = NULL;
	bed->samples = NULL;
	bed->steps = NULL;
	bed->delivery_capacity = bed->sample_capacity = bed->step_capacity = 0;
	side.status = bed_run(bed, engine);
	side.deliveries = bed->deliveries;
	side.delivery_count = bed->delivery_count;
	side.samples = bed->samples;
	side.sample_count = bed->sample_count;
	side.steps = bed->steps;
	side.step_count = bed->step_count;
	side.totals = bed->totals;
	side.err = bed->err;
	bed->deliveries = NULL;
	bed->samples = NULL;
	bed->steps = NULL;
	return side;
}

static void clear(struct side *side)
{
	free(side->deliveries);
	free(side->samples);
	free(side->steps);
}

// Fields of totals that are of the simulated network, not of the engine.
static const struct total {
	const char *name;
	size_t offset_bytes;
} totals[] = {
	{"offered", offsetof(struct net_totals, offered)},
	{"delivered", offsetof(struct net_totals, delivered)},
	{"dropped", offsetof(struct net_totals, dropped)},
	{"in_flight", offsetof(struct net_totals, in_flight)},
	{"resent", offsetof(struct net_totals, own[MYR_RESENT])},
	{"undetected", offsetof(struct net_totals, own[MYR_UNDETECTED])},
	{"slack_peak", offsetof(struct net_totals, own[MYR_SLACK_PEAK])},
	{"links_lost", offsetof(struct net_totals, own[MYR_LINKS_LOST])},
	{"copies", offsetof(struct net_totals, own[MYR_COPIES])},
	{"controls", offsetof(struct net_totals, own[MYR_CONTROLS])},
	{"characters", offsetof(struct net_totals, own[MYR_CHARACTERS])},
	{"end_ticks", offsetof(struct net_totals, end_ticks)},
};

static bool differ(char *why, const char *what, size_t at, const char *field, long long a,
		   long long b)
{
	snprintf(why, ENGINES_WHY_BYTES, "%s %zu: %s is %lld and %lld", what, at, field, a, b);
	return true;
}

static long long field_of(const struct tr_field *field, const void *record)
{
	const unsigned char *place = (const unsigned char *)record + field->offset_bytes;
	int64_t wide;
	uint32_t word;
	uint16_t half;

	switch ((enum tr_field_type)field->type) {
	case TR_I64:
	case TR_U64: memcpy(&wide, place, sizeof(wide)); return wide;
	case TR_U32:
	case TR_I32: memcpy(&word, place, sizeof(word)); return word;
	case TR_U16: memcpy(&half, place, sizeof(half)); return half;
	case TR_U8: return *place;
	}
	return 0;
}

// The first field in which two lists of records of a kind differ.
static bool records_differ(enum tr_kind kind, const void *a, size_t a_count, const void *b,
			   size_t b_count, char *why)
{
	const struct tr_kind_info *info = tr_kind_find(kind);
	size_t count = a_count < b_count ? a_count : b_count;

	for (size_t i = 0; i < count; i++) {
		const char *left = (const char *)a + i * info->size_bytes;
		const char *right = (const char *)b + i * info->size_bytes;

		for (unsigned k = 0; k < info->field_count; k++) {
			const struct tr_field *field = &info->fields[k];

			if (field_of(field, left) != field_of(field, right))
				return differ(why, info->name, i, field->name,
					      field_of(field, left), field_of(field, right));
		}
	}
	if (a_count == b_count)
		return false;
	return differ(why, info->name, count, "number of them", (long long)a_count,
		      (long long)b_count);
}

static bool totals_differ(const struct side *a, const struct side *b, char *why)
{
	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++) {
		int64_t left, right;

		memcpy(&left, (const char *)&a->totals + totals[i].offset_bytes, sizeof(left));
		memcpy(&right, (const char *)&b->totals + totals[i].offset_bytes, sizeof(right));
		if (left != right)
			return differ(why, "totals", i, totals[i].name, left, right);
	}
	if (a->totals.livelocked != b->totals.livelocked)
		return differ(why, "totals", 0, "livelocked", a->totals.livelocked,
			      b->totals.livelocked);
	if (a->totals.deadlocked != b->totals.deadlocked)
		return differ(why, "totals", 0, "deadlocked", a->totals.deadlocked,
			      b->totals.deadlocked);
	return false;
}

static bool cycles_differ(const struct side *a, const struct side *b, char *why)
{
	if (a->step_count != b->step_count)
		return differ(why, "cycle", 0, "number of steps", (long long)a->step_count,
			      (long long)b->step_count);
	for (size_t i = 0; i < a->step_count; i++) {
		const struct net_wait_step *left = &a->steps[i], *right = &b->steps[i];

		if (left->packet != right->packet)
			return differ(why, "step", i, "packet", (long long)left->packet,
				      (long long)right->packet);
		if (left->link != right->link || left->queued != right->queued)
			return differ(why, "step", i, "link", left->link, right->link);
	}
	return false;
}

// Whether finite sources thought too little before packets, or forgot to send some.
static bool sources_differ(const struct bed *bed, const struct side *side, char *why)
{
	const struct net_totals *sum = &side->totals;
	const size_t count = bed->offer_count, hosts = bed->topology.hosts;
	const struct tr_delivery **of = calloc(count + hosts, sizeof(*of));
	size_t *last = calloc(hosts, sizeof(*last)); // packet of each host, + 1
	bool wrong = false;

	if (!of || !last)
		abort();
	for (size_t i = 0; i < side->delivery_count; i++)
		of[side->deliveries[i].packet.id] = &side->deliveries[i];
	for (size_t i = 0; i < count && !wrong; i++) {
		const struct net_offer *offer = &bed->offers[i];
		const size_t k = last[offer->source];

		if (offer->refused != TR_DROP_NONE)
			continue;
		last[offer->source] = i + 1;
		if (k == 0 || !of[i] || !of[k - 1] || of[i]->created_ticks < 0 ||
		    of[k - 1]->created_ticks < 0)
			continue;
		if (of[i]->created_ticks - offer->packet.time_ticks <
			    (sum->own[MYR_RESENT] > 0 ? of[k - 1]->created_ticks
						      : of[k - 1]->injected_ticks) -
				    bed->offers[k - 1].packet.time_ticks ||
		    of[i]->created_ticks - offer->packet.time_ticks <
			    of[k - 1]->created_ticks - bed->offers[k - 1].packet.time_ticks)
			wrong = differ(why, "packet", i, "created, and the one before it",
				       of[i]->created_ticks, of[k - 1]->created_ticks);
	}
	if (!wrong && !sum->deadlocked && !sum->livelocked && !bed->stop_ticks &&
	    bed->enough == 0 && sum->offered != count)
		wrong = differ(why, "totals", 0, "offered", (long long)sum->offered,
			       (long long)count);
	free(of);
	free(last);
	return wrong;
}

// Samples are only looked at: without them the run is the same.
static bool samples_matter(struct bed *bed, const char *engine, const struct side *sampled,
			   char *why)
{
	struct side plain;
	bool differ;

	if (bed->sampling.width_ticks == 0 || sampled->status != TR_OK)
		return false;
	bed->sampling.width_ticks = 0;
	plain = run(bed, engine);
	differ = plain.status != TR_OK ||
		 records_differ(TR_DELIVERY, sampled->deliveries, sampled->delivery_count,
				plain.deliveries, plain.delivery_count, why) ||
		 totals_differ(sampled, &plain, why);
	clear(&plain);
	return differ;
}

static bool sides_differ(const struct side *a, const struct side *b, char *why)
{
	if (a->status != b->status || strcmp(a->err.text, b->err.text) != 0) {
		snprintf(why, ENGINES_WHY_BYTES, "one says \"%.200s\", the other \"%.200s\"",
			 a->err.text, b->err.text);
		return true;
	}
	if (records_differ(TR_DELIVERY, a->deliveries, a->delivery_count, b->deliveries,
			   b->delivery_count, why))
		return true;
	if (records_differ(TR_LINK, a->samples, a->sample_count, b->samples, b->sample_count, why))
		return true;
	return a->status == TR_OK && (totals_differ(a, b, why) || cycles_differ(a, b, why));
}

// Ranks move the regions as one process does. They show no cycle of a deadlock, and stop where a
// queue may be full.
static bool ranks_differ(struct bed *bed, const char *engine, const struct side *one,
			 struct engines_story *story)
{
	struct side many;
	bool differ;

	bed->ranks = 2 + (uint32_t)(bed->shuffle / 2 % (one->totals.regions - 1));
	bed->ranks = bed->ranks < RANKS_MOST ? bed->ranks : RANKS_MOST;
	many = run(bed, engine);
	bed->ranks = 0;
	many.step_count = one->step_count;
	many.steps = one->steps;
	differ = !strstr(many.err.text, "ranks of MPI") && sides_differ(one, &many, story->why);
	story->ranks = strstr(many.err.text, "ranks of MPI") == NULL;
	many.steps = NULL;
	clear(&many);
	return differ;
}

static void tell(const struct side *side, const struct engines_case *item,
		 struct engines_story *story)
{
	story->failed = side->status != TR_OK;
	story->deadlocked = side->totals.deadlocked;
	story->dropped = side->totals.dropped > 0;
	story->copied = side->totals.own[MYR_COPIES] > 0;
	story->answered = side->totals.own[MYR_CONTROLS] > 0;
	story->characters = side->totals.own[MYR_CHARACTERS];
	story->finite = item->params.finite && !story->failed;
	story->reacted = side->totals.offered > item->packet_count;
	for (size_t i = 0; i < side->delivery_count; i++) {
		const unsigned reason = side->deliveries[i].reason;

		if (side->deliveries[i].status != TR_DROPPED)
			continue;
		story->dead |= reason == TR_DROP_DEAD;
		story->damaged |= reason == TR_DROP_ERROR;
		story->misrouted |= reason == TR_DROP_ROUTE;
		story->late |= reason == TR_DROP_TIMEOUT;
	}
	story->late |= side->totals.own[MYR_RESENT] > 0;
	story->undetected = side->totals.own[MYR_UNDETECTED] > 0;
	story->links_lost = side->totals.own[MYR_LINKS_LOST] > 0;
	for (size_t i = 0; i < side->sample_count; i++) {
		story->stopped |= side->samples[i].blocked_stop_ticks > 0;
		story->waited_memory |= side->samples[i].blocked_memory_ticks > 0;
	}
}

enum engines_verdict engines_compare(const struct engines_case *item, const char *first,
				     const char *second, struct engines_story *story)
{
	enum engines_verdict verdict = ENGINES_EQUAL;
	int64_t cut_ticks;
	struct side a, b;
	struct bed bed;

	*story = (struct engines_story){0};
	if (!open_bed(&bed, item)) {
		snprintf(story->why, sizeof(story->why), "%s", bed.err.text);
		close_bed(&bed);
		return ENGINES_NO_CASE;
	}
	cut_ticks = item->cut_ticks * (int64_t)(bed.ticks_per_s / ENGINES_TICKS_PER_S);
	bed.stop_ticks = cut_ticks != 0 ? &cut_ticks : NULL;
	bed.shuffle = item->shuffle;
	if (item->shuffle != 0 && item->enough == 0) { // where the case allows regions
		bed.regions = (uint32_t)(2 + item->shuffle % 5);
		bed.threads = (uint32_t)(1 + item->shuffle % 4);
	}
	b = run(&bed, second);
	story->regions = b.totals.regions;
	if (b.totals.regions > 1 && item->shuffle % 2 == 0 && ranks_differ(&bed, second, &b, story))
		verdict = ENGINES_DIFFER;
	bed.regions = bed.threads = 0;
	if (b.status != TR_OK && strncmp(b.err.text, REFUSAL, strlen(REFUSAL)) == 0) {
		verdict = ENGINES_REFUSED;
		snprintf(story->why, sizeof(story->why), "%s", b.err.text);
	} else if (verdict == ENGINES_EQUAL) {
		bed.shuffle = 0;
		a = run(&bed, first);
		tell(&a, item, story);
		if (sides_differ(&a, &b, story->why) ||
		    samples_matter(&bed, second, &b, story->why) ||
		    (item->params.finite && a.status == TR_OK &&
		     sources_differ(&bed, &a, story->why)))
			verdict = ENGINES_DIFFER;
		clear(&a);
	}
	clear(&b);
	close_bed(&bed);
	return verdict;
}
