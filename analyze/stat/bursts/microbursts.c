// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/microbursts.h"
#include "value/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024 // a power of two, as later ones

struct packet {
	int64_t time_ticks;
	uint32_t size_bytes, src, dst;
};

// A place in the stream: a packet's time, and what came before it.
struct burst_edge {
	int64_t time_ticks;
	uint64_t packets, size_bytes;
};

// The window that ends with a packet.
struct window {
	int64_t end_ticks;
	uint64_t size_bytes;
};

// What the window had left just before a packet, and where the window that ends with this packet
// begins.
struct microbursts_valley {
	uint64_t size_bytes;
	struct burst_edge begin;
};

// Elements first to first + count of a ring.
struct ring {
	void *at;
	size_t size_bytes; // of an element
	size_t first, count, capacity;
};

struct microbursts {
	int64_t width_ticks;
	size_t most;
	struct ring packets;   // of struct packet
	size_t begun;	       // packets before the window that ends with the last one
	uint64_t size_bytes;   // in that window
	struct burst_edge all; // packets so far

	bool open;		 // in a burst, of which is known so far:
	struct window largest;	 // the first of its largest windows
	bool told;		 // its pairs are in said
	struct microburst said;	 // pairs only
	struct burst_edge begin; // of its first packet
	struct burst_edge end;	 // behind its last window of half the largest; no time before there
				 // is a packet behind
	bool ended;		 // there is
	int64_t last_ticks;	 // of that window
	// of struct microbursts_valley since the burst before, each below all later ones; the
	// first is the last below half
	struct ring valleys;
	uint64_t least_bytes;	  // since the burst before, while not open
	struct burst_edge before; // behind the burst before

	struct microburst *list;
	size_t count;
};

static void *ring_at(const struct ring *ring, size_t i)
{
	return (char *)ring->at + ((ring->first + i) & (ring->capacity - 1)) * ring->size_bytes;
}

static void ring_drop_first(struct ring *ring, size_t count)
{
	ring->first = (ring->first + count) & (ring->capacity - 1);
	ring->count -= count;
}

// Makes room for one more; false if out of memory.
static bool ring_reserve(struct ring *ring)
{
	const size_t capacity = ring->capacity ? 2 * ring->capacity : FIRST_CAPACITY;
	char *larger;

	if (ring->count < ring->capacity)
		return true;
	larger = malloc(capacity * ring->size_bytes);
	if (!larger)
		return false;
	for (size_t i = 0; i < ring->count; i++)
		memcpy(larger + i * ring->size_bytes, ring_at(ring, i), ring->size_bytes);
	free(ring->at);
	ring->at = larger;
	ring->first = 0;
	ring->capacity = capacity;
	return true;
}

struct microbursts *microbursts_new(int64_t width_ticks, size_t most)
{
	struct microbursts *bursts = calloc(1, sizeof(*bursts));

	if (!bursts)
		return NULL;
	bursts->list = calloc(most, sizeof(*bursts->list));
	bursts->width_ticks = width_ticks;
	bursts->most = most;
	bursts->packets.size_bytes = sizeof(struct packet);
	bursts->valleys.size_bytes = sizeof(struct microbursts_valley);
	bursts->before.time_ticks = INT64_MIN;
	if (bursts->list)
		return bursts;
	free(bursts);
	return NULL;
}

// ---- a microburst that is kept

static int pairs_by_ends(const void *a, const void *b)
{
	const struct microburst_pair *one = a, *other = b;

	ORDER_BY(one->src, other->src);
	return ORDER(one->dst, other->dst);
}

static int pairs_by_bytes(const void *a, const void *b)
{
	const struct microburst_pair *one = a, *other = b;

	ORDER_BY(other->size_bytes, one->size_bytes);
	return pairs_by_ends(a, b);
}

// Joins what each packet adds to its pair, and keeps the largest.
static void keep_pairs(struct microburst *burst, struct microburst_pair *pairs, size_t count)
{
	size_t joined = 0;

	qsort(pairs, count, sizeof(*pairs), pairs_by_ends);
	for (size_t i = 0; i < count; i++) {
		if (joined > 0 && pairs_by_ends(&pairs[joined - 1], &pairs[i]) == 0)
			pairs[joined - 1].size_bytes += pairs[i].size_bytes;
		else
			pairs[joined++] = pairs[i];
	}
	qsort(pairs, joined, sizeof(*pairs), pairs_by_bytes);
	burst->pair_count = (uint32_t)joined;
	memcpy(burst->pairs, pairs,
	       (joined < MICROBURST_PAIRS ? joined : MICROBURST_PAIRS) * sizeof(*pairs));
}

static bool is_in_window(const struct microbursts *bursts, const struct window *window,
			 const struct packet *packet)
{
	return packet->time_ticks <= window->end_ticks &&
	       (uint64_t)window->end_ticks - (uint64_t)packet->time_ticks <
		       (uint64_t)bursts->width_ticks;
}

// Whether so many bytes in its largest window would put a burst into the list.
static bool burst_is_listed(const struct microbursts *bursts, uint64_t largest_bytes)
{
	return bursts->count < bursts->most ||
	       largest_bytes > bursts->list[bursts->count - 1].largest_bytes;
}

// Sums the pairs of the largest window, whose packets are still held.
static enum tr_status tell_pairs(struct microbursts *bursts, struct tr_error *err)
{
	struct microburst_pair *pairs = malloc(bursts->packets.count * sizeof(*pairs));
	size_t count = 0;

	if (!pairs)
		return tr_no_memory(err, "a microburst");
	for (size_t i = 0; i < bursts->packets.count; i++) {
		const struct packet *packet = ring_at(&bursts->packets, i);

		if (is_in_window(bursts, &bursts->largest, packet) && packet->size_bytes > 0)
			pairs[count++] = (struct microburst_pair){packet->src, packet->dst,
								  packet->size_bytes};
	}
	keep_pairs(&bursts->said, pairs, count);
	free(pairs);
	return TR_OK;
}

// Once no later window overlaps the largest.
static enum tr_status tell_largest(struct microbursts *bursts, struct tr_error *err)
{
	if (!bursts->open || bursts->told)
		return TR_OK;
	bursts->told = true;
	return burst_is_listed(bursts, bursts->largest.size_bytes) ? tell_pairs(bursts, err)
								   : TR_OK;
}

static void list_burst(struct microbursts *bursts)
{
	struct microburst burst = bursts->said;
	size_t at = bursts->count;

	if (!burst_is_listed(bursts, bursts->largest.size_bytes))
		return;
	burst.begin_ticks = bursts->begin.time_ticks;
	burst.end_ticks = bursts->last_ticks;
	burst.packets = bursts->end.packets - bursts->begin.packets;
	burst.size_bytes = bursts->end.size_bytes - bursts->begin.size_bytes;
	burst.largest_bytes = bursts->largest.size_bytes;
	if (bursts->count < bursts->most)
		bursts->count++;
	else
		at--;
	for (; at > 0 && bursts->list[at - 1].largest_bytes < burst.largest_bytes; at--)
		bursts->list[at] = bursts->list[at - 1];
	bursts->list[at] = burst;
}

// ---- windows

// The window that ends with the last packet is complete. It begins a burst if it is above twice the
// least since the burst before. If it is the burst's largest so far, lows that are above half of
// the former largest may be below half of it, and the burst begins behind the last of those: they
// rise, so that they are dropped from the front. If it is at least half the largest, the burst
// lasts until its end.
static void end_window(struct microbursts *bursts)
{
	const struct packet *last = ring_at(&bursts->packets, bursts->packets.count - 1);
	const struct window window = {.end_ticks = last->time_ticks,
				      .size_bytes = bursts->size_bytes};
	struct ring *valleys = &bursts->valleys;

	if (!bursts->open && window.size_bytes > 2 * bursts->least_bytes) {
		bursts->open = true;
		bursts->largest.size_bytes = 0;
	}
	if (!bursts->open)
		return;
	if (window.size_bytes > bursts->largest.size_bytes) {
		bursts->largest = window;
		bursts->told = false;
		while (valleys->count > 1 &&
		       2 * ((struct microbursts_valley *)ring_at(valleys, 1))->size_bytes <
			       window.size_bytes)
			ring_drop_first(valleys, 1);
		bursts->begin = ((const struct microbursts_valley *)ring_at(valleys, 0))->begin;
	}
	if (2 * window.size_bytes >= bursts->largest.size_bytes) {
		bursts->end = bursts->all;
		bursts->last_ticks = window.end_ticks;
		bursts->ended = false;
	}
}

// Moves the window on until just before a packet at this time.
static void move_window(struct microbursts *bursts, int64_t time_ticks)
{
	const struct window next = {.end_ticks = time_ticks};

	while (bursts->begun < bursts->packets.count) {
		const struct packet *packet = ring_at(&bursts->packets, bursts->begun);

		if (is_in_window(bursts, &next, packet))
			break;
		bursts->size_bytes -= packet->size_bytes;
		bursts->begun++;
	}
}

// Where the window that will end with a packet at this time begins, behind the burst before.
static struct burst_edge window_begin(const struct microbursts *bursts, int64_t time_ticks)
{
	const size_t inside = bursts->packets.count - bursts->begun;
	const struct burst_edge begin = {
		inside > 0 ? ((const struct packet *)ring_at(&bursts->packets, bursts->begun))
				     ->time_ticks
			   : time_ticks,
		bursts->all.packets - inside, bursts->all.size_bytes - bursts->size_bytes};

	return begin.packets < bursts->before.packets ? bursts->before : begin;
}

// What the window has left just before a packet at this time: an end of the burst, if it is less
// than half the largest and no later window overlaps that.
static enum tr_status see_valley(struct microbursts *bursts, int64_t time_ticks,
				 struct tr_error *err)
{
	struct microbursts_valley valley = {.size_bytes = bursts->size_bytes};
	struct ring *valleys = &bursts->valleys;

	if (bursts->open && !bursts->ended) {
		bursts->end.time_ticks = time_ticks;
		bursts->ended = true;
	}
	if (bursts->open && (uint64_t)time_ticks - (uint64_t)bursts->largest.end_ticks >=
				    (uint64_t)bursts->width_ticks) {
		if (tell_largest(bursts, err) != TR_OK)
			return TR_ERROR;
		if (2 * valley.size_bytes < bursts->largest.size_bytes) {
			list_burst(bursts);
			bursts->open = false;
			bursts->before = bursts->end;
			bursts->least_bytes = valley.size_bytes;
			valleys->count = 0;
		}
	}
	if (valley.size_bytes < bursts->least_bytes)
		bursts->least_bytes = valley.size_bytes;
	valley.begin = window_begin(bursts, time_ticks);
	while (valleys->count > 0 &&
	       ((struct microbursts_valley *)ring_at(valleys, valleys->count - 1))->size_bytes >=
		       valley.size_bytes)
		valleys->count--;
	if (!ring_reserve(valleys))
		return tr_no_memory(err, "the windows of a microburst");
	valleys->count++;
	*(struct microbursts_valley *)ring_at(valleys, valleys->count - 1) = valley;
	return TR_OK;
}

// Drops packets that neither the next window nor a largest one whose pairs are not known yet needs.
static void drop_packets(struct microbursts *bursts)
{
	const bool held = bursts->open && !bursts->told;
	size_t count = 0;

	while (count < bursts->begun &&
	       !(held && is_in_window(bursts, &bursts->largest, ring_at(&bursts->packets, count))))
		count++;
	if (count > 0)
		ring_drop_first(&bursts->packets, count);
	bursts->begun -= count;
}

enum tr_status microbursts_add(struct microbursts *bursts, int64_t time_ticks, uint32_t size_bytes,
			       uint32_t src, uint32_t dst, struct tr_error *err)
{
	struct ring *packets = &bursts->packets;

	if (bursts->all.packets == 0 || bursts->all.time_ticks != time_ticks) {
		if (bursts->all.packets > 0)
			end_window(bursts);
		move_window(bursts, time_ticks);
		if (see_valley(bursts, time_ticks, err) != TR_OK)
			return TR_ERROR;
		drop_packets(bursts);
	}
	if (packets->count >= MICROBURST_PACKETS) {
		(void)tr_fail(err,
			      "more than %d packets in twice the width of microbursts: choose a "
			      "narrower one",
			      MICROBURST_PACKETS);
		return TR_END;
	}
	if (!ring_reserve(packets))
		return tr_no_memory(err, "the packets of a microburst");
	packets->count++;
	*(struct packet *)ring_at(packets, packets->count - 1) = (struct packet){
		time_ticks, size_bytes, src, dst};
	bursts->size_bytes += size_bytes;
	bursts->all = (struct burst_edge){time_ticks, bursts->all.packets + 1,
					  bursts->all.size_bytes + size_bytes};
	return TR_OK;
}

enum tr_status microbursts_finish(struct microbursts *bursts, const struct microburst **list,
				  size_t *count, struct tr_error *err)
{
	if (bursts->all.packets > 0)
		end_window(bursts);
	if (bursts->open) {
		if (tell_largest(bursts, err) != TR_OK)
			return TR_ERROR;
		list_burst(bursts);
	}
	*list = bursts->list;
	*count = bursts->count;
	return TR_OK;
}

const char *microburst_say_pairs(const struct microburst *burst, const struct tr_names *names,
				 char *text)
{
	const uint32_t said = burst->pair_count < MICROBURST_PAIRS ? burst->pair_count
								   : MICROBURST_PAIRS;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < said; i++)
		used += (size_t)snprintf(text + used, MICROBURST_TEXT - used, "%s%s>%s %.1f %%",
					 i ? ", " : "", tr_names_node(names, burst->pairs[i].src),
					 tr_names_node(names, burst->pairs[i].dst),
					 100 * (double)burst->pairs[i].size_bytes /
						 (double)burst->largest_bytes);
	if (burst->pair_count > said)
		(void)snprintf(text + used, MICROBURST_TEXT - used, ", %u more",
			       burst->pair_count - said);
	return text;
}

void microbursts_free(struct microbursts *bursts)
{
	if (!bursts)
		return;
	free(bursts->packets.at);
	free(bursts->valleys.at);
	free(bursts->list);
	free(bursts);
}
