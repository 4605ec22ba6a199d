// SPDX-License-Identifier: GPL-3.0-or-later
// When the ranks of recorded messages look for what has come. A record's end is when its receiver
// had the message; when that came follows from its begin and the pace of the ports. A rank that
// polls its sockets while others have the processor sees several messages at once, some time after
// the first of them has come or, if it was busy then, after what it did last.
#include <math.h>
#include <stdlib.h>

#include "gen/families/program/program_phases.h"
#include "value/order.h"

// A message has come to a rank, or it did something else.
struct program_looks_event {
	uint32_t rank;
	double ticks, end_ticks; // end_ticks: when it had the message; NAN: none
};

static int program_looks_by_rank(const void *a, const void *b)
{
	const struct program_looks_event *x = a, *y = b;

	ORDER_BY(x->rank, y->rank);
	ORDER_BY(x->ticks, y->ticks);
	ORDER_BY(!isnan(x->end_ticks), !isnan(y->end_ticks));
	return ORDER(x->end_ticks, y->end_ticks);
}

// What a message takes of a port, and by how much an idle port is ahead of its pace.
static double takes_of(const struct program_flow *flow, double ticks_per_s, double bytes,
		       double *ahead)
{
	const double full_B = flow->segment_B + flow->header_B,
		     packets = ceil((bytes + flow->envelope_B) / flow->segment_B),
		     per_B = flow->pace_s * ticks_per_s / full_B;

	*ahead = fmax(0, flow->burst_B - full_B) * per_B;
	return (bytes + flow->envelope_B + packets * flow->header_B) * per_B;
}

// When messages come, in the order in which they begin, and what ranks do, by rank and time: they
// begin to send, and end a collective operation.
static size_t list_events(const struct program_trace *trace, const struct program_flow *flow,
			  double *free_ticks, struct program_looks_event *events)
{
	size_t count = 0;

	for (uint32_t r = 0; r < 2 * trace->nodes; r++)
		free_ticks[r] = -INFINITY;
	for (size_t i = 0; i < trace->count; i++) {
		const struct program_found *found = &trace->found[i];
		const double begin = (double)found->begin_ticks;
		double *out = &free_ticks[2 * found->src], *in = &free_ticks[2 * found->dst + 1],
		       ahead, takes;

		events[count++] = (struct program_looks_event){
			found->src, found->operation ? (double)found->end_ticks : begin, NAN};
		if (found->operation || found->granted)
			continue;
		takes = takes_of(flow, trace->ticks_per_s, (double)found->bytes, &ahead);
		*out = fmax(begin, *out) + takes;
		*in = fmax(fmax(begin, *out - ahead), *in);
		events[count++] = (struct program_looks_event){found->dst, *in,
							       (double)found->end_ticks};
	}
	if (count > 0)
		qsort(events, count, sizeof(*events), program_looks_by_rank);
	return count;
}

// The last thing that the rank of a message did before it had it, of those after the event; or
// before that: did_ticks.
static double did_before(const struct program_looks_event *events, size_t count, size_t event,
			 double did_ticks)
{
	for (size_t i = event + 1; i < count && events[i].rank == events[event].rank &&
				   events[i].ticks < events[event].end_ticks;
	     i++)
		if (isnan(events[i].end_ticks))
			did_ticks = events[i].ticks;
	return did_ticks;
}

enum tr_status program_looks_measure(struct program_values *looks,
				     const struct program_trace *trace,
				     const struct program_flow *flow, struct tr_error *err)
{
	struct program_looks_event *events = calloc(2 * trace->count + 1, sizeof(*events));
	double *free_ticks = calloc(2 * (size_t)trace->nodes + 1, sizeof(*free_ticks));
	double seen_ticks = -INFINITY, did_ticks = -INFINITY;
	enum tr_status status = TR_OK;
	size_t count;

	if (!events || !free_ticks)
		status = tr_no_memory(err, "%zu messages", trace->count);
	count = status == TR_OK ? list_events(trace, flow, free_ticks, events) : 0;
	for (size_t i = 0; i < count && status == TR_OK; i++) {
		const struct program_looks_event *event = &events[i];

		if (i > 0 && event->rank != events[i - 1].rank)
			seen_ticks = did_ticks = -INFINITY;
		if (isnan(event->end_ticks)) {
			did_ticks = event->ticks;
			continue;
		}
		if (event->ticks > seen_ticks)
			status = program_values_add(
				looks,
				fmax(0, event->end_ticks -
						fmax(event->ticks,
						     did_before(events, count, i, did_ticks))),
				err);
		seen_ticks = fmax(seen_ticks, event->end_ticks);
	}
	free(events);
	free(free_ticks);
	return status;
}
