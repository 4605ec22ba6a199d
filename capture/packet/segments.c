// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/segments.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 16u // what a block of memory takes beyond what is asked for

// How long after the bytes beyond a gap an acknowledgement of them closes the gap: the two
// directions may be captured out of order, by less than this.
#define CAPTURE_DISORDER_NS 1000000

struct pk_waiting {
	int64_t time_ns;
	uint8_t *data;
	uint32_t sequence;
	uint32_t known_bytes;
	uint32_t bytes;
	bool starts;
};

// Cuts count bytes off the front.
static void cut_front(struct pk_piece *piece, uint32_t count)
{
	const uint32_t known = count < piece->known_bytes ? count : piece->known_bytes;

	if (!count)
		return;
	piece->data = piece->data ? piece->data + known : NULL;
	piece->known_bytes -= known;
	piece->bytes -= count;
	piece->starts = false;
}

static void segments_pass(struct pk_segments *segments, const struct pk_piece *next,
			  pk_piece_take *take, void *context)
{
	struct pk_piece piece = *next;

	piece.sent_ns = piece.time_ns;
	for (uint32_t i = 0; i < segments->count; i++)
		if (segments->waiting[i].time_ns < piece.sent_ns)
			piece.sent_ns = segments->waiting[i].time_ns;
	segments->next += piece.bytes;
	if (piece.bytes)
		take(context, &piece);
}

// Takes the first that waits away.
static void segments_drop_first(struct pk_segments *segments)
{
	segments->waiting_bytes -= segments->waiting->known_bytes;
	free(segments->waiting->data);
	segments->count--;
	memmove(segments->waiting, segments->waiting + 1,
		segments->count * sizeof(*segments->waiting));
}

// Passes on what waits and is next.
static void drain(struct pk_segments *segments, pk_piece_take *take, void *context)
{
	while (segments->count && segments->waiting->sequence == segments->next) {
		const struct pk_waiting *first = segments->waiting;
		const struct pk_piece piece = {.time_ns = first->time_ns,
					       .data = first->data,
					       .known_bytes = first->known_bytes,
					       .bytes = first->bytes,
					       .starts = first->starts};

		segments_pass(segments, &piece, take, context);
		segments_drop_first(segments);
	}
}

// Gives the first gap up as missing.
static void skip_gap(struct pk_segments *segments, pk_piece_take *take, void *context)
{
	const struct pk_piece gap = {.time_ns = segments->waiting->time_ns,
				     .bytes = segments->waiting->sequence - segments->next,
				     .missing = true};

	segments_pass(segments, &gap, take, context);
	drain(segments, take, context);
}

static bool segments_reserve(struct pk_segments *segments)
{
	return GROW(segments->waiting, segments->capacity, segments->count);
}

// Keeps a piece that no other overlaps, at a place in the list.
static void segments_keep(struct pk_segments *segments, uint32_t place, uint32_t sequence,
			  const struct pk_piece *piece)
{
	uint8_t *data = piece->known_bytes ? malloc(piece->known_bytes) : NULL;

	if ((piece->known_bytes && !data) || !segments_reserve(segments)) {
		free(data);
		segments->failed = true;
		return;
	}
	if (data)
		memcpy(data, piece->data, piece->known_bytes);
	memmove(segments->waiting + place + 1, segments->waiting + place,
		(segments->count - place) * sizeof(*segments->waiting));
	segments->waiting[place] = (struct pk_waiting){
		piece->time_ns, data, sequence, piece->known_bytes, piece->bytes, piece->starts};
	segments->count++;
	segments->waiting_bytes += piece->known_bytes;
}

// The first part of a piece, of so many bytes.
static struct pk_piece front_of(const struct pk_piece *piece, uint32_t bytes)
{
	struct pk_piece front = *piece;

	front.bytes = bytes;
	if (front.known_bytes > bytes)
		front.known_bytes = bytes;
	return front;
}

// Keeps the parts of a piece that do not wait yet.
static void keep_new(struct pk_segments *segments, uint32_t sequence, struct pk_piece *piece)
{
	for (uint32_t i = 0; i < segments->count && piece->bytes; i++) {
		const uint32_t from = segments->waiting[i].sequence - segments->next;
		const uint32_t until = from + segments->waiting[i].bytes;
		const uint32_t at = sequence - segments->next;
		const uint32_t before = at < from ? (from - at < piece->bytes ? from - at
									      : piece->bytes)
						  : 0;
		const uint32_t covered = at + before < until ? until - at - before : 0;

		if (before) {
			const struct pk_piece front = front_of(piece, before);

			segments_keep(segments, i++, sequence, &front);
			cut_front(piece, before);
			sequence += before;
		}
		if (covered && piece->bytes) {
			const uint32_t cut = covered < piece->bytes ? covered : piece->bytes;

			cut_front(piece, cut);
			sequence += cut;
		}
	}
	if (piece->bytes)
		segments_keep(segments, segments->count, sequence, piece);
}

void pk_segments_begin(struct pk_segments *segments, uint32_t next, pk_piece_take *take,
		       void *context)
{
	pk_segments_finish(segments, take, context);
	segments->next = next;
	segments->begun = true;
}

void pk_segments_add(struct pk_segments *segments, int64_t time_ns, uint32_t sequence,
		     const uint8_t *data, uint32_t known_bytes, uint32_t bytes, pk_piece_take *take,
		     void *context)
{
	struct pk_piece piece = {.time_ns = time_ns,
				 .data = data,
				 .known_bytes = known_bytes,
				 .bytes = bytes,
				 .starts = true};
	int32_t early;

	if (!segments->begun)
		pk_segments_begin(segments, sequence, take, context);
	early = (int32_t)(sequence - segments->next);
	if (early < 0) {
		if ((uint32_t) - (int64_t)early >= bytes)
			return;
		cut_front(&piece, (uint32_t) - (int64_t)early);
		sequence = segments->next;
	}
	if (sequence == segments->next && !segments->count) {
		segments_pass(segments, &piece, take, context);
		return;
	}
	keep_new(segments, sequence, &piece);
	drain(segments, take, context);
	while (segments->count > PK_WAITING_MAX || segments->waiting_bytes > PK_WAITING_BYTES)
		skip_gap(segments, take, context);
}

void pk_segments_acknowledged(struct pk_segments *segments, int64_t time_ns, uint32_t sequence,
			      pk_piece_take *take, void *context)
{
	while (segments->count && (int32_t)(sequence - segments->waiting->sequence) > 0 &&
	       time_ns - segments->waiting->time_ns >= CAPTURE_DISORDER_NS)
		skip_gap(segments, take, context);
}

void pk_segments_finish(struct pk_segments *segments, pk_piece_take *take, void *context)
{
	while (segments->count)
		skip_gap(segments, take, context);
	pk_segments_clear(segments);
}

void pk_segments_clear(struct pk_segments *segments)
{
	while (segments->count)
		segments_drop_first(segments);
	free(segments->waiting);
	*segments = (struct pk_segments){.failed = segments->failed};
}

size_t pk_segments_held_bytes(const struct pk_segments *segments)
{
	return segments->capacity * sizeof(*segments->waiting) + segments->count * BLOCK_BYTES +
	       segments->waiting_bytes;
}
