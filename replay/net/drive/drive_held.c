// SPDX-License-Identifier: GPL-3.0-or-later
// What hosts hold back (net/held.h): traffic between that of a run and its network, and results
// between the network and those of the run. The tag of a packet is its number here.
#include "net/held.h"

#include <stdlib.h>

#include "net/drive/drive.h"
#include "value/grow.h"

#define HELD_NONE UINT32_MAX
#define ACK_BYTES_MOST (UINT64_C(256) << 20) // as of the packets of a trace

// Packets by number, first in, first out.
struct held_list {
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

struct held_packet {
	struct net_offer offer;
	uint32_t next;
	uint64_t used; // of its pair's window; of an acknowledgement: by the packet that it is of
	bool is_ack;
	uint64_t group; // multicast, and its place there
	uint32_t place;
	struct held_list children; // copies that wait for it
};

struct held_pair {
	uint64_t used; // without an acknowledgement
	struct held_list waiting;
};

// A copy of the last multicast: who it is of, while it is on its way, and what became of it.
struct held_member {
	uint32_t packet; // HELD_NONE: it has come to its end
	uint32_t host;
	enum tr_drop_reason lost;
};

struct net_held {
	const struct net_hold_rule *rule;
	struct net_traffic inner;
	struct net_results outer;
	uint32_t hosts;
	uint64_t most; // packets, for the memory of the run
	struct held_packet *packets;
	uint32_t room, count;
	uint32_t spare;		 // the first free number
	struct held_pair *pairs; // by source and destination
	struct held_list ready;	 // to enter now
	uint32_t coming;	 // read last, to enter at its time; HELD_NONE
	enum { MADE_NOTHING, MADE_COMING, MADE_WAKE, MADE_READY } made; // the last offer
	struct held_member *members; // by place; the source first
	uint32_t member_room, member_count;
	uint64_t group;
	int64_t group_ticks;
	struct net_totals *totals;
};

static struct held_pair *held_pair_of(const struct net_held *held, const struct net_offer *offer)
{
	return &held->pairs[(size_t)offer->source * held->hosts + offer->destination];
}

// A number for an offer; HELD_NONE where memory runs out.
static uint32_t held_take(struct net_held *held, const struct net_offer *offer)
{
	uint32_t number = held->spare;

	if (number != HELD_NONE)
		held->spare = held->packets[number].next;
	else if (held->count < held->most && GROW(held->packets, held->room, held->count))
		number = held->count++;
	else
		return HELD_NONE;
	held->packets[number] = (struct held_packet){.offer = *offer};
	return number;
}

static enum tr_status held_fail_full(struct tr_error *err)
{
	return tr_fail(err, "more packets wait for windows than memory holds: a larger --memory "
			    "holds more, but none is enough where windows let through less than is "
			    "offered");
}

static void held_give(struct net_held *held, uint32_t number)
{
	held->packets[number].next = held->spare;
	held->spare = number;
}

static void held_append(struct net_held *held, struct held_list *list, uint32_t number)
{
	if (list->count++ == 0)
		list->first = number;
	else
		held->packets[list->last].next = number;
	list->last = number;
}

static uint32_t held_first(struct net_held *held, struct held_list *list)
{
	const uint32_t number = list->first;

	list->first = held->packets[number].next;
	list->count--;
	return number;
}

// ---- windows

static bool held_has_window(const struct net_held *held, const struct net_offer *offer)
{
	return held->pairs && offer->refused == TR_DROP_NONE && !offer->wake &&
	       offer->source != offer->destination;
}

// What the packet takes of its window.
static uint64_t held_need(const struct net_held *held, const struct net_offer *offer)
{
	return held->rule->of_bytes ? offer->size_bytes : 1;
}

static bool held_is_full(const struct net_held *held, const struct net_offer *offer)
{
	const uint64_t used = held_pair_of(held, offer)->used;

	return used > 0 && used + held_need(held, offer) > held->rule->window;
}

static bool held_must_wait(const struct net_held *held, const struct net_offer *offer)
{
	return held_has_window(held, offer) &&
	       (held_pair_of(held, offer)->waiting.count > 0 || held_is_full(held, offer));
}

// The packet takes its place in the window.
static void held_enter(struct net_held *held, uint32_t number)
{
	struct held_packet *packet = &held->packets[number];

	if (!held_has_window(held, &packet->offer))
		return;
	packet->used = held_need(held, &packet->offer);
	held_pair_of(held, &packet->offer)->used += packet->used;
}

static void held_wait(struct net_held *held, uint32_t number)
{
	held->totals->held.waited++;
	held_append(held, &held_pair_of(held, &held->packets[number].offer)->waiting, number);
}

// The packet may enter now, or when its window lets it.
static void held_release(struct net_held *held, uint32_t number)
{
	if (held_must_wait(held, &held->packets[number].offer)) {
		held_wait(held, number);
		return;
	}
	held_enter(held, number);
	held_append(held, &held->ready, number);
}

// A packet of the pair is acknowledged, or lost.
static void held_acknowledge(struct net_held *held, struct held_pair *pair, uint64_t used)
{
	pair->used -= used;
	while (pair->waiting.count > 0 &&
	       !held_is_full(held, &held->packets[pair->waiting.first].offer)) {
		const uint32_t number = held_first(held, &pair->waiting);

		held_enter(held, number);
		held_append(held, &held->ready, number);
	}
}

// Sends the acknowledgement of a packet that has come.
static enum tr_status held_answer(struct net_held *held, uint32_t number, int64_t now_ticks,
				  struct tr_error *err)
{
	const struct net_offer *offer = &held->packets[number].offer;
	struct net_offer ack = {.packet = offer->packet,
				.source = offer->destination,
				.destination = offer->source,
				.size_bytes = (uint32_t)held->rule->ack_B};
	uint32_t answer;

	if (held->rule->ack_B == 0) {
		held_acknowledge(held, held_pair_of(held, offer), held->packets[number].used);
		return TR_OK;
	}
	ack.packet.time_ticks = now_ticks;
	ack.packet.src = offer->packet.dst;
	ack.packet.dst = offer->packet.src;
	ack.packet.payload_bytes = ack.packet.wire_bytes = ack.size_bytes;
	ack.packet.flags = 0;
	answer = held_take(held, &ack);
	if (answer == HELD_NONE)
		return held_fail_full(err);
	held->packets[answer].is_ack = true;
	held->packets[answer].used = held->packets[number].used;
	held_append(held, &held->ready, answer);
	return TR_OK;
}

// ---- multicasts

// Whether a packet is one more copy of the last multicast: to a host that has none.
static bool held_continues(const struct net_held *held, const struct net_offer *offer)
{
	if (held->member_count == 0 || held->members[0].host != offer->source ||
	    held->group_ticks != offer->packet.time_ticks ||
	    held->members[0].packet != offer->size_bytes)
		return false;
	for (uint32_t i = 0; i < held->member_count; i++)
		if (held->members[i].host == offer->destination)
			return false;
	return true;
}

// The copy's source is a host that had one, or that was lost.
static void held_send_on(struct held_packet *copy, uint32_t host, enum tr_drop_reason lost)
{
	copy->offer.source = host;
	copy->offer.refused = lost;
}

// Puts a packet into a multicast. *waits: for the copy that its sender gets.
static enum tr_status held_join(struct net_held *held, uint32_t number, bool *waits,
				struct tr_error *err)
{
	struct held_packet *copy = &held->packets[number];
	struct held_member *parent;

	*waits = false;
	if (held->rule->fan_out > 0 && copy->offer.continues)
		return tr_fail(err, "multicast: packets above the mtu are cut, and have no copies; "
				    "give a larger mtu, or smaller packets");
	if (held->rule->fan_out == 0 || copy->offer.refused != TR_DROP_NONE || copy->offer.wake ||
	    copy->offer.source == copy->offer.destination)
		return TR_OK;
	if (!GROW(held->members, held->member_room, held->member_count + 1))
		return tr_no_memory(err, "multicasts");
	if (!held_continues(held, &copy->offer)) {
		held->members[0] = (struct held_member){copy->offer.size_bytes, copy->offer.source,
							TR_DROP_NONE};
		held->member_count = 1;
		held->group++;
		held->group_ticks = copy->offer.packet.time_ticks;
	}
	copy->group = held->group;
	copy->place = held->member_count;
	held->members[held->member_count++] = (struct held_member){number, copy->offer.destination,
								   TR_DROP_NONE};
	parent = &held->members[(copy->place - 1) / held->rule->fan_out];
	if (parent == held->members)
		return TR_OK;
	held->totals->held.sent_on++;
	if (parent->packet == HELD_NONE) {
		held_send_on(copy, parent->host, parent->lost);
		return TR_OK;
	}
	*waits = true;
	held_append(held, &held->packets[parent->packet].children, number);
	return TR_OK;
}

// A copy has come to its end: those that wait for it go on.
static void held_pass_on(struct net_held *held, uint32_t number, enum tr_drop_reason lost)
{
	struct held_packet *packet = &held->packets[number];

	if (packet->group > 0 && packet->group == held->group) {
		held->members[packet->place].packet = HELD_NONE;
		held->members[packet->place].lost = lost;
	}
	while (packet->children.count > 0) {
		const uint32_t child = held_first(held, &packet->children);

		held_send_on(&held->packets[child], packet->offer.destination, lost);
		held_release(held, child);
	}
}

// ---- traffic

static enum tr_status held_read(struct net_held *held, struct tr_error *err)
{
	struct net_offer offer;
	enum tr_status status = held->inner.next(held->inner.context, &offer, err);
	bool waits;

	if (status != TR_OK)
		return status;
	held->coming = held_take(held, &offer);
	if (held->coming == HELD_NONE)
		return held_fail_full(err);
	status = held_join(held, held->coming, &waits, err);
	if (status != TR_OK || !waits)
		return status;
	held->coming = HELD_NONE;
	return held->inner.taken ? held->inner.taken(held->inner.context, err) : TR_OK;
}

// The network has taken the last offer.
static enum tr_status held_settle(struct net_held *held, struct tr_error *err)
{
	const uint32_t number = held->coming;
	const int made = held->made;

	held->made = MADE_NOTHING;
	if (made == MADE_READY)
		held_first(held, &held->ready);
	if (made == MADE_NOTHING || made == MADE_READY ||
	    (made == MADE_WAKE && !held_must_wait(held, &held->packets[number].offer)))
		return TR_OK;
	held->coming = HELD_NONE;
	if (made == MADE_WAKE)
		held_wait(held, number);
	else if (held->packets[number].offer.wake)
		held_give(held, number);
	else
		held_enter(held, number);
	return held->inner.taken ? held->inner.taken(held->inner.context, err) : TR_OK;
}

static enum tr_status held_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct net_held *held = context;
	enum tr_status status = held_settle(held, err);
	uint32_t number;

	while (status == TR_OK && held->ready.count == 0 && held->coming == HELD_NONE)
		status = held_read(held, err);
	if (status != TR_OK)
		return status;
	held->made = held->ready.count > 0 ? MADE_READY : MADE_COMING;
	number = held->made == MADE_READY ? held->ready.first : held->coming;
	*offer = held->packets[number].offer;
	offer->tag = number;
	if (held->made == MADE_COMING && held_must_wait(held, offer)) {
		held->made = MADE_WAKE;
		offer->wake = true;
	}
	return TR_OK;
}

static void held_give_back(void *context, const struct net_offer *offer)
{
	(void)offer;
	((struct net_held *)context)->made = MADE_NOTHING;
}

// ---- results

// An acknowledgement is none of the run's packets.
static void held_count_ack(struct net_held *held, enum tr_delivery_status status)
{
	held->totals->held.acks++;
	held->totals->held.acks_lost += status == TR_DROPPED;
	held->totals->offered--;
	held->totals->delivered -= status == TR_DELIVERED;
	held->totals->dropped -= status == TR_DROPPED;
	held->totals->in_flight -= status == TR_IN_FLIGHT;
}

static enum tr_status held_done(void *context, const struct net_worm *worm,
				const struct tr_delivery *delivery, struct tr_error *err)
{
	struct net_held *held = context;
	const uint32_t number = worm->tag;
	struct held_packet *packet = &held->packets[number];
	enum tr_status status = TR_OK, answered = TR_OK;

	// It may have been refused as it was offered.
	if ((held->made == MADE_READY && number == held->ready.first) ||
	    (held->made == MADE_COMING && number == held->coming))
		answered = held_settle(held, err);
	if (packet->is_ack)
		held_count_ack(held, delivery->status);
	else
		status = held->outer.done(held->outer.context, worm, delivery, err);
	if (status == TR_ERROR || answered == TR_ERROR || delivery->status == TR_IN_FLIGHT)
		return answered == TR_ERROR ? answered : status;
	if (packet->is_ack) {
		const struct net_offer back = {.source = packet->offer.destination,
					       .destination = packet->offer.source};

		held_acknowledge(held, held_pair_of(held, &back), packet->used);
	} else if (packet->used > 0 && delivery->status == TR_DELIVERED) {
		answered = held_answer(held, number, delivery->packet.time_ticks, err);
	} else if (packet->used > 0) {
		held_acknowledge(held, held_pair_of(held, &packet->offer), packet->used);
	}
	held_pass_on(held, number, delivery->reason);
	held_give(held, number);
	return answered == TR_ERROR ? TR_ERROR : status;
}

static enum tr_status held_sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	const struct net_held *held = context;

	return held->outer.sample(held->outer.context, link, err);
}

static enum tr_status held_open(struct net_held *held, struct net_setup *setup,
				struct net_totals *totals, struct tr_error *err)
{
	const uint64_t bytes = setup->worms_bytes > 0 ? setup->worms_bytes : NET_WORMS_BYTES;
	const uint32_t hosts = setup->topology->hosts;

	*held = (struct net_held){.rule = setup->hold,
				  .inner = setup->traffic,
				  .outer = setup->results,
				  .hosts = hosts,
				  .most = bytes / sizeof(*held->packets),
				  .spare = HELD_NONE,
				  .coming = HELD_NONE,
				  .totals = totals};
	if (setup->traffic.give_back || setup->finite_sources || setup->traffic.view)
		return tr_fail(err, "window and multicast are of traces: not with a program "
				    "(--mpi has windows), nor with source=finite");
	if (held->rule->ack_B > ACK_BYTES_MOST)
		return tr_fail(err, "ack: an acknowledgement has 0 B to 256 MiB");
	setup->traffic = (struct net_traffic){
		.next = held_next, .context = held, .give_back = held_give_back};
	setup->results.done = held_done;
	setup->results.sample = setup->results.sample ? held_sample : NULL;
	setup->results.context = held;
	if (held->rule->window == 0)
		return TR_OK;
	held->pairs = calloc((size_t)hosts * hosts, sizeof(*held->pairs));
	return held->pairs ? TR_OK : tr_no_memory(err, "the windows of hosts");
}

enum tr_status net_drive(void *run, const struct net_setup *setup, const struct net_rules *rules,
			 uint64_t worms_max, struct net_totals *totals, struct tr_error *err)
{
	struct net_setup own = *setup;
	struct net_held held;
	enum tr_status status;

	if (!net_hold_is_on(setup->hold))
		return net_drive_go(run, setup, rules, worms_max, totals, err);
	*totals = (struct net_totals){0};
	status = held_open(&held, &own, totals, err);
	if (status == TR_OK)
		status = net_drive_go(run, &own, rules, worms_max, totals, err);
	totals->held.on = true;
	free(held.packets);
	free(held.pairs);
	free(held.members);
	return status;
}
