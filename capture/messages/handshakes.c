// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/handshakes.h"

#define ANSWERED_GAPS 64u // data follow an answer sooner
#define VOTES_MAX 16u
#define WAITING_MAX 8u	 // small segments that may be of a handshake
#define OVERTAKEN_MAX 4u // those that so many pieces overtook in their direction are not

// The small segments that may be of a handshake, the latest first: where they are among the pieces.
// Returns how many.
static uint32_t list_waiting(const struct rule_side *side, uint32_t waiting[WAITING_MAX])
{
	uint32_t count = 0, overtaken = 0;

	for (uint32_t i = side->count; i-- > 0 && count < WAITING_MAX && overtaken < OVERTAKEN_MAX;)
		if (!side->pieces[i].small)
			overtaken++;
		else if (!side->pieces[i].taken)
			waiting[count++] = i;
	return count;
}

// Whether this small segment may be a request: it came after the last one that was, and has its
// size once that is known.
static bool may_ask(const struct rule_known *known, const struct rule_side *side, uint32_t at)
{
	const struct piece *small = &side->pieces[at];

	return small->end_ticks > side->asked_ticks &&
	       (known->votes < VOTES_KNOWN || small->payload_B == known->request_B);
}

// Counts those waiting that have this one's size and, where known is given, may be requests; the
// first of them goes to *first.
static uint32_t count_alike(const struct rule_known *known, const struct rule_side *side,
			    uint32_t at, uint32_t *first)
{
	uint32_t waiting[WAITING_MAX], count = 0;
	const uint32_t all = list_waiting(side, waiting);

	for (uint32_t i = 0; i < all; i++)
		if (side->pieces[waiting[i]].payload_B == side->pieces[at].payload_B &&
		    (!known || may_ask(known, side, waiting[i]))) {
			*first = waiting[i];
			count++;
		}
	return count;
}

// Finds a handshake before data: the latest answer for which there is a request before it, of
// another size as in every protocol. Of as many requests as answers the first is meant, else the
// latest (the others were none), as where the first came long before.
static bool find_handshake(struct rule *rule, unsigned direction, int64_t ticks, uint32_t *request,
			   uint32_t *answer)
{
	const struct rule_side *side = &rule->sides[direction], *back = &rule->sides[!direction];
	uint32_t asks[WAITING_MAX], answers[WAITING_MAX];
	const uint32_t ask_count = list_waiting(side, asks),
		       answer_count = list_waiting(back, answers);

	for (uint32_t i = 0; i < answer_count; i++)
		for (uint32_t k = 0; k < ask_count; k++) {
			const struct piece *asked = &side->pieces[asks[k]],
					   *answered = &back->pieces[answers[i]];
			uint32_t first_request = 0, first_answer = 0;

			if (!may_ask(rule->known, side, asks[k]) ||
			    asked->end_ticks >= answered->first_ticks ||
			    asked->payload_B == answered->payload_B ||
			    rule_longer_than(rule, ticks - answered->end_ticks, ANSWERED_GAPS))
				continue;
			*request = asks[k];
			*answer = answers[i];
			if (count_alike(rule->known, side, asks[k], &first_request) ==
			    count_alike(NULL, back, answers[i], &first_answer)) {
				const int64_t before_ticks =
					asked->first_ticks -
					side->pieces[first_request].first_ticks;

				if (!rule_longer_than(rule, before_ticks, ANSWERED_GAPS))
					*request = first_request;
				*answer = first_answer;
			}
			return true;
		}
	return false;
}

// Finds the first request waiting whose answer may have been in a larger segment, at once before
// the data.
static bool handshakes_find_request(struct rule *rule, unsigned direction, int64_t ticks,
				    uint32_t *request)
{
	const struct rule_side *side = &rule->sides[direction], *back = &rule->sides[!direction];
	const struct rule_known *known = rule->known;
	uint32_t waiting[WAITING_MAX];
	const uint32_t count = list_waiting(side, waiting);

	if (known->votes < VOTES_KNOWN ||
	    rule_longer_than(rule, ticks - back->last_ticks, ANSWERED_GAPS))
		return false;
	for (uint32_t i = count; i-- > 0;)
		if (may_ask(known, side, waiting[i]) &&
		    back->last_ticks > side->pieces[waiting[i]].end_ticks) {
			*request = waiting[i];
			return true;
		}
	return false;
}

// The size of requests by majority (Boyer and Moore, MJRTY, 1991).
static void handshakes_vote(struct rule_known *known, uint32_t request_B)
{
	if (known->votes == 0)
		known->request_B = request_B;
	if (request_B != known->request_B)
		known->votes--;
	else if (known->votes < VOTES_MAX)
		known->votes++;
}

// Looks for the handshake of a message that may begin with this piece, and takes its segments.
void handshake_find(struct rule *rule, unsigned direction, struct piece *piece)
{
	struct rule_side *side = &rule->sides[direction], *back = &rule->sides[!direction];
	uint32_t request, answer;
	const bool both = find_handshake(rule, direction, piece->first_ticks, &request, &answer);

	if (!both && !handshakes_find_request(rule, direction, piece->first_ticks, &request))
		return;
	handshakes_vote(rule->known, (uint32_t)side->pieces[request].payload_B);
	side->pieces[request].taken = true;
	side->asked_ticks = side->pieces[request].end_ticks;
	piece->requested = true;
	piece->begin_ticks = side->pieces[request].first_ticks;
	piece->request_B = (uint32_t)side->pieces[request].payload_B;
	if (both) {
		back->pieces[answer].taken = true;
		piece->answer_B = (uint32_t)back->pieces[answer].payload_B;
		piece->answered_ticks = back->pieces[answer].end_ticks;
	}
}

// Whether the last, small segment of the last piece was a request: it has the size of one, once
// that is known, and has been answered since.
bool handshake_was_request(const struct rule_known *known, const struct rule_side *side,
			   const struct rule_side *back)
{
	const struct piece *last = side->count > 0 ? &side->pieces[side->count - 1] : NULL;

	if (!last || last->segments < 2 || !rule_is_small(side->last_B) ||
	    (known->votes < VOTES_KNOWN ? !last->requested : side->last_B != known->request_B))
		return false;
	return back->count > 0 && back->pieces[back->count - 1].small &&
	       back->pieces[back->count - 1].first_ticks > side->last_ticks;
}
