// SPDX-License-Identifier: GPL-3.0-or-later
// Multiples of the mean gap within trains. A pause is longer than what separates segments of a train (acknowledgements, a
// sender that waits for its window) and shorter than what a program does between two messages; after a full segment a message
// goes on unless there is a silence, since few messages end in a full one. TCP without bytes: RFC 9293 (segments), RFC 1122
// 4.2.3.4 (when a short one is sent), RFC 2018 (options that make a full segment shorter).
#include "messages/rule.h"

#include <string.h>

// The multiples are choices, made on recordings of FFTs under Open MPI; those of other programs and of MPICH bear them out.
#define PAUSE_GAPS 8u	 // before a small segment that is no part of a requested message
#define WINDOW_GAPS 16u	 // a sender waits no longer for its window
#define SILENCE_GAPS 64u // after a full segment
#define STALL_GAPS 1024u // the same in a requested message: only the next request ends it earlier
#define VOTES_KNOWN 3u	 // requests of one size that make it known
#define VOTES_MAX 16u
#define OVERTAKEN_MAX 4u
#define GAPS_KEPT 4096u // the mean forgets older gaps beyond these

void rule_open(struct rule *rule, uint32_t largest_B, int64_t usual_gap_ticks)
{
	*rule = (struct rule){.largest_B = largest_B, .usual_gap_ticks = usual_gap_ticks};
	rule->sides[0].asked_ticks = rule->sides[1].asked_ticks = INT64_MIN;
}

static int64_t mean_gap(const struct rule *rule)
{
	const int64_t mean = rule->gaps > 0 ? (int64_t)(rule->gap_ticks / rule->gaps) : rule->usual_gap_ticks;

	return mean > 0 ? mean : 1;
}

static bool longer_than(const struct rule *rule, int64_t ticks, unsigned gaps)
{
	return ticks / gaps > mean_gap(rule);
}

static bool is_small(uint32_t payload_B)
{
	return payload_B <= RULE_SMALL_MAX;
}

// Whether TCP filled the segment: up to three blocks of selective acknowledgements take room of it.
static bool is_full(const struct rule *rule, uint32_t payload_B)
{
	const uint32_t less_B = rule->largest_B - payload_B;

	return !is_small(payload_B) && (less_B == 0 || less_B == 12 || less_B == 20 || less_B == 28 || less_B == 36);
}

static void note_gap(struct rule *rule, int64_t ticks)
{
	if (rule->gaps == GAPS_KEPT) {
		rule->gaps /= 2;
		rule->gap_ticks /= 2;
	}
	rule->gap_ticks += (uint64_t)ticks;
	rule->gaps++;
}

// The pieces that were held as one message.
static struct rule_message join(struct rule_side *side)
{
	struct rule_message sum = side->held[0];

	for (uint32_t i = 1; i < side->held_count; i++) {
		sum.payload_B += side->held[i].payload_B;
		sum.segments += side->held[i].segments;
		sum.end_ticks = side->held[i].end_ticks;
	}
	return sum;
}

// Ends the pieces that were held, each as a message unless they are known to be one that was cut.
static size_t end_held(struct rule_side *side, struct rule_message *out)
{
	const uint32_t count = side->held_count;
	const struct rule_message sum = join(side);

	side->held_count = 0;
	if (count > 1 && sizes_cut(&side->sizes, side->held[0].payload_B, sum.payload_B)) {
		sizes_note(&side->sizes, sum.payload_B);
		*out = sum;
		return 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		out[i] = side->held[i];
		sizes_note(&side->sizes, out[i].payload_B);
	}
	return count;
}

// Ends a piece as count messages of one size, with times in proportion to the bytes.
static size_t end_multiple(struct rule_side *side, const struct rule_message *piece, unsigned count, struct rule_message *out)
{
	const int64_t step_ticks = (piece->end_ticks - piece->first_ticks) / count;

	for (unsigned i = 0; i < count; i++) {
		out[i] = *piece;
		out[i].payload_B = piece->payload_B / count;
		out[i].begin_ticks = out[i].first_ticks = piece->first_ticks + step_ticks * i;
		out[i].end_ticks = i + 1 < count ? piece->first_ticks + step_ticks * (i + 1) : piece->end_ticks;
		out[i].segments = piece->segments / count + (i < piece->segments % count);
		sizes_note(&side->sizes, out[i].payload_B);
	}
	return count;
}

// Whether what is held ends before this piece.
static bool stands_alone(const struct rule *rule, const struct rule_side *side, const struct rule_message *piece)
{
	return piece->requested || sizes_known(&side->sizes, piece->payload_B) || side->held_count == RULE_HELD_MAX ||
	       (side->held_count > 0 &&
		longer_than(rule, piece->first_ticks - side->held[side->held_count - 1].end_ticks, WINDOW_GAPS));
}

// Ends the open message: as it is where it was requested or has a known size, else as the known sizes have it.
static size_t end_open(const struct rule *rule, struct rule_side *side, struct rule_message *out)
{
	const struct rule_message piece = side->open;
	unsigned multiple;
	size_t n = 0;

	if (piece.segments == 0)
		return 0;
	side->open.segments = 0;
	if (stands_alone(rule, side, &piece))
		n += end_held(side, out);
	if (piece.requested) {
		out[n++] = piece;
		return n;
	}
	multiple = sizes_known(&side->sizes, piece.payload_B) ? 0 : sizes_multiple(&side->sizes, piece.payload_B);
	if (multiple > 0) {
		n += end_held(side, out + n);
		return n + end_multiple(side, &piece, multiple, out + n);
	}
	side->held[side->held_count++] = piece;
	if (sizes_known(&side->sizes, join(side).payload_B)) {
		out[n++] = join(side);
		sizes_note(&side->sizes, out[n - 1].payload_B);
		side->held_count = 0;
	}
	return n;
}

// Removes one of those waiting.
static struct rule_message take_waiting(struct rule_side *side, uint32_t which)
{
	const struct rule_message taken = side->waiting[which].small;

	side->waiting_count--;
	memmove(side->waiting + which, side->waiting + which + 1, (side->waiting_count - which) * sizeof(*side->waiting));
	return taken;
}

// A small segment that is not part of a train.
static size_t wait_for(struct rule_side *side, const struct rule_message *small, struct rule_message *out)
{
	size_t n = 0;

	if (side->waiting_count == RULE_WAITING_MAX)
		out[n++] = take_waiting(side, 0);
	side->waiting[side->waiting_count++] = (struct rule_waiting){.small = *small};
	return n;
}

// Small segments that so many messages overtook in their direction are no part of a handshake.
static size_t overtake(struct rule_side *side, struct rule_message *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < side->waiting_count;)
		if (++side->waiting[i].overtaken == OVERTAKEN_MAX)
			out[n++] = take_waiting(side, i);
		else
			i++;
	return n;
}

// Whether one waiting may be a request: it came after the last one that was, and has its size once that is known.
static bool may_ask(const struct rule_side *side, uint32_t which)
{
	const struct rule_message *small = &side->waiting[which].small;

	return small->end_ticks > side->asked_ticks && (side->votes < VOTES_KNOWN || small->payload_B == side->request_B);
}

// Those waiting that may be requests and have this one's size, and the first of them.
static uint32_t count_alike(const struct rule_side *side, uint32_t which, bool ask, uint32_t *first)
{
	uint32_t count = 0;

	for (uint32_t i = side->waiting_count; i-- > 0;)
		if (side->waiting[i].small.payload_B == side->waiting[which].small.payload_B && (!ask || may_ask(side, i))) {
			*first = i;
			count++;
		}
	return count;
}

// Finds a handshake among those waiting: the latest answer for which there is a request before it, of another size as in every
// protocol. Of as many requests as answers the first is meant, else the latest (the others were none).
static bool find_handshake(const struct rule_side *side, const struct rule_side *back, uint32_t *request, uint32_t *answer)
{
	for (*answer = back->waiting_count; (*answer)-- > 0;)
		for (*request = side->waiting_count; (*request)-- > 0;) {
			const struct rule_message *asked = &side->waiting[*request].small;
			const struct rule_message *answered = &back->waiting[*answer].small;
			uint32_t first_request = 0, first_answer = 0;

			if (!may_ask(side, *request) || asked->end_ticks >= answered->begin_ticks ||
			    asked->payload_B == answered->payload_B)
				continue;
			if (count_alike(side, *request, true, &first_request) ==
			    count_alike(back, *answer, false, &first_answer)) {
				*request = first_request;
				*answer = first_answer;
			}
			return true;
		}
	return false;
}

// Finds the first request waiting whose answer may have been in a larger segment.
static bool find_request(const struct rule_side *side, const struct rule_side *back, uint32_t *request)
{
	for (*request = 0; *request < side->waiting_count; ++*request)
		if (side->votes >= VOTES_KNOWN && may_ask(side, *request))
			return back->last_ticks > side->waiting[*request].small.end_ticks;
	return false;
}

// The size of requests by majority (Boyer and Moore, MJRTY, 1991).
static void vote(struct rule_side *side, uint32_t request_B)
{
	if (side->votes == 0)
		side->request_B = request_B;
	if (request_B != side->request_B)
		side->votes--;
	else if (side->votes < VOTES_MAX)
		side->votes++;
}

static void begin_requested(struct rule_side *side, uint32_t request)
{
	const struct rule_message asked = take_waiting(side, request);

	vote(side, (uint32_t)asked.payload_B);
	side->asked_ticks = asked.end_ticks;
	side->open.begin_ticks = asked.begin_ticks;
	side->open.request_B = (uint32_t)asked.payload_B;
	side->open.requested = true;
}

// A message begins with this segment.
static size_t begin(struct rule_side *side, struct rule_side *back, const struct rule_message *segment,
		    struct rule_message *out)
{
	struct rule_message answered;
	uint32_t request, answer;

	side->open = *segment;
	side->open.small = false;
	side->before_ticks = segment->end_ticks;
	if (find_handshake(side, back, &request, &answer)) {
		begin_requested(side, request);
		answered = take_waiting(back, answer);
		side->open.answer_B = (uint32_t)answered.payload_B;
		side->open.answered_ticks = answered.end_ticks;
	} else if (find_request(side, back, &request)) {
		begin_requested(side, request);
	}
	return overtake(side, out);
}

static void append(struct rule_side *side, int64_t ticks, uint32_t payload_B)
{
	side->before_ticks = side->open.end_ticks;
	side->open.end_ticks = ticks;
	side->open.payload_B += payload_B;
	side->open.segments++;
}

// Whether the segment belongs to the message that is open in its direction.
static bool belongs(const struct rule *rule, const struct rule_side *side, int64_t gap_ticks, uint32_t payload_B)
{
	const bool full = is_full(rule, side->last_B);

	if (!side->open.requested)
		return full && payload_B <= rule->largest_B && !longer_than(rule, gap_ticks, SILENCE_GAPS);
	if (is_small(payload_B))
		return !longer_than(rule, gap_ticks, PAUSE_GAPS);
	return !longer_than(rule, gap_ticks, full ? STALL_GAPS : side->votes >= VOTES_KNOWN ? SILENCE_GAPS : WINDOW_GAPS);
}

// Whether the last, small segment of a requested message was the request of another one: it has been answered since.
static bool was_request(const struct rule_side *side, const struct rule_side *back, uint32_t payload_B)
{
	return side->open.requested && side->open.segments > 1 && is_small(side->last_B) && !is_small(payload_B) &&
	       back->waiting_count > 0 && back->waiting[back->waiting_count - 1].small.begin_ticks > side->last_ticks;
}

// Takes the last segment out of the open message; it waits.
static size_t take_request(struct rule_side *side, struct rule_message *out)
{
	const struct rule_message request = {.begin_ticks = side->last_ticks,
					     .first_ticks = side->last_ticks,
					     .end_ticks = side->last_ticks,
					     .payload_B = side->last_B,
					     .segments = 1,
					     .direction = side->open.direction,
					     .small = true};

	side->open.end_ticks = side->before_ticks;
	side->open.payload_B -= side->last_B;
	side->open.segments--;
	return wait_for(side, &request, out);
}

size_t rule_add(struct rule *rule, int64_t ticks, unsigned direction, uint32_t payload_B,
		struct rule_message out[RULE_ENDED_MAX])
{
	struct rule_side *side = &rule->sides[direction & 1], *back = &rule->sides[~direction & 1];
	const struct rule_message segment = {.begin_ticks = ticks,
					     .first_ticks = ticks,
					     .end_ticks = ticks,
					     .payload_B = payload_B,
					     .segments = 1,
					     .direction = direction & 1,
					     .small = is_small(payload_B)};
	const int64_t gap_ticks = ticks - side->last_ticks;
	size_t n = 0;

	if (payload_B == 0)
		return 0;
	if (was_request(side, back, payload_B)) {
		n += take_request(side, out + n);
		n += end_open(rule, side, out + n);
	}
	if (side->open.segments > 0 && belongs(rule, side, gap_ticks, payload_B)) {
		if (is_full(rule, side->last_B))
			note_gap(rule, gap_ticks);
		append(side, ticks, payload_B);
	} else {
		n += end_open(rule, side, out + n);
		if (payload_B > rule->largest_B)
			rule->largest_B = payload_B;
		if (is_small(payload_B))
			n += wait_for(side, &segment, out + n);
		else
			n += begin(side, back, &segment, out + n);
	}
	side->last_ticks = ticks;
	side->last_B = payload_B;
	if (side->open.segments > 0 && !side->open.requested && !is_full(rule, payload_B))
		n += end_open(rule, side, out + n);
	return n;
}

size_t rule_finish(struct rule *rule, struct rule_message out[RULE_ENDED_MAX])
{
	size_t n = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct rule_side *side = &rule->sides[i];

		while (side->waiting_count > 0)
			out[n++] = take_waiting(side, 0);
		n += end_open(rule, side, out + n);
		n += end_held(side, out + n);
	}
	return n;
}
