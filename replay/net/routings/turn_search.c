// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/turn_search.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64u

// Words of a set of the channels that lead into a switch; as many lead out.
static uint32_t turn_search_words_of(const struct net_channels *channels, uint32_t at)
{
	return (channels->first[at + 1] - channels->first[at] + WORD_BITS - 1) / WORD_BITS;
}

enum tr_status net_turn_search_open(struct net_turn_search *search,
				    const struct net_channels *channels, struct tr_error *err)
{
	const size_t count = (size_t)channels->count + 1;

	*search = (struct net_turn_search){.channels = channels};
	search->row = calloc(count, sizeof(*search->row));
	search->queue = calloc(count, sizeof(*search->queue));
	for (uint32_t c = 0; search->row && c < channels->count; c++)
		search->row[c + 1] = search->row[c] +
				     turn_search_words_of(channels, channels->all[c].from);
	if (search->row) {
		search->allowed = calloc(search->row[channels->count] + 1,
					 sizeof(*search->allowed));
		search->left = calloc(search->row[channels->count] + 1, sizeof(*search->left));
	}
	return search->allowed && search->left && search->queue
		       ? TR_OK
		       : tr_no_memory(err, "the ways over turns");
}

void net_turn_search_close(struct net_turn_search *search)
{
	free(search->row);
	free(search->allowed);
	free(search->left);
	free(search->queue);
	*search = (struct net_turn_search){0};
}

void net_turn_search_allow(struct net_turn_search *search, const uint8_t *allowed)
{
	const struct net_channels *channels = search->channels;

	memset(search->allowed, 0, search->row[channels->count] * sizeof(*search->allowed));
	for (uint32_t c = 0; c < channels->count; c++) {
		const uint32_t place = channels->all[c].back - channels->first[channels->all[c].to];
		const uint64_t bit = (uint64_t)1 << place % WORD_BITS;

		for (size_t turn = channels->turn[c]; turn < channels->turn[c + 1]; turn++)
			if (allowed[turn] != 0)
				search->allowed[search->row[channels->first[channels->all[c].to] +
							    (turn - channels->turn[c])] +
						place / WORD_BITS] |= bit;
	}
}

// Nothing is met but the channels that lead into the switch.
static uint32_t turn_search_start(struct net_turn_search *search, uint32_t to, uint16_t *distance)
{
	const struct net_channels *channels = search->channels;
	uint32_t tail = 0;

	memset(distance, 0xff, channels->count * sizeof(*distance));
	for (uint32_t at = 0; at < channels->switches; at++) {
		const uint32_t degree = channels->first[at + 1] - channels->first[at];

		if (degree > 0)
			memset(search->left + search->row[channels->first[at]], at == to ? 0 : 0xff,
			       turn_search_words_of(channels, at) * sizeof(*search->left));
	}
	for (uint32_t c = channels->first[to]; c < channels->first[to + 1]; c++) {
		search->queue[tail++] = channels->all[c].back;
		distance[channels->all[c].back] = 1;
	}
	return tail;
}

void net_turn_search_run(struct net_turn_search *search, uint32_t to, uint16_t *distance)
{
	const struct net_channels *channels = search->channels;
	uint32_t tail = turn_search_start(search, to, distance);

	for (uint32_t head = 0; head < tail && distance[search->queue[head]] < NET_CHANNELS_FAR - 1;
	     head++) {
		const uint32_t next = search->queue[head];
		const uint32_t first = channels->first[channels->all[next].from];
		const uint64_t *allowed = search->allowed + search->row[next];
		uint64_t *left = search->left + search->row[first];

		for (size_t word = 0; word < search->row[next + 1] - search->row[next]; word++) {
			uint64_t met = left[word] & allowed[word];

			left[word] ^= met;
			for (; met != 0; met &= met - 1) {
				const uint32_t place = (uint32_t)(word * WORD_BITS) +
						       (uint32_t)__builtin_ctzll(met);
				const uint32_t before = channels->all[first + place].back;

				distance[before] = (uint16_t)(distance[next] + 1);
				search->queue[tail++] = before;
			}
		}
	}
}
