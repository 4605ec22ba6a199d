// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of a rank: computing, messages between two ranks and waits for them.
#include "foreign/time_independent.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "value/grow.h"

#define PENDING_MAX 131072u // requests of a rank

enum tr_status ti_advance(struct ti_reading *reading, size_t word, double ticks_each,
			  struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];
	double amount;

	if (ti_real(reading, word, &amount, err) != TR_OK)
		return TR_ERROR;
	if (amount * ticks_each + (double)clock->ticks >= TI_AMOUNT_MAX)
		return ti_fail(reading, err, "a time below 146 years", reading->words[word]);
	clock->ticks += llround(amount * ticks_each);
	return TR_OK;
}

double ti_ticks_per_flop(const struct ti_reading *reading)
{
	return (double)TI_TICKS_PER_S / num_value(reading->input->flops_per_s);
}

static enum tr_status time_independent_compute(struct ti_reading *reading, struct tr_error *err)
{
	if (ti_need(reading, 1, err) != TR_OK)
		return TR_ERROR;
	if (reading->input->flops_per_s.den == 0)
		return tr_lines_fail(
			&reading->lines, err,
			"computation in instructions: --flops gives their number per second");
	return ti_advance(reading, 2, ti_ticks_per_flop(reading), err);
}

static enum tr_status sleep_for(struct ti_reading *reading, struct tr_error *err)
{
	return ti_need(reading, 1, err) == TR_OK
		       ? ti_advance(reading, 2, (double)TI_TICKS_PER_S, err)
		       : TR_ERROR;
}

enum tr_status ti_put(struct ti_reading *reading, struct event event, uint64_t request,
		      struct tr_error *err)
{
	struct tr_error why;

	event.begin_ticks = event.end_ticks = reading->clocks[reading->rank].ticks;
	if (events_add(reading->events, reading->rank, &event, request, &why) == TR_OK)
		return TR_OK;
	return tr_fail_for(err, &why, "%s:%" PRIu64 ": %s", tr_source_name(reading->lines.source),
			   reading->lines.number, why.text);
}

enum tr_status ti_remember(struct ti_reading *reading, const struct ti_pending *made,
			   struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];

	if (clock->count >= PENDING_MAX)
		return tr_lines_fail(&reading->lines, err, "more than %u requests without a wait",
				     PENDING_MAX);
	if (!GROW(clock->pending, clock->capacity, clock->count))
		return tr_no_memory(err, "requests");
	clock->pending[clock->count++] = *made;
	return TR_OK;
}

static enum tr_status transfer(struct ti_reading *reading, enum event_kind kind,
			       struct tr_error *err)
{
	bool sends = kind == EVENT_SEND || kind == EVENT_ISEND;
	struct event event = {.kind = (uint8_t)kind};
	struct ti_pending made = {.request = ++reading->clocks[reading->rank].requests};

	if (ti_need(reading, 3, err) != TR_OK || ti_tag(reading, 3, &event.tag, err) != TR_OK ||
	    ti_bytes(reading, 4, 5, &event.bytes, err) != TR_OK)
		return TR_ERROR;
	if (ti_peer(reading, 2, &event.peer, err) != TR_OK)
		return TR_ERROR;
	if (sends && event.peer == EVENT_ANY)
		return ti_fail(reading, err, "a rank", reading->words[2]);
	made.from = sends ? reading->rank : event.peer;
	made.to = sends ? event.peer : reading->rank;
	made.tag = event.tag;
	if (sends && event.tag == EVENT_ANY_TAG)
		event.tag = -1;
	if ((kind == EVENT_ISEND || kind == EVENT_IRECV) &&
	    ti_remember(reading, &made, err) != TR_OK)
		return TR_ERROR;
	return ti_put(reading, event, made.request, err);
}

// Waits for a request; an exchange has two.
static enum tr_status time_independent_put_waits(struct ti_reading *reading,
						 const struct ti_pending *own, struct tr_error *err)
{
	const struct event wait = {
		.kind = EVENT_WAIT, .peer = EVENT_ANY, .tag = EVENT_ANY_TAG, .bytes = UINT64_MAX};

	if (ti_put(reading, wait, own->request, err) != TR_OK)
		return TR_ERROR;
	return own->joined ? ti_put(reading, wait, own->request + 1, err) : TR_OK;
}

static enum tr_status end_pending(struct ti_reading *reading, uint32_t i, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];
	const struct ti_pending own = clock->pending[i];

	memmove(&clock->pending[i], &clock->pending[i + 1], (clock->count - i - 1) * sizeof(own));
	clock->count--;
	return time_independent_put_waits(reading, &own, err);
}

// The first pending request that is as the wait names it; failing that, one from any source or with
// any tag; then a collective operation, whose tags are negative, or an exchange, for which SimGrid
// writes no rank that could be told. Their count: none.
static uint32_t find_pending(const struct ti_clock *clock, uint32_t from, uint32_t to, int32_t tag)
{
	for (unsigned pass = 0; pass < 3; pass++)
		for (uint32_t i = 0; i < clock->count; i++) {
			const struct ti_pending *own = &clock->pending[i];
			const bool exact = own->from == from && own->to == to && own->tag == tag;
			const bool open = own->to == to &&
					  (own->from == from || own->from == EVENT_ANY ||
					   from == EVENT_ANY) &&
					  (own->tag == tag || own->tag == EVENT_ANY_TAG ||
					   tag == EVENT_ANY_TAG);
			const bool nameless = own->to == EVENT_ANY && (own->joined || tag < 0);

			if (pass == 0 ? exact : pass == 1 ? open : nameless)
				return i;
		}
	return clock->count;
}

// A wait names its request by source, destination and tag; one that is not pending has been tested
// before.
static enum tr_status wait_one(struct ti_reading *reading, struct tr_error *err)
{
	const struct ti_clock *clock = &reading->clocks[reading->rank];
	uint32_t from, to, found;
	int32_t tag;

	if (ti_need(reading, 3, err) != TR_OK || ti_peer(reading, 2, &from, err) != TR_OK ||
	    ti_peer(reading, 3, &to, err) != TR_OK || ti_tag(reading, 4, &tag, err) != TR_OK)
		return TR_ERROR;
	found = find_pending(clock, from, to, tag);
	return found < clock->count ? end_pending(reading, found, err) : TR_OK;
}

static enum tr_status wait_all(struct ti_reading *reading, struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];

	for (uint32_t i = 0; i < clock->count; i++)
		if (time_independent_put_waits(reading, &clock->pending[i], err) != TR_OK)
			return TR_ERROR;
	clock->count = 0;
	return TR_OK;
}

// Which request has ended is not said: the oldest, unless there is one only.
static enum tr_status wait_any(struct ti_reading *reading, struct tr_error *err)
{
	const struct ti_clock *clock = &reading->clocks[reading->rank];

	if (clock->count == 0)
		return TR_OK;
	reading->events->unknown_waits_any += clock->count > 1;
	return end_pending(reading, 0, err);
}

static enum tr_status nothing(struct ti_reading *reading, struct tr_error *err)
{
	(void)err;
	reading->events->by_rank[reading->rank].other_calls++;
	return TR_OK;
}

// A word more says that sizes without a type count doubles.
static enum tr_status time_independent_begin(struct ti_reading *reading, struct tr_error *err)
{
	reading->clocks[reading->rank].type = reading->count > 2 ? TI_DOUBLE : TI_BYTE;
	return nothing(reading, err);
}

static enum tr_status isend(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_ISEND, err);
}

static enum tr_status irecv(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_IRECV, err);
}

static enum tr_status time_independent_send(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_SEND, err);
}

static enum tr_status recv(struct ti_reading *reading, struct tr_error *err)
{
	return transfer(reading, EVENT_RECV, err);
}

// ---- a send and a receive of one call, whose tags are not said: SimGrid replays them with tag 0

static enum tr_status time_independent_put_exchange(struct ti_reading *reading, bool blocking,
						    struct tr_error *err)
{
	struct ti_clock *clock = &reading->clocks[reading->rank];
	struct event send = {.kind = EVENT_ISEND}, recv = {.kind = EVENT_IRECV};
	struct ti_pending made = {
		.from = EVENT_ANY, .to = EVENT_ANY, .tag = EVENT_ANY_TAG, .joined = true};

	if (ti_need(reading, 4, err) != TR_OK ||
	    ti_bytes(reading, 2, 6, &send.bytes, err) != TR_OK ||
	    ti_peer(reading, 3, &send.peer, err) != TR_OK ||
	    ti_bytes(reading, 4, 7, &recv.bytes, err) != TR_OK ||
	    ti_peer(reading, 5, &recv.peer, err) != TR_OK)
		return TR_ERROR;
	made.request = clock->requests + 1;
	clock->requests += 2;
	if (ti_put(reading, recv, made.request + 1, err) != TR_OK ||
	    ti_put(reading, send, made.request, err) != TR_OK)
		return TR_ERROR;
	return blocking ? time_independent_put_waits(reading, &made, err)
			: ti_remember(reading, &made, err);
}

static enum tr_status sendrecv(struct ti_reading *reading, struct tr_error *err)
{
	return time_independent_put_exchange(reading, true, err);
}

static enum tr_status isendrecv(struct ti_reading *reading, struct tr_error *err)
{
	return time_independent_put_exchange(reading, false, err);
}

// ---- persistent requests

// Names the destination, which is the rank itself where it receives, from whomever; its size is in
// bytes.
static enum tr_status time_independent_start(struct ti_reading *reading, struct tr_error *err)
{
	struct event event = {.kind = EVENT_ISEND};
	struct ti_pending made = {.from = reading->rank,
				  .request = ++reading->clocks[reading->rank].requests};
	double bytes;

	if (ti_need(reading, 3, err) != TR_OK || ti_peer(reading, 2, &event.peer, err) != TR_OK ||
	    ti_tag(reading, 3, &event.tag, err) != TR_OK ||
	    ti_real(reading, 4, &bytes, err) != TR_OK)
		return TR_ERROR;
	if (bytes >= TI_AMOUNT_MAX)
		return ti_fail(reading, err, "a size below 2^62 bytes", reading->words[4]);
	event.bytes = (uint64_t)llround(bytes);
	if (event.peer == reading->rank) {
		event.kind = EVENT_IRECV;
		event.peer = made.from = EVENT_ANY;
	}
	made.to = event.kind == EVENT_IRECV ? reading->rank : event.peer;
	made.tag = event.tag;
	if (ti_remember(reading, &made, err) != TR_OK)
		return TR_ERROR;
	return ti_put(reading, event, made.request, err);
}

// Does not say what it starts.
static enum tr_status start_all(struct ti_reading *reading, struct tr_error *err)
{
	reading->events->unsaid++;
	return nothing(reading, err);
}

static enum tr_status one_sided(struct ti_reading *reading, struct tr_error *err)
{
	uint64_t bytes;

	if (ti_need(reading, 3, err) != TR_OK || ti_bytes(reading, 4, 5, &bytes, err) != TR_OK)
		return TR_ERROR;
	reading->events->one_sided++;
	reading->events->one_sided_bytes += bytes;
	return nothing(reading, err);
}

static const struct ti_action {
	const char *word;
	enum tr_status (*run)(struct ti_reading *reading, struct tr_error *err);
} actions[] = {
	{"compute", time_independent_compute},
	{"sleep", sleep_for},
	{"send", time_independent_send},
	{"ssend", time_independent_send},
	{"bsend", time_independent_send},
	{"rsend", time_independent_send},
	{"isend", isend},
	{"issend", isend},
	{"ibsend", isend},
	{"irsend", isend},
	{"recv", recv},
	{"irecv", irecv},
	{"sendrecv", sendrecv},
	{"isendrecv", isendrecv},
	{"start", time_independent_start},
	{"startall", start_all},
	{"wait", wait_one},
	{"waitall", wait_all},
	{"waitany", wait_any},
	{"waitsome", wait_any},
	// Whether requests had ended is not said: a wait tells.
	{"test", nothing},
	{"testall", nothing},
	{"testany", nothing},
	{"testsome", nothing},
	{"put", one_sided},
	{"get", one_sided},
	{"rput", one_sided},
	{"rget", one_sided},
	{"accumulate", one_sided},
	{"raccumulate", one_sided},
	{"get_accumulate", one_sided},
	{"rget_accumulate", one_sided},
	{"fetch_and_op", one_sided},
	{"compare_and_swap", one_sided},
	{"win_fence", nothing},
	{"migrate", nothing},
	{"init", time_independent_begin},
	{"finalize", nothing},
	{"comm_size", nothing},
	{"comm_split", nothing},
	{"comm_dup", nothing},
	{"location", nothing},
};

static const struct ti_action *time_independent_find(const char *word)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (strcasecmp(actions[i].word, word) == 0)
			return &actions[i];
	return NULL;
}

bool ti_is_action(const char *word)
{
	return time_independent_find(word);
}

enum tr_status ti_act(struct ti_reading *reading, struct tr_error *err)
{
	return time_independent_find(reading->words[1])->run(reading, err);
}
