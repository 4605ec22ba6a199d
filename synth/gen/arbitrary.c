// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arbitrary.h"
#include "stream/reader.h"
#include "stream/sort.h"

#define SORT_BYTES ((size_t)64 << 20)

struct sent_packets {
	struct tr_reader *in;
	struct tr_sort *sort; // of deliveries; NULL until they are read
};

// in is lent; it holds packets in time order, or deliveries in any. All deliveries are read at the
// first sent_packets_next, and sorted in 64 MiB of memory and, beyond that, a temporary file.
// TR_ERROR if out of memory.
static enum tr_status sent_packets_open(struct sent_packets **out, struct tr_reader *in,
					struct tr_error *err)
{
	*out = malloc(sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "a trace");
	**out = (struct sent_packets){.in = in};
	return TR_OK;
}

static enum tr_status arbitrary_sort_all(struct sent_packets *packets, struct tr_error *err)
{
	const union tr_record *record;

	if (tr_sort_open(&packets->sort, sizeof(struct tr_packet), SORT_BYTES, NULL, err) != TR_OK)
		return TR_ERROR;
	while (tr_next(packets->in, &record) == TR_OK) {
		struct tr_packet packet = record->packet;

		packet.time_ticks = record->delivery.created_ticks;
		if (tr_sort_add(packets->sort, &packet, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// The next packet, lent until the next call. TR_END: there are no more; in knows whether that was
// its clean end. TR_ERROR: deliveries could not be sorted.
static enum tr_status sent_packets_next(struct sent_packets *packets,
					const struct tr_packet **packet, struct tr_error *err)
{
	const union tr_record *record;
	const void *sorted;

	if (tr_reader_header(packets->in)->kind == TR_PACKET) {
		if (tr_next(packets->in, &record) != TR_OK)
			return TR_END;
		*packet = &record->packet;
		return TR_OK;
	}
	if (!packets->sort && arbitrary_sort_all(packets, err) != TR_OK)
		return TR_ERROR;
	enum tr_status status = tr_sort_next(packets->sort, &sorted, err);

	if (status == TR_OK)
		*packet = sorted;
	return status;
}

// NULL is accepted.
static void sent_packets_close(struct sent_packets *packets)
{
	if (packets)
		tr_sort_close(packets->sort);
	free(packets);
}

#define TICKS_MAX ((int64_t)1 << 62)

struct arbitrary {
	struct arbitrary_settings settings;
	struct tr_reader *in;
	struct sent_packets *packets;
};

uint32_t arbitrary_node(const struct arbitrary_settings *settings, uint32_t node)
{
	for (size_t i = 0; i < settings->pair_count; i++)
		if (settings->pairs[i].from == node)
			return settings->pairs[i].to;
	return node;
}

// Checks for a node whose number the map gives to another, without mapping the node itself.
static enum tr_status check_node(const struct arbitrary_settings *settings, uint32_t node,
				 struct tr_error *err)
{
	bool taken = false;

	for (size_t i = 0; i < settings->pair_count; i++) {
		if (settings->pairs[i].from == node)
			return TR_OK;
		taken = taken || settings->pairs[i].to == node;
	}
	return taken ? tr_fail(err,
			       "--relabel gives the number %u to another node; map node %u too "
			       "(%u=%u merges the two)",
			       node, node, node, node)
		     : TR_OK;
}

// floor(t * stretch) + shift.
static enum tr_status arbitrary_move(const struct arbitrary_settings *settings, int64_t ticks,
				     int64_t *out, struct tr_error *err)
{
	__int128 product = (__int128)ticks * settings->stretch.num;
	__int128 moved = product / settings->stretch.den - (product % settings->stretch.den < 0) +
			 settings->shift_ticks;

	if (moved > TICKS_MAX || moved < -TICKS_MAX)
		return tr_fail(err, "a stretched time exceeds the range of the clock");
	*out = (int64_t)moved;
	return TR_OK;
}

static enum tr_status arbitrary_train_next(void *state, struct tr_packet *packets, size_t max,
					   size_t *count, struct tr_error *err)
{
	struct arbitrary *a = state;
	const struct tr_packet *sent;
	enum tr_status status = TR_OK;

	*count = 0;
	while (*count < max && (status = sent_packets_next(a->packets, &sent, err)) == TR_OK) {
		struct tr_packet *packet = &packets[*count];

		if (sent->time_ticks < a->settings.from_ticks)
			continue;
		if (sent->time_ticks >= a->settings.to_ticks) {
			status = TR_END;
			break;
		}
		*packet = *sent;
		if (check_node(&a->settings, packet->src, err) != TR_OK ||
		    check_node(&a->settings, packet->dst, err) != TR_OK)
			return TR_ERROR;
		packet->src = arbitrary_node(&a->settings, packet->src);
		packet->dst = arbitrary_node(&a->settings, packet->dst);
		status = arbitrary_move(&a->settings, sent->time_ticks, &packet->time_ticks, err);
		if (status != TR_OK)
			return status;
		if (a->settings.renumber)
			packet->id = a->settings.first_id++;
		++*count;
	}
	if (status == TR_ERROR)
		return TR_ERROR;
	return *count > 0 ? TR_OK : TR_END;
}

static uint32_t arbitrary_train_nodes(const void *state)
{
	const struct arbitrary *a = state;
	const struct tr_names *names = tr_reader_names(a->in);
	uint32_t nodes = 0;

	for (uint32_t id = 0; id < names->node_count; id++) {
		uint32_t node = arbitrary_node(&a->settings, id);

		nodes = node >= nodes ? node + 1 : nodes;
	}
	return nodes;
}

static enum tr_role arbitrary_train_node(const void *state, uint32_t id,
					 char address[GENERATOR_NAME_BYTES])
{
	const struct arbitrary *a = state;
	const struct tr_names *names = tr_reader_names(a->in);

	for (uint32_t from = 0; from < names->node_count; from++)
		if (arbitrary_node(&a->settings, from) == id && tr_names_find_node(names, from)) {
			snprintf(address, GENERATOR_NAME_BYTES, "%s", tr_names_node(names, from));
			return tr_names_role(names, from);
		}
	snprintf(address, GENERATOR_NAME_BYTES, "?");
	return TR_ROLE_UNKNOWN;
}

static void arbitrary_train_close(void *state)
{
	struct arbitrary *a = state;

	sent_packets_close(a->packets);
}

static const struct generator_kind arbitrary_kind = {
	.next = arbitrary_train_next,
	.nodes = arbitrary_train_nodes,
	.node = arbitrary_train_node,
	.close = arbitrary_train_close,
};

enum tr_status arbitrary_open(struct generator *out, struct tr_reader *in,
			      const struct arbitrary_settings *settings, struct tr_error *err)
{
	struct arbitrary *a = malloc(sizeof(*a));

	*out = (struct generator){NULL, NULL};
	if (!a)
		return tr_no_memory(err, "the train");
	*a = (struct arbitrary){.settings = *settings, .in = in};
	if (sent_packets_open(&a->packets, in, err) != TR_OK) {
		free(a);
		return TR_ERROR;
	}
	*out = (struct generator){&arbitrary_kind, a};
	return TR_OK;
}

static enum tr_status parse_pair(const char *word, struct arbitrary_pair *pair,
				 struct tr_error *err)
{
	char text[32];
	uint64_t from, to;
	int bytes = snprintf(text, sizeof(text), "%s", word);
	char *sign = strchr(text, '=');

	if (bytes >= (int)sizeof(text) || !sign)
		return tr_fail(err, "--relabel: expected pairs such as 0=3, found \"%.30s\"", word);
	*sign = '\0';
	if (num_parse_count(text, 0, UINT32_MAX - 1, &from, err) != TR_OK ||
	    num_parse_count(sign + 1, 0, UINT32_MAX - 1, &to, err) != TR_OK)
		return TR_ERROR;
	*pair = (struct arbitrary_pair){(uint32_t)from, (uint32_t)to};
	return TR_OK;
}

static enum tr_status check_map(const struct arbitrary_pair *pairs, size_t count,
				struct tr_error *err)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (pairs[i].from == pairs[j].from)
				return tr_fail(err, "--relabel: node %u is given twice",
					       pairs[i].from);
	return TR_OK;
}

enum tr_status arbitrary_parse_map(const char *text, struct arbitrary_pair *pairs, size_t max,
				   size_t *count, struct tr_error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	enum tr_status status = copy ? TR_OK : tr_no_memory(err, "the map");

	*count = 0;
	while (status == TR_OK && (word = strsep(&rest, ","))) {
		if (*count == max)
			status = tr_fail(err, "--relabel: more than %zu pairs", max);
		else
			status = parse_pair(word, &pairs[(*count)++], err);
	}
	free(copy);
	return status == TR_OK ? check_map(pairs, *count, err) : status;
}
