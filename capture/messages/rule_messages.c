// SPDX-License-Identifier: GPL-3.0-or-later
// Messages out of the pieces of a conversation, by what is known of its program.
#include "messages/handshakes.h"

#include <string.h>

static uint64_t sum_B(const struct piece *pieces, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += pieces[i].payload_B;
	return sum;
}

// Cuts the first so many bytes, fewer than all, from a piece; times and segments in proportion.
static struct piece rule_cut(struct piece *piece, uint64_t payload_B)
{
	const double share = (double)payload_B / (double)piece->payload_B;
	struct piece first = *piece;

	first.payload_B = payload_B;
	first.end_ticks = piece->first_ticks +
			  (int64_t)((double)(piece->end_ticks - piece->first_ticks) * share);
	first.segments = (uint32_t)((double)piece->segments * share);
	piece->payload_B -= payload_B;
	piece->first_ticks = first.end_ticks;
	piece->segments -= first.segments;
	if (first.segments == 0)
		first.segments = 1;
	piece->requested = piece->sure = piece->resumed = piece->small = first.small = false;
	piece->pause_ticks = 0;
	return first;
}

static struct rule_message begin_message(const struct piece *piece, unsigned direction)
{
	return (struct rule_message){
		.begin_ticks = piece->requested ? piece->begin_ticks : piece->first_ticks,
		.first_ticks = piece->first_ticks,
		.direction = (uint8_t)direction,
		.requested = piece->requested,
		.request_B = piece->requested ? piece->request_B : 0,
		.answer_B = piece->requested ? piece->answer_B : 0,
		.answered_ticks = piece->requested ? piece->answered_ticks : 0,
		.small = piece->small,
	};
}

static void rule_append(struct rule_message *message, const struct piece *piece)
{
	message->end_ticks = piece->end_ticks;
	message->payload_B += piece->payload_B;
	message->segments += piece->segments;
}

static void rule_drop_first(struct rule_side *side, uint32_t count)
{
	side->count -= count;
	memmove(side->pieces, side->pieces + count, side->count * sizeof(*side->pieces));
}

// Gives back the segments of a handshake that was none.
static size_t give_back(const struct piece *piece, unsigned direction, struct rule_message *out)
{
	const struct rule_message asked = {.begin_ticks = piece->begin_ticks,
					   .first_ticks = piece->begin_ticks,
					   .end_ticks = piece->begin_ticks,
					   .payload_B = piece->request_B,
					   .segments = 1,
					   .direction = (uint8_t)direction,
					   .small = true};
	const struct rule_message answered = {.begin_ticks = piece->answered_ticks,
					      .first_ticks = piece->answered_ticks,
					      .end_ticks = piece->answered_ticks,
					      .payload_B = piece->answer_B,
					      .segments = 1,
					      .direction = !direction,
					      .small = true};
	size_t n = 0;

	out[n++] = asked;
	if (piece->answer_B > 0)
		out[n++] = answered;
	return n;
}

// Takes a message of so many bytes from the begin of the pieces, and what else becomes one by that.
// Returns how many.
static size_t rule_take_message(struct rule_side *side, unsigned direction, uint64_t payload_B,
				struct rule_message *out)
{
	struct rule_message message = begin_message(side->pieces, direction);
	uint32_t whole = 0;
	size_t n = 0;

	for (; whole < side->count && side->pieces[whole].payload_B <= payload_B; whole++) {
		if (whole > 0 && side->pieces[whole].requested)
			n += give_back(&side->pieces[whole], direction, out + n);
		rule_append(&message, &side->pieces[whole]);
		payload_B -= side->pieces[whole].payload_B;
	}
	if (payload_B > 0) {
		struct piece first;

		if (whole > 0 && side->pieces[whole].requested)
			n += give_back(&side->pieces[whole], direction, out + n);
		first = rule_cut(&side->pieces[whole], payload_B);
		rule_append(&message, &first);
	}
	message.small = message.small && message.segments == 1;
	rule_drop_first(side, whole);
	out[n++] = message;
	return n;
}

// Makes one piece of all but the last.
static size_t rule_join(struct rule_side *side, unsigned direction, struct rule_message *out)
{
	struct piece *first = side->pieces;
	size_t n = 0;

	for (uint32_t i = 1; i + 1 < side->count; i++) {
		if (side->pieces[i].requested)
			n += give_back(&side->pieces[i], direction, out + n);
		first->end_ticks = side->pieces[i].end_ticks;
		first->payload_B += side->pieces[i].payload_B;
		first->segments += side->pieces[i].segments;
		first->full = side->pieces[i].full;
	}
	first->small = false;
	side->pieces[1] = side->pieces[side->count - 1];
	side->count = 2;
	return n;
}

static bool is_silence(const struct rule *rule, const struct piece *piece)
{
	return piece->requested ||
	       (!piece->resumed && rule_longer_than(rule, piece->pause_ticks, PIECE_WINDOW_GAPS));
}

// Notes what followed the piece at once. Small ones do not count.
static void note_cut(struct rule *rule, const struct rule_side *side, size_t at)
{
	uint64_t rest_B = 0;
	size_t end = at + 1;

	for (; end < side->count && !is_silence(rule, &side->pieces[end]); end++)
		rest_B += side->pieces[end].small ? 0 : side->pieces[end].payload_B;
	if (end < side->count && side->pieces[at].segments > 1)
		sizes_note_cut(&rule->known->sizes, side->pieces[at].payload_B, rest_B);
}

// Divides the pieces by what is known. Returns the number of messages.
static size_t divide_side(struct rule *rule, struct rule_side *side, uint64_t ends_B[DIVISION_MAX])
{
	const struct rule_known *known = rule->known;

	for (uint32_t i = 0; i < side->count; i++)
		side->pieces[i].sure = side->pieces[i].requested &&
				       known->votes >=
					       (side->pieces[i].answer_B > 0 ? 2 : VOTES_KNOWN) &&
				       side->pieces[i].request_B == known->request_B;
	return divide(side->pieces, side->count, &known->sizes, rule->gaps.usual_ticks, ends_B);
}

// Notes the sizes of messages, each piece once: of all, or of those that begin in the first half
// and do not go on to the last piece.
static void learn(struct rule *rule, struct rule_side *side, bool all)
{
	const uint32_t pieces = all ? side->count : side->count / 2;
	uint64_t ends_B[DIVISION_MAX], begin_B = 0, piece_B = 0;
	const size_t count = divide_side(rule, side, ends_B);
	uint32_t piece = 0;

	for (size_t i = 0; i < count && piece < pieces && (all || i + 1 < count); i++) {
		const struct piece *first = &side->pieces[piece];
		const bool whole = piece_B == begin_B;

		while (piece < side->count &&
		       piece_B + side->pieces[piece].payload_B <= ends_B[i]) {
			if (!side->pieces[piece].learnt)
				note_cut(rule, side, piece);
			piece_B += side->pieces[piece++].payload_B;
		}
		if (!first->learnt && !(whole && first->small && piece_B == ends_B[i]))
			sizes_note(&rule->known->sizes, ends_B[i] - begin_B,
				   whole && piece_B == ends_B[i] && is_silence(rule, first) &&
					   (piece == side->count ||
					    is_silence(rule, &side->pieces[piece])));
		begin_B = ends_B[i];
	}
	for (uint32_t i = 0; i < piece; i++)
		side->pieces[i].learnt = true;
}

// Ends messages: all, or, to make room, those that end in the first half of the pieces, but one at
// least.
static size_t end_messages(struct rule *rule, unsigned direction, bool all,
			   struct rule_message *out)
{
	struct rule_side *side = &rule->sides[direction];
	const uint64_t half_B = sum_B(side->pieces, side->count / 2),
		       end_B = sum_B(side->pieces, side->count);
	uint64_t ends_B[DIVISION_MAX], begin_B = 0;
	size_t count, n = 0;

	learn(rule, side, all);
	count = divide_side(rule, side, ends_B);
	for (size_t i = 0;
	     i < count && (all || ends_B[i] <= half_B || (i == 0 && ends_B[i] < end_B)); i++) {
		if (side->pieces[0].taken)
			rule_drop_first(side, 1);
		else
			n += rule_take_message(side, direction, ends_B[i] - begin_B, out + n);
		begin_B = ends_B[i];
	}
	return begin_B == 0 && !all ? rule_join(side, direction, out) : n;
}

size_t rule_make_room(struct rule *rule, unsigned direction, struct rule_message *out)
{
	return end_messages(rule, direction, false, out);
}

// The direction to look at first, which does not depend on their numbers.
static unsigned first_direction(const struct rule *rule)
{
	return rule->sides[1].count > 0 &&
	       (rule->sides[0].count == 0 ||
		rule->sides[1].pieces[0].first_ticks < rule->sides[0].pieces[0].first_ticks);
}

void rule_learn(struct rule *rule)
{
	const unsigned first = first_direction(rule);

	learn(rule, &rule->sides[first], true);
	learn(rule, &rule->sides[!first], true);
}

size_t rule_finish(struct rule *rule, struct rule_message out[RULE_ENDED_MAX])
{
	const unsigned first = first_direction(rule);
	size_t n;

	rule_learn(rule);
	n = end_messages(rule, first, true, out);
	n += end_messages(rule, !first, true, out + n);
	rule_close(rule);
	return n;
}
