// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded messages of a program and its packets: what each shows and the other does not.
#include "flitfit.h"

#include <math.h>
#include <stdlib.h>

#include "gen/families/messages/messages_found.h"
#include "gen/families/program/program_fit.h"

#define SAME_RUN 0.1 // of the time of a trace
#define JOINED 0.9   // of the packets that messages would have in packets of their own: fewer are

void fit_capture_clear(struct program_capture *capture)
{
	program_trace_clear(&capture->trace);
	if (capture->packets)
		packet_sample_clear(capture->packets);
	free(capture->packets);
	free(capture->ranks);
	capture->packets = NULL;
	capture->ranks = NULL;
}

// What a message has besides its data, of messages found in packets and of the same ones recorded:
// the median of what the former are longer than the longest recorded ones that they may be, of
// those that are no shorter than recorded ones are on average.
static double fit_program_envelope(const struct program_trace *packets,
				   const struct program_trace *messages)
{
	struct column sizes = {.values = NULL}, over = {.values = NULL};
	double envelope_B, mean_B;

	for (size_t k = 0; k < messages->count; k++)
		if (messages->found[k].operation == 0)
			column_add(&sizes, (double)messages->found[k].bytes);
	mean_B = column_mean(&sizes, 0, sizes.count);
	(void)column_middle(&sizes); // sorts them
	for (size_t i = 0; i < packets->count; i++) {
		const double whole_B = (double)packets->found[i].bytes;
		size_t low = 0, high = sizes.count;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if (sizes.values[middle] <= whole_B)
				low = middle + 1;
			else
				high = middle;
		}
		if (low > 0 && whole_B - sizes.values[low - 1] <= PROGRAM_ENVELOPE_MAX &&
		    whole_B >= mean_B && !packets->found[i].granted)
			column_add(&over, whole_B - sizes.values[low - 1]);
	}
	envelope_B = over.count > 0 ? column_middle(&over) : 0;
	free(sizes.values);
	free(over.values);
	return envelope_B;
}

// Whether messages that wait for a port share packets: those of the same run have all their bytes,
// but are too few.
static bool are_joined(const struct program_trace *packets, const struct program_trace *messages)
{
	double bytes = 0, count = 0, own = 0;

	for (size_t i = 0; i < packets->count; i++) {
		bytes += (double)packets->found[i].bytes;
		count += (double)packets->found[i].packets;
	}
	for (size_t i = 0; i < messages->count; i++) {
		const struct program_found *found = &messages->found[i];

		if (found->operation)
			continue;
		bytes -= (double)found->bytes;
		own += ceil(((double)found->bytes + messages->flow.envelope_B) /
			    messages->flow.segment_B);
	}
	return bytes >= 0 && count < JOINED * own;
}

// Whether packets were captured while messages were recorded: these last as long, to a tenth.
static bool same_run(const struct program_trace *packets, const struct program_trace *messages)
{
	const double begin = (double)messages->found[0].begin_ticks,
		     end = (double)messages->found[messages->count - 1].begin_ticks,
		     first = (double)packets->found[0].begin_ticks,
		     last = (double)packets->found[packets->count - 1].begin_ticks;

	return packets->ticks_per_s == messages->ticks_per_s &&
	       fabs(first - begin) <= SAME_RUN * (end - begin) &&
	       fabs(last - end) <= SAME_RUN * (end - begin);
}

// What a trace of messages does not show it has from a trace of packets of as many nodes; of the
// same run also the packets, which its model is compared with.
static void fit_program_join_to(struct program_capture *messages, struct program_capture *packets)
{
	struct program_trace *trace = &messages->trace;

	trace->flow = packets->trace.flow;
	trace->pace_known = packets->trace.pace_known;
	trace->flow.envelope_B = fit_program_envelope(&packets->trace, trace);
	if (messages->packets || !packets->packets || !same_run(&packets->trace, trace))
		return;
	trace->flow.joins = are_joined(&packets->trace, trace);
	messages->packets = packets->packets;
	packets->packets = NULL;
}

void fit_program_join(struct program_capture *each, size_t *count)
{
	size_t kept = 0;

	for (size_t j = 0; j < *count; j++) {
		bool used = false;

		for (size_t i = 0; each[j].trace.shows_packets && i < *count; i++)
			if (!each[i].trace.shows_packets &&
			    each[i].trace.nodes == each[j].trace.nodes) {
				fit_program_join_to(&each[i], &each[j]);
				used = true;
			}
		if (used)
			fit_capture_clear(&each[j]); // it has no nodes then
	}
	for (size_t i = 0; i < *count; i++)
		if (each[i].trace.nodes > 0)
			each[kept++] = each[i];
	*count = kept;
}
