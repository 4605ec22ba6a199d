// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/seen_twice.h"

#include <stdlib.h>
#include <string.h>

#include "packet/identity.h"
#include "stream/names.h"
#include "value/xxh3.h"

#define WAYS 4u
#define SEEN_LEAST (UINT64_C(1) << 6)
#define SEEN_MIN (UINT64_C(1) << 14)
#define SEEN_MAX (UINT64_C(1) << 20)
#define SENDERS 4096u
#define ALIKE_NS 50000 // between equal frames without an identification
#define COPIES_MAX 3u  // of each packet of a sender, in the mean
#define BODY_BYTES 32u
#define UDP_HEADER_BYTES 8u

// A packet that was seen. path: what changes only between links: the hop limit and the bytes before
// the IP header's end; place: a hash of the headers before IP's, and of the interface.
struct seen_twice_seen {
	uint64_t identity; // 0: none
	int64_t time_ns;
	uint32_t path;
	uint32_t place;
	uint8_t body_bytes;
	uint8_t body[BODY_BYTES]; // of the payload, as far as it was captured
};

_Static_assert(sizeof(struct seen_twice_seen) == 64, "one cache line");

// What is known of the packets from one host to another. fresh: seen for the first time; repeated:
// seen before.
struct sender {
	uint64_t tag;
	uint16_t last_id;
	bool ids_change;
	uint32_t fresh, repeated;
};

struct pk_copies {
	int64_t window_ns;
	bool first;
	struct seen_twice_seen *seen; // sets of WAYS
	uint64_t capacity, most;      // powers of two
	uint64_t forgotten;
	struct sender senders[SENDERS];
};

static struct seen_twice_seen *new_seen(uint64_t capacity)
{
	struct seen_twice_seen *seen = aligned_alloc(64, capacity * sizeof(*seen));

	if (seen)
		memset(seen, 0, capacity * sizeof(*seen));
	return seen;
}

struct pk_copies *pk_copies_new(int64_t window_ns, bool first, uint64_t memory_bytes)
{
	struct pk_copies *copies = calloc(1, sizeof(*copies));

	if (!copies)
		return NULL;
	copies->window_ns = window_ns;
	copies->first = first;
	copies->most = SEEN_MAX;
	while (copies->most > SEEN_LEAST &&
	       copies->most * sizeof(struct seen_twice_seen) * 3 / 2 > memory_bytes)
		copies->most /= 2;
	copies->capacity = SEEN_MIN < copies->most ? SEEN_MIN : copies->most;
	copies->seen = new_seen(copies->capacity);
	if (copies->seen)
		return copies;
	free(copies);
	return NULL;
}

uint64_t pk_copies_forgotten(const struct pk_copies *copies)
{
	return copies->forgotten;
}

static struct seen_twice_seen *set_of(struct seen_twice_seen *seen, uint64_t capacity,
				      uint64_t identity)
{
	return seen + (identity >> 1 & (capacity / WAYS - 1)) * WAYS;
}

// The place in a set for a new packet: a free one, or the oldest.
static struct seen_twice_seen *oldest_of(struct seen_twice_seen *set)
{
	struct seen_twice_seen *oldest = set;

	for (unsigned i = 0; i < WAYS; i++) {
		if (!set[i].identity)
			return &set[i];
		if (set[i].time_ns < oldest->time_ns)
			oldest = &set[i];
	}
	return oldest;
}

static uint64_t apart_ns(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static void copies_grow(struct pk_copies *copies)
{
	const uint64_t capacity = copies->capacity * 2;
	struct seen_twice_seen *larger = new_seen(capacity);

	if (!larger)
		return;
	for (uint64_t i = 0; i < copies->capacity; i++)
		if (copies->seen[i].identity)
			*oldest_of(set_of(larger, capacity,
					  copies->seen[i].identity)) = copies->seen[i];
	free(copies->seen);
	copies->seen = larger;
	copies->capacity = capacity;
}

// Remembers a packet. A place is taken from another of the window only where the table cannot grow.
static void copies_remember(struct pk_copies *copies, const struct seen_twice_seen *packet)
{
	struct seen_twice_seen *place = oldest_of(
		set_of(copies->seen, copies->capacity, packet->identity));
	bool needed = place->identity &&
		      apart_ns(packet->time_ns, place->time_ns) <= (uint64_t)copies->window_ns;

	// Equal identities have one set in any table.
	if (needed && place->identity != packet->identity && copies->capacity < copies->most) {
		copies_grow(copies);
		place = oldest_of(set_of(copies->seen, copies->capacity, packet->identity));
		needed = place->identity &&
			 apart_ns(packet->time_ns, place->time_ns) <= (uint64_t)copies->window_ns;
	}
	copies->forgotten += needed;
	*place = *packet;
}

static struct sender *sender_of(struct pk_copies *copies, const struct pk_flow_key *flow)
{
	const uint64_t tag = XXH3_64bits(flow->src, sizeof(flow->src) + sizeof(flow->dst)) ^
			     flow->protocol * 0x9e3779b97f4a7c15u;
	struct sender *sender = &copies->senders[tag % SENDERS];

	if (sender->tag != tag)
		*sender = (struct sender){.tag = tag};
	return sender;
}

// The first bytes of the payload; padding of Ethernet is none.
static void seen_twice_take_body(const struct pk_packet *packet, struct seen_twice_seen *seen)
{
	const struct pk_bytes *content = &packet->content;
	const size_t header_bytes = packet->tcp ? (size_t)(packet->tcp[12] >> 4) * 4
						: UDP_HEADER_BYTES;
	size_t body_bytes = content->left > header_bytes ? content->left - header_bytes : 0;

	if (body_bytes > packet->payload_bytes)
		body_bytes = packet->payload_bytes;
	if (body_bytes > BODY_BYTES)
		body_bytes = BODY_BYTES;
	seen->body_bytes = (uint8_t)body_bytes;
	if (body_bytes)
		memcpy(seen->body, content->at + header_bytes, body_bytes);
}

static struct seen_twice_seen seen_of(const struct pk_frame *frame, const struct pk_packet *packet)
{
	const size_t before_bytes = (size_t)(packet->ip - frame->data);
	const uint64_t origin = (uint64_t)frame->input << 16 | frame->interface;
	struct seen_twice_seen seen;

	memset(&seen, 0, sizeof(seen));
	seen.time_ns = frame->time_ns;
	seen.path = (uint32_t)before_bytes << 8 | packet->hops;
	seen.place = (uint32_t)XXH3_64bits_withSeed(frame->data, before_bytes, origin);
	seen_twice_take_body(packet, &seen);
	seen.identity = pk_identity(packet);
	if (!packet->tcp && seen.body_bytes == BODY_BYTES) // many datagrams begin alike
		seen.identity ^= XXH3_64bits(seen.body, BODY_BYTES);
	seen.identity |= 1;
	return seen;
}

// Whether the first bytes agree, as far as both have them.
static bool seen_twice_is_same(const struct seen_twice_seen *a, const struct seen_twice_seen *b)
{
	const size_t size_bytes = a->body_bytes < b->body_bytes ? a->body_bytes : b->body_bytes;

	return a->identity == b->identity && memcmp(a->body, b->body, size_bytes) == 0;
}

static struct seen_twice_seen *copies_find(struct pk_copies *copies,
					   const struct seen_twice_seen *packet)
{
	struct seen_twice_seen *set = set_of(copies->seen, copies->capacity, packet->identity);

	for (unsigned i = 0; i < WAYS; i++)
		if (seen_twice_is_same(&set[i], packet) &&
		    apart_ns(set[i].time_ns, packet->time_ns) <= (uint64_t)copies->window_ns)
			return &set[i];
	return NULL;
}

// By the rules of seen_twice.h; first: one copy of a sender's first packet is believed.
static bool is_copy(bool first, const struct sender *sender, const struct pk_packet *packet,
		    const struct seen_twice_seen *before, const struct seen_twice_seen *now)
{
	const bool ib = packet->flow.protocol == TR_PROTOCOL_IB;
	const bool known = sender->fresh > 1;
	const bool few = known ? sender->repeated < COPIES_MAX * (uint64_t)sender->fresh
			       : first && !sender->repeated;
	uint32_t begin, end;

	if (before->path != now->path)
		return true;
	if (before->place != now->place)
		return packet->tcp || ib || (packet->ip_id && sender->ids_change) || few;
	if (packet->ip_id && (sender->ids_change || !known))
		return few;
	if (ib || !few || apart_ns(before->time_ns, now->time_ns) > ALIKE_NS)
		return false;
	return packet->tcp ? pk_tcp_range(packet, &begin, &end) : known;
}

static void count_fresh(struct sender *sender, uint16_t ip_id)
{
	if (sender->fresh == UINT32_MAX) {
		sender->fresh /= 2;
		sender->repeated /= 2;
	}
	sender->ids_change |= sender->fresh && ip_id != sender->last_id;
	sender->last_id = ip_id;
	sender->fresh++;
}

bool pk_copies_take(struct pk_copies *copies, const struct pk_frame *frame,
		    const struct pk_packet *packet)
{
	struct sender *sender;
	struct seen_twice_seen now, *before;

	if (!packet->ip)
		return false;
	now = seen_of(frame, packet);
	sender = sender_of(copies, &packet->flow);
	before = copies_find(copies, &now);
	if (!before) {
		count_fresh(sender, packet->ip_id);
		copies_remember(copies, &now);
		return false;
	}
	if (is_copy(copies->first, sender, packet, before, &now)) {
		sender->repeated += sender->repeated < UINT32_MAX;
		return true;
	}
	sender->repeated += sender->repeated < UINT32_MAX;
	*before = now;
	return false;
}

void pk_copies_free(struct pk_copies *copies)
{
	if (!copies)
		return;
	free(copies->seen);
	free(copies);
}
