// SPDX-License-Identifier: GPL-3.0-or-later
// Multiples of the mean gap within trains. A pause is longer than what separates segments of a train (acknowledgements, a
// sender that waits for its window) and shorter than what a program does between two messages; after a full segment a message
// goes on unless there is a silence, since few messages end in a full one. TCP without bytes: RFC 9293 (segments), RFC 1122
// 4.2.3.4 (when a short one is sent), RFC 2018 (options that make a full segment shorter).
#include "messages/rule.h"

#include <string.h>

#define PAUSE_GAPS 8u
#define SILENCE_GAPS 64u
#define GAPS_KEPT 4096u // the mean forgets older gaps beyond these

void rule_open(struct rule *rule, uint32_t largest_B, int64_t usual_gap_ticks)
{
	*rule = (struct rule){.largest_B = largest_B, .usual_gap_ticks = usual_gap_ticks};
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

// Whether TCP filled the segment: up to three blocks of selective acknowledgements take room of it.
static bool is_full(const struct rule *rule, uint32_t payload_B)
{
	const uint32_t less_B = rule->largest_B - payload_B;

	return less_B == 0 || (payload_B > RULE_SMALL_MAX && (less_B == 12 || less_B == 20 || less_B == 28 || less_B == 36));
}

static bool is_small(const struct rule *rule, uint32_t payload_B)
{
	return payload_B <= RULE_SMALL_MAX && payload_B < rule->largest_B;
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

static size_t end_open(struct rule_side *side, struct rule_message *out)
{
	if (side->open.segments == 0)
		return 0;
	*out = side->open;
	side->open.segments = 0;
	return 1;
}

// Removes the first of those waiting.
static struct rule_message take_waiting(struct rule_side *side)
{
	const struct rule_message first = side->waiting[0];

	side->waiting_count--;
	memmove(side->waiting, side->waiting + 1, side->waiting_count * sizeof(*side->waiting));
	return first;
}

// A small segment that is not part of a train.
static size_t wait_for(struct rule_side *side, const struct rule_message *small, struct rule_message *out)
{
	size_t n = 0;

	if (side->waiting_count == RULE_WAITING_MAX)
		out[n++] = take_waiting(side);
	side->waiting[side->waiting_count++] = *small;
	return n;
}

// A message begins with this segment: requested if a small segment came back after the first one waiting.
static void begin(struct rule_side *side, struct rule_side *back, const struct rule_message *segment)
{
	side->open = *segment;
	side->open.small = false;
	side->before_ticks = segment->end_ticks;
	if (side->waiting_count > 0 && back->waiting_count > 0 &&
	    back->waiting[back->waiting_count - 1].begin_ticks > side->waiting[0].begin_ticks) {
		side->open.begin_ticks = take_waiting(side).begin_ticks;
		side->open.requested = true;
		(void)take_waiting(back);
	}
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
	if (longer_than(rule, gap_ticks, SILENCE_GAPS))
		return false;
	if (!side->open.requested)
		return is_full(rule, side->last_B) && payload_B <= rule->largest_B;
	return !is_small(rule, payload_B) || !longer_than(rule, gap_ticks, PAUSE_GAPS);
}

// Whether the last, small segment of a requested message was the request of another one: it has been answered since.
static bool was_request(const struct rule *rule, const struct rule_side *side, const struct rule_side *back, uint32_t payload_B)
{
	return side->open.requested && side->open.segments > 1 && is_small(rule, side->last_B) && !is_small(rule, payload_B) &&
	       back->waiting_count > 0 && back->waiting[back->waiting_count - 1].begin_ticks > side->last_ticks;
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
					     .small = payload_B <= RULE_SMALL_MAX};
	const int64_t gap_ticks = ticks - side->last_ticks;
	size_t n = 0;

	if (payload_B == 0)
		return 0;
	if (was_request(rule, side, back, payload_B)) {
		n += take_request(side, out + n);
		n += end_open(side, out + n);
	}
	if (side->open.segments > 0 && belongs(rule, side, gap_ticks, payload_B)) {
		if (is_full(rule, side->last_B))
			note_gap(rule, gap_ticks);
		append(side, ticks, payload_B);
	} else {
		n += end_open(side, out + n);
		if (payload_B > rule->largest_B)
			rule->largest_B = payload_B;
		if (is_small(rule, payload_B))
			n += wait_for(side, &segment, out + n);
		else
			begin(side, back, &segment);
	}
	side->last_ticks = ticks;
	side->last_B = payload_B;
	if (side->open.segments > 0 && !side->open.requested && !is_full(rule, payload_B))
		n += end_open(side, out + n);
	return n;
}

size_t rule_finish(struct rule *rule, struct rule_message out[RULE_ENDED_MAX])
{
	size_t n = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct rule_side *side = &rule->sides[i];

		while (side->waiting_count > 0)
			out[n++] = take_waiting(side);
		n += end_open(side, out + n);
	}
	return n;
}
