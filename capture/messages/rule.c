// SPDX-License-Identifier: GPL-3.0-or-later
// TCP without bytes: RFC 9293 (segments), RFC 1122 4.2.3.4 (when a short one is sent), RFC 2018
// (options that make a full segment shorter).
#include "messages/handshakes.h"

#include <stdlib.h>

// Multiples of the mean gap within trains. These are choices, made on recordings of programs under
// Open MPI and MPICH.
#define PAUSE_GAPS 8u // ends a piece
#define RESUMED_PART \
	16 // a segment that waited for an acknowledgement follows it within this part of the pause
#define FIRST_PIECES 1u
#define TRAINS_MIN 4u	// that tell of the largest segment,
#define TRAINS_TIMES 4u // and so many times as many as those that tell otherwise
#define TRAIN_MOST 3u	// segments of a message's size that come at once

void rule_open(struct rule *rule, struct rule_known *known, uint32_t largest_B,
	       int64_t usual_gap_ticks)
{
	*rule = (struct rule){.known = known, .largest_B = largest_B};
	train_gaps_open(&rule->gaps, usual_gap_ticks);
	for (unsigned i = 0; i < 2; i++)
		rule->sides[i].asked_ticks = rule->sides[i].acknowledged_ticks = INT64_MIN;
}

bool rule_longer_than(const struct rule *rule, int64_t ticks, unsigned gaps)
{
	return ticks / gaps > rule->gaps.usual_ticks;
}

bool rule_is_small(uint32_t payload_B)
{
	return payload_B <= RULE_SMALL_MAX;
}

// Whether TCP filled the segment: up to three blocks of selective acknowledgements take room of it.
static bool is_full(const struct rule *rule, uint32_t payload_B)
{
	const uint32_t less_B = rule->largest_B - payload_B;

	return !rule->trains.none && !rule->trains.written && !rule_is_small(payload_B) &&
	       (less_B == 0 || less_B == 12 || less_B == 20 || less_B == 28 || less_B == 36);
}

// ---- pieces out of segments

// Makes room for this many pieces, PIECES_MAX at most; false if out of memory.
static bool rule_reserve(struct rule_side *side, uint32_t count)
{
	uint32_t more = side->capacity ? side->capacity : FIRST_PIECES;
	struct piece *larger;

	while (more < count)
		more *= 2;
	if (more > PIECES_MAX)
		more = PIECES_MAX;
	if (more <= side->capacity)
		return true;
	larger = reallocarray(side->pieces, more, sizeof(*larger));
	if (!larger)
		return false;
	side->pieces = larger;
	side->capacity = more;
	return true;
}

static size_t rule_add_piece(struct rule *rule, unsigned direction, const struct piece *piece,
			     struct rule_message *out)
{
	struct rule_side *side = &rule->sides[direction];
	const size_t n = side->count == PIECES_MAX ? rule_make_room(rule, direction, out) : 0;

	side->pieces[side->count++] = *piece;
	return n;
}

// Makes a piece of the last segment of the last piece.
static size_t part_last(struct rule *rule, unsigned direction, struct rule_message *out)
{
	struct rule_side *side = &rule->sides[direction];
	struct piece *last = &side->pieces[side->count - 1];
	struct piece piece = {.first_ticks = side->last_ticks,
			      .end_ticks = side->last_ticks,
			      .payload_B = side->last_B,
			      .segments = 1,
			      .pause_ticks = side->last_ticks - side->before_ticks,
			      .small = true};

	last->payload_B -= side->last_B;
	last->segments--;
	last->end_ticks = side->before_ticks;
	last->full = true;
	return rule_add_piece(rule, direction, &piece, out);
}

// Whether a segment came at once after an acknowledgement that its sender waited for.
static bool is_resumed(const struct rule *rule, const struct rule_side *side, int64_t ticks)
{
	const int64_t pause_ticks = ticks - side->last_ticks;

	return side->acknowledged_ticks >= side->last_ticks &&
	       rule_longer_than(rule, pause_ticks, PAUSE_GAPS) &&
	       ticks - side->acknowledged_ticks <= pause_ticks / RESUMED_PART;
}

static size_t begin_piece(struct rule *rule, unsigned direction, int64_t ticks, uint32_t payload_B,
			  struct rule_message *out)
{
	struct rule_side *side = &rule->sides[direction];
	const int64_t pause_ticks = ticks - side->last_ticks;
	struct piece piece = {
		.first_ticks = ticks,
		.end_ticks = ticks,
		.payload_B = payload_B,
		.segments = 1,
		.pause_ticks = pause_ticks,
		.small = rule_is_small(payload_B),
		.resumed = is_resumed(rule, side, ticks),
	};
	size_t n = 0;

	if (!piece.small) {
		if (handshake_was_request(rule->known, side, &rule->sides[!direction]))
			n = part_last(rule, direction, out);
		handshake_find(rule, direction, &piece);
	}
	return n + rule_add_piece(rule, direction, &piece, out + n);
}

uint64_t rule_train(const struct rule *rule, unsigned direction)
{
	const struct rule_side *side = &rule->sides[direction & 1];

	return side->count > 0 && side->pieces[side->count - 1].full
		       ? side->pieces[side->count - 1].segments
		       : 0;
}

static void unfill(struct rule *rule)
{
	for (unsigned i = 0; i < 2; i++)
		for (uint32_t k = 0; k < rule->sides[i].count; k++)
			rule->sides[i].pieces[k].full = false;
}

// A larger segment shows that none before was full.
static void enlarge(struct rule *rule, uint32_t largest_B)
{
	rule->largest_B = largest_B;
	rule->trains = (struct rule_trains){.none = false};
	unfill(rule);
}

// Trains of the largest segments are messages of one segment each.
static void part_trains(struct rule *rule)
{
	unfill(rule);
	for (unsigned i = 0; i < 2; i++)
		for (uint32_t k = rule->sides[i].count; k-- > 0;) {
			const struct piece *piece = &rule->sides[i].pieces[k];

			if (piece->segments < 2 ||
			    piece->payload_B != (uint64_t)piece->segments * rule->largest_B ||
			    rule->sides[i].count + piece->segments - 1 > PIECES_MAX)
				continue;
			if (rule_reserve(&rule->sides[i],
					 rule->sides[i].count + piece->segments - 1))
				pieces_part(rule->sides[i].pieces, &rule->sides[i].count, k);
			else
				rule->failed = true;
		}
}

void rule_ends_written(struct rule *rule, bool ends)
{
	rule->trains.written = ends;
	if (ends)
		part_trains(rule);
}

// Where trains of the largest segments are short and end with one, that is no size that TCP cuts: a
// message hardly ever fills its last segment.
static void judge_trains(struct rule *rule)
{
	const struct rule_trains *trains = &rule->trains;

	if (rule->keeps_trains || trains->ended_full < TRAINS_MIN ||
	    trains->ended_full <= TRAINS_TIMES * trains->ended_short ||
	    trains->went_on > (TRAIN_MOST - 1) * trains->ended_full)
		return;
	rule->trains.none = true;
	part_trains(rule);
}

// Notes how a train goes on that a segment of so many bytes follows.
static void note_train(struct rule *rule, const struct rule_side *side, int64_t ticks,
		       uint32_t payload_B)
{
	struct rule_trains *trains = &rule->trains;

	if (side->count == 0 || !side->pieces[side->count - 1].full || payload_B > rule->largest_B)
		return;
	if (rule_longer_than(rule, ticks - side->last_ticks, PIECE_SILENCE_GAPS)) {
		trains->ended_full += !is_resumed(rule, side, ticks);
		judge_trains(rule);
	} else if (is_full(rule, payload_B)) {
		trains->went_on++;
	} else {
		trains->ended_short++;
	}
}

static bool ends_train(const struct rule_side *side)
{
	return side->count > 0 && side->pieces[side->count - 1].segments > 1;
}

size_t rule_add(struct rule *rule, int64_t ticks, unsigned direction, uint32_t payload_B,
		struct rule_message out[RULE_ENDED_MAX])
{
	struct rule_side *side = &rule->sides[direction & 1];
	const int64_t gap_ticks = ticks - side->last_ticks;
	size_t n = 0;

	if (payload_B == 0) {
		rule->sides[~direction & 1].acknowledged_ticks = ticks;
		return 0;
	}
	note_train(rule, side, ticks, payload_B);
	if (!rule_reserve(side,
			  side->count + (ends_train(side) ? 2 : 1))) { // the train may be parted
		rule->failed = true;
		return 0;
	}
	if (rule_train(rule, direction) > 0 && payload_B <= rule->largest_B)
		rule->failed |= !train_gaps_note(&rule->gaps, gap_ticks);
	if (rule_train(rule, direction) > 0 && payload_B <= rule->largest_B &&
	    !rule_longer_than(rule, gap_ticks, PAUSE_GAPS)) {
		struct piece *piece = &side->pieces[side->count - 1];

		side->before_ticks = side->last_ticks;
		piece->end_ticks = ticks;
		piece->payload_B += payload_B;
		piece->segments++;
		piece->small = false;
	} else {
		if (payload_B > rule->largest_B)
			enlarge(rule, payload_B);
		n = begin_piece(rule, direction & 1, ticks, payload_B, out);
	}
	side->pieces[side->count - 1].full = is_full(rule, payload_B);
	side->last_ticks = ticks;
	side->last_B = payload_B;
	return n;
}

void rule_close(struct rule *rule)
{
	for (unsigned i = 0; i < 2; i++) {
		free(rule->sides[i].pieces);
		rule->sides[i].pieces = NULL;
		rule->sides[i].count = rule->sides[i].capacity = 0;
	}
	train_gaps_clear(&rule->gaps);
}

size_t rule_held_bytes(const struct rule *rule)
{
	return (rule->sides[0].capacity + rule->sides[1].capacity) * sizeof(struct piece) +
	       train_gaps_held_bytes(&rule->gaps);
}
