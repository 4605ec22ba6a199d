// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/ahead.h"

#include <assert.h>
#include <stdlib.h>

#include "gen/packet_source.h"

struct ahead_sender {
	uint32_t src;
	uint32_t header_B;
	uint8_t class; // enum tr_class
};

static_assert(AHEAD_SOURCE_BYTES >= AHEAD_PACKETS * (sizeof(int64_t) + 2 * sizeof(uint32_t)) +
					    sizeof(struct ahead_sender) + AGENDA_SOURCE_BYTES,
	      "what a source takes");

bool ahead_open(struct ahead *ahead, size_t sources, bool many_nodes)
{
	const size_t all = sources ? sources : 1;

	*ahead = (struct ahead){.senders = calloc(all, sizeof(*ahead->senders))};
	ahead->all = (struct ahead_columns){
		.ticks = calloc(all, AHEAD_PACKETS * sizeof(*ahead->all.ticks)),
		.payload_B = calloc(all, AHEAD_PACKETS * sizeof(*ahead->all.payload_B)),
		.dst = calloc(all, AHEAD_PACKETS * sizeof(*ahead->all.dst)),
		.src = many_nodes ? calloc(all, AHEAD_PACKETS * sizeof(*ahead->all.src)) : NULL,
	};
	return ahead->senders && ahead->all.ticks && ahead->all.payload_B && ahead->all.dst &&
	       (ahead->all.src || !many_nodes);
}

void ahead_set_sender(struct ahead *ahead, size_t source, uint32_t src, uint32_t header_B,
		      enum tr_class class)
{
	ahead->senders[source] = (struct ahead_sender){src, header_B, (uint8_t) class};
}

struct ahead_columns ahead_of(const struct ahead *ahead, size_t source)
{
	const struct ahead_columns *all = &ahead->all;
	const size_t first = source * AHEAD_PACKETS;

	return (struct ahead_columns){all->ticks + first, all->payload_B + first, all->dst + first,
				      all->src ? all->src + first : NULL};
}

bool ahead_begin(struct ahead *ahead, size_t count)
{
	if (count == 0)
		ahead->all.ticks[0] = SOURCE_NEVER; // current time in the agenda
	return agenda_open_places(&ahead->agenda, ahead->all.ticks, count, AHEAD_PLACE_BITS);
}

static inline void put_packet(const struct ahead *ahead, size_t place, uint64_t id,
			      struct tr_packet *out)
{
	const struct ahead_columns *all = &ahead->all;
	const struct ahead_sender *sender = &ahead->senders[place / AHEAD_PACKETS];
	const uint32_t payload_B = all->payload_B[place];

	*out = (struct tr_packet){
		.time_ticks = all->ticks[place],
		.id = id,
		.flow = TR_FLOW_NONE,
		.src = all->src ? all->src[place] : sender->src,
		.dst = all->dst[place],
		.payload_bytes = payload_B,
		.wire_bytes = source_wire_B(payload_B, sender->header_B),
		.class = sender->class,
	};
}

// The next place, with the source's next packet; at the end a new batch is generated.
static inline size_t ahead_next_place(const struct ahead *ahead, ahead_make make, void *train,
				      size_t place)
{
	if ((place + 1) % AHEAD_PACKETS != 0)
		return place + 1;
	const struct ahead_columns out = ahead_of(ahead, place / AHEAD_PACKETS);

	make(train, place / AHEAD_PACKETS, &out);
	return place + 1 - AHEAD_PACKETS;
}

size_t ahead_take(struct ahead *ahead, ahead_make make, void *train, int64_t end_ticks,
		  struct tr_packet *packets, size_t max)
{
	const int64_t *ticks = ahead->all.ticks;
	struct agenda agenda = ahead->agenda; // kept in registers
	size_t n = 0, place = agenda.next;

	for (; n < max && ticks[place] < end_ticks; n++) {
		put_packet(ahead, place, ahead->packets + n, &packets[n]);
		place = ahead_next_place(ahead, make, train, place);
		const uint64_t key = agenda_play(&agenda, place, ticks[place]);

		place = agenda_place(&agenda, key);
		if (agenda_is_far(key)) {
			agenda_rebase(&ahead->agenda, key);
			agenda = ahead->agenda;
			place = agenda.next;
		}
	}
	ahead->agenda.next = place;
	ahead->packets += n;
	return n;
}

void ahead_close(struct ahead *ahead)
{
	free(ahead->all.ticks);
	free(ahead->all.payload_B);
	free(ahead->all.dst);
	free(ahead->all.src);
	free(ahead->senders);
	agenda_close(&ahead->agenda);
	*ahead = (struct ahead){0};
}
