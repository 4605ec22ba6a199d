// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/microbursts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024 // a power of two, as later ones

struct packet {
	int64_t time_ticks;
	uint32_t size_bytes, src, dst;
};

// Those that have ended and may still be microbursts: the largest of the last width, and after each the largest that are later.
struct window {
	int64_t end_ticks;
	uint64_t size_bytes;
	bool unequalled; // no window of the width before has as many bytes
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
	struct ring packets; // of struct packet
	struct ring windows; // of struct window, their bytes falling
	size_t begun;	     // packets before the window that ends with the last one
	uint64_t size_bytes; // in that window
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
	bursts->windows.size_bytes = sizeof(struct window);
	if (bursts->list)
		return bursts;
	free(bursts);
	return NULL;
}

// ---- a microburst that is kept

static int pairs_by_ends(const void *a, const void *b)
{
	const struct microburst_pair *one = a, *other = b;

	if (one->src != other->src)
		return one->src < other->src ? -1 : 1;
	return (one->dst > other->dst) - (one->dst < other->dst);
}

static int pairs_by_bytes(const void *a, const void *b)
{
	const struct microburst_pair *one = a, *other = b;

	if (one->size_bytes != other->size_bytes)
		return one->size_bytes > other->size_bytes ? -1 : 1;
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
	memcpy(burst->pairs, pairs, (joined < MICROBURST_PAIRS ? joined : MICROBURST_PAIRS) * sizeof(*pairs));
}

static bool is_in_window(const struct microbursts *bursts, const struct window *window, const struct packet *packet)
{
	return packet->time_ticks <= window->end_ticks &&
	       (uint64_t)window->end_ticks - (uint64_t)packet->time_ticks < (uint64_t)bursts->width_ticks;
}

static enum tr_status keep_microburst(struct microbursts *bursts, const struct window *window, struct tr_error *err)
{
	struct microburst burst = {.end_ticks = window->end_ticks, .size_bytes = window->size_bytes};
	struct microburst_pair *pairs = malloc(bursts->packets.count * sizeof(*pairs));
	size_t at = bursts->count, with_bytes = 0;

	if (!pairs)
		return tr_no_memory(err, "a microburst");
	for (size_t i = 0; i < bursts->packets.count; i++) {
		const struct packet *packet = ring_at(&bursts->packets, i);

		if (!is_in_window(bursts, window, packet))
			continue;
		if (burst.packets == 0)
			burst.begin_ticks = packet->time_ticks;
		burst.packets++;
		if (packet->size_bytes > 0)
			pairs[with_bytes++] = (struct microburst_pair){packet->src, packet->dst, packet->size_bytes};
	}
	keep_pairs(&burst, pairs, with_bytes);
	free(pairs);
	if (bursts->count < bursts->most)
		bursts->count++;
	else
		at--;
	for (; at > 0 && bursts->list[at - 1].size_bytes < burst.size_bytes; at--)
		bursts->list[at] = bursts->list[at - 1];
	bursts->list[at] = burst;
	return TR_OK;
}

// ---- windows

// The first window is left by all that could overlap it.
static enum tr_status judge_first(struct microbursts *bursts, struct tr_error *err)
{
	const struct window window = *(const struct window *)ring_at(&bursts->windows, 0);
	const bool large = bursts->count < bursts->most || window.size_bytes > bursts->list[bursts->count - 1].size_bytes;

	ring_drop_first(&bursts->windows, 1);
	return window.unequalled && window.size_bytes > 0 && large ? keep_microburst(bursts, &window, err) : TR_OK;
}

// The window that ends with the last packet is complete.
static enum tr_status end_window(struct microbursts *bursts, struct tr_error *err)
{
	const struct packet *last = ring_at(&bursts->packets, bursts->packets.count - 1);
	struct window window = {.end_ticks = last->time_ticks, .size_bytes = bursts->size_bytes};
	struct ring *windows = &bursts->windows;

	while (windows->count > 0 && (uint64_t)window.end_ticks - (uint64_t)((struct window *)ring_at(windows, 0))->end_ticks >=
					     (uint64_t)bursts->width_ticks)
		if (judge_first(bursts, err) != TR_OK)
			return TR_ERROR;
	while (windows->count > 0 && ((struct window *)ring_at(windows, windows->count - 1))->size_bytes < window.size_bytes)
		windows->count--;
	window.unequalled = windows->count == 0;
	if (!ring_reserve(windows))
		return tr_no_memory(err, "the windows of a microburst");
	windows->count++;
	*(struct window *)ring_at(windows, windows->count - 1) = window;
	return TR_OK;
}

// Drops packets that no window needs: neither the next one nor the first of those that may be microbursts.
static void drop_packets(struct microbursts *bursts, int64_t time_ticks)
{
	const struct window next = {.end_ticks = time_ticks};
	const struct window *first = bursts->windows.count > 0 ? ring_at(&bursts->windows, 0) : &next;
	size_t count = 0;

	while (bursts->begun < bursts->packets.count) {
		const struct packet *packet = ring_at(&bursts->packets, bursts->begun);

		if (is_in_window(bursts, &next, packet))
			break;
		bursts->size_bytes -= packet->size_bytes;
		bursts->begun++;
	}
	while (count < bursts->begun && !is_in_window(bursts, first, ring_at(&bursts->packets, count)))
		count++;
	if (count > 0)
		ring_drop_first(&bursts->packets, count);
	bursts->begun -= count;
}

enum tr_status microbursts_add(struct microbursts *bursts, int64_t time_ticks, uint32_t size_bytes, uint32_t src, uint32_t dst,
			       struct tr_error *err)
{
	struct ring *packets = &bursts->packets;

	if (packets->count > 0 && ((struct packet *)ring_at(packets, packets->count - 1))->time_ticks != time_ticks) {
		if (end_window(bursts, err) != TR_OK)
			return TR_ERROR;
		drop_packets(bursts, time_ticks);
	}
	if (packets->count >= MICROBURST_PACKETS) {
		(void)tr_fail(err, "more than %d packets in twice the width of microbursts: choose a narrower one",
			      MICROBURST_PACKETS);
		return TR_END;
	}
	if (!ring_reserve(packets))
		return tr_no_memory(err, "the packets of a microburst");
	packets->count++;
	*(struct packet *)ring_at(packets, packets->count - 1) = (struct packet){time_ticks, size_bytes, src, dst};
	bursts->size_bytes += size_bytes;
	return TR_OK;
}

enum tr_status microbursts_finish(struct microbursts *bursts, const struct microburst **list, size_t *count,
				  struct tr_error *err)
{
	if (bursts->packets.count > 0 && end_window(bursts, err) != TR_OK)
		return TR_ERROR;
	while (bursts->windows.count > 0)
		if (judge_first(bursts, err) != TR_OK)
			return TR_ERROR;
	*list = bursts->list;
	*count = bursts->count;
	return TR_OK;
}

const char *microburst_say_pairs(const struct microburst *burst, const struct tr_names *names, char *text)
{
	const uint32_t said = burst->pair_count < MICROBURST_PAIRS ? burst->pair_count : MICROBURST_PAIRS;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < said; i++)
		used += (size_t)snprintf(text + used, MICROBURST_TEXT - used, "%s%s>%s %.1f %%", i ? ", " : "",
					 tr_names_node(names, burst->pairs[i].src), tr_names_node(names, burst->pairs[i].dst),
					 100 * (double)burst->pairs[i].size_bytes / (double)burst->size_bytes);
	if (burst->pair_count > said)
		(void)snprintf(text + used, MICROBURST_TEXT - used, ", %u more", burst->pair_count - said);
	return text;
}

void microbursts_free(struct microbursts *bursts)
{
	if (!bursts)
		return;
	free(bursts->packets.at);
	free(bursts->windows.at);
	free(bursts->list);
	free(bursts);
}
