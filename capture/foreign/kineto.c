// SPDX-License-Identifier: GPL-3.0-or-later
// The files of all ranks together as events of each rank.
#include "foreign/kineto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "value/order.h"

// A call begins, or is waited for.
struct kineto_step {
	int64_t at_ns;
	uint32_t call;
	uint8_t turn; // at the same time: 0 waits, 1 begins, 2 waits for what begins then
	bool waits;
};

static int kineto_step_order(const void *a, const void *b)
{
	const struct kineto_step *x = a, *y = b;

	ORDER_BY(x->at_ns, y->at_ns);
	ORDER_BY(x->turn, y->turn);
	return ORDER(x->call, y->call);
}

// A rank waits for a call when it ends, if its device computes nothing then; otherwise before the
// next of the group, which NCCL runs after it.
static void kineto_plan(const struct kineto_call *calls, uint32_t count, struct kineto_step *steps,
			struct kineto_step **open, uint32_t groups)
{
	memset(open, 0, groups * sizeof(struct kineto_step *));
	for (uint32_t i = 0; i < count; i++) {
		const struct kineto_call *call = &calls[i];
		struct kineto_step *wait = &steps[2 * (size_t)i + 1];
		struct kineto_step **last = &open[call->group];

		steps[2 * (size_t)i] = (struct kineto_step){call->begin_ns, i, 1, false};
		*wait = (struct kineto_step){call->end_ns, i, 0, true};
		if (*last) {
			(*last)->at_ns = call->begin_ns;
			*last = NULL;
		}
		if (call->idle_ns == KINETO_NO_TIME) {
			wait->at_ns = INT64_MAX;
			*last = wait;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		struct kineto_step *wait = &steps[2 * (size_t)i + 1];

		wait->turn = wait->at_ns <= calls[i].begin_ns ? 2 : 0;
	}
	qsort(steps, 2 * (size_t)count, sizeof(*steps), kineto_step_order);
}

struct kineto_writing {
	struct kineto_trace *trace;
	struct events *events;
	struct kineto_step *steps, **open; // room for those of any rank
	uint32_t *numbers;		   // of groups, the rank's own
	int64_t now_ns, last_ns;	   // of the rank
};

static enum tr_status kineto_begin_call(struct kineto_writing *writing,
					const struct kineto_call *call, uint32_t request,
					struct tr_error *err)
{
	struct event_rank *own = &writing->events->by_rank[call->rank];
	const struct event event = {.begin_ticks = call->begin_ns,
				    .end_ticks = call->begin_ns,
				    .bytes = call->bytes,
				    .peer = call->place,
				    .communicator = writing->numbers[call->group],
				    .counts = call->counts,
				    .kind = call->kind,
				    .collective = call->collective,
				    .pending = true};

	if (events_add(writing->events, call->rank, &event, request, err) != TR_OK)
		return TR_ERROR;
	if (call->kind == EVENT_COLLECTIVE)
		own->events[own->count - 1].link = call->kernel;
	return TR_OK;
}

// What the call is to the program: waiting alone, if nothing is known of it or of its other
// members.
static bool kineto_is_left_out(const struct kineto_call *call)
{
	return call->outside || call->kind == EVENT_CALL ||
	       (call->kind != EVENT_COLLECTIVE && call->place == EVENT_NOBODY);
}

// A time that ends what was computed before.
static enum tr_status kineto_put_edge(struct kineto_writing *writing, uint32_t rank, int64_t at_ns,
				      struct tr_error *err)
{
	const struct event edge = {.kind = EVENT_CALL, .begin_ticks = at_ns, .end_ticks = at_ns};

	return events_add(writing->events, rank, &edge, 0, err);
}

static enum tr_status kineto_take_step(struct kineto_writing *writing,
				       const struct kineto_step *step,
				       const struct kineto_call *call, struct tr_error *err)
{
	struct event wait = {.kind = kineto_is_left_out(call) ? EVENT_CALL : EVENT_WAIT,
			     .peer = EVENT_ANY,
			     .tag = EVENT_ANY_TAG,
			     .bytes = UINT64_MAX,
			     .begin_ticks = call->end_ns,
			     .end_ticks = call->end_ns};

	if (!step->waits) {
		writing->now_ns = step->at_ns;
		writing->events->unsaid += kineto_is_left_out(call) && !call->outside &&
					   call->kind != EVENT_CALL;
		return kineto_is_left_out(call) ? TR_OK
						: kineto_begin_call(writing, call, step->call, err);
	}
	if (call->idle_ns != KINETO_NO_TIME) {
		wait.begin_ticks = call->idle_ns > writing->now_ns ? call->idle_ns
								   : writing->now_ns;
		writing->now_ns = call->end_ns;
	} else { // what was computed until now did not wait for it
		writing->now_ns = step->at_ns < writing->last_ns ? step->at_ns : writing->last_ns;
		if (kineto_put_edge(writing, call->rank, writing->now_ns, err) != TR_OK)
			return TR_ERROR;
	}
	return events_add(writing->events, call->rank, &wait, step->call, err);
}

// The events of a rank, count calls, between the begin and the end of what its device did.
static enum tr_status kineto_put_rank(struct kineto_writing *writing, uint32_t rank,
				      const struct kineto_call *calls, uint32_t count,
				      struct tr_error *err)
{
	struct kineto_trace *trace = writing->trace;
	int64_t first_ns = trace->spans[rank].first_ns;
	enum tr_status status = TR_OK;
	uint32_t number = 0;

	writing->last_ns = trace->spans[rank].last_ns;
	for (uint32_t i = 0; i < trace->group_count; i++)
		if (trace->groups[i].used && kineto_place(&trace->groups[i], rank) != EVENT_NOBODY)
			writing->numbers[i] = ++number; // as events_communicator gives them
	for (uint32_t i = 0; i < count; i++) {
		first_ns = calls[i].begin_ns < first_ns ? calls[i].begin_ns : first_ns;
		if (calls[i].end_ns > writing->last_ns)
			writing->last_ns = calls[i].end_ns;
	}
	if (first_ns > writing->last_ns)
		return TR_OK;
	kineto_plan(calls, count, writing->steps, writing->open, trace->group_count);
	writing->now_ns = first_ns;
	status = kineto_put_edge(writing, rank, first_ns, err);
	for (uint32_t i = 0; i < 2 * count && status == TR_OK; i++)
		status = kineto_take_step(writing, &writing->steps[i],
					  &calls[writing->steps[i].call], err);
	return status == TR_OK ? kineto_put_edge(writing, rank, writing->last_ns, err) : status;
}

// Gives the members of the groups that calls use their communicators, in the same order.
static enum tr_status kineto_put_groups(struct kineto_writing *writing, struct tr_error *err)
{
	const struct kineto_trace *trace = writing->trace;
	enum tr_status status = TR_OK;
	char text[2 * KINETO_NAME_BYTES];
	uint32_t number, name;

	for (uint32_t i = 0; i < trace->group_count && status == TR_OK; i++) {
		const struct kineto_group *group = &trace->groups[i];

		if (!group->used)
			continue;
		(void)snprintf(text, sizeof(text), "%s%s%s", group->name,
			       *group->description ? " " : "", group->description);
		status = events_word(writing->events, text, strlen(text), &name, err);
		for (uint32_t k = 0; k < group->count; k++)
			if (group->members[k] >= trace->world)
				return tr_fail(err,
					       "process group \"%s\": expected ranks below the "
					       "world_size %" PRIu32 ", found %" PRIu32,
					       group->name, trace->world, group->members[k]);
		for (uint32_t k = 0; k < group->count && status == TR_OK; k++) {
			const uint32_t rank = group->members[k];

			status = events_communicator(writing->events, rank, group->members,
						     group->count, &number, err);
			if (status == TR_OK)
				writing->events->by_rank[rank].communicators[number].name = name +
											    1;
		}
	}
	return status;
}

static enum tr_status kineto_put_events(struct kineto_trace *trace, struct events *events,
					struct tr_error *err)
{
	struct kineto_writing writing = {
		.trace = trace,
		.events = events,
		.steps = calloc(2 * (size_t)trace->calls.count + 1, sizeof(*writing.steps)),
		.open = calloc((size_t)trace->group_count + 1, sizeof(*writing.open)),
		.numbers = calloc((size_t)trace->group_count + 1, sizeof(*writing.numbers))};
	enum tr_status status = events_open(events, trace->world, KINETO_TICKS_PER_S, err);

	events_adopt(events, &trace->kept);
	memcpy(events->library, trace->library, sizeof(events->library));
	if (status == TR_OK && (!writing.steps || !writing.open || !writing.numbers))
		status = tr_no_memory(err, "calls");
	if (status == TR_OK)
		status = kineto_put_groups(&writing, err);
	for (uint32_t i = 0, rank = 0; rank < trace->world && status == TR_OK; rank++) {
		const uint32_t first = i;

		while (i < trace->calls.count && trace->calls.items[i].rank == rank)
			i++;
		status = kineto_put_rank(&writing, rank, &trace->calls.items[first], i - first,
					 err);
	}
	free(writing.steps);
	free(writing.open);
	free(writing.numbers);
	if (status == TR_OK)
		events_rebase(events);
	return status == TR_OK ? events_finish(events, err) : status;
}

// ---- the trace

static void kineto_tell(const struct kineto_trace *trace)
{
#define KINETO_TEXT(word, text) text,
	static const char *const texts[] = {KINETO_DOUBTS(KINETO_TEXT)};
	char line[300];

	for (size_t i = 0; i < KINETO_DOUBT_COUNT; i++) {
		(void)snprintf(line, sizeof(line), "%s%s", texts[i],
			       i == KINETO_UNKNOWN ? trace->unknown : "");
		foreign_tell(trace->input, trace->doubts[i], line);
	}
}

static enum tr_status kineto_read_files(struct kineto_trace *trace, struct events *events,
					struct tr_error *err)
{
	const struct foreign_input *input = trace->input;
	bool *present = NULL;
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < input->count && status == TR_OK; i++) {
		status = kineto_read_file(trace, input->paths[i], err);
		if (status == TR_OK && i == 0) {
			present = calloc(trace->world, sizeof(*present));
			trace->spans = calloc(trace->world, sizeof(*trace->spans));
			if (!present || !trace->spans)
				status = tr_no_memory(err, "%" PRIu32 " ranks", trace->world);
		}
		if (status == TR_OK && present[trace->rank])
			status = tr_fail(err, "%s: rank %" PRIu32 " is there twice",
					 input->paths[i], trace->rank);
		if (status == TR_OK) {
			present[trace->rank] = true;
			trace->spans[trace->rank] = trace->span;
		}
	}
	if (status == TR_OK && trace->calls.count == trace->doubts[KINETO_UNLINKED])
		status = tr_fail(
			err,
			"%s: expected events record_param_comms with a \"Collective name\", "
			"as PyTorch 2.3 and later write them, found none that moves data",
			input->paths[0]);
	if (status == TR_OK)
		status = kineto_know_groups(trace, err);
	if (status == TR_OK)
		status = kineto_match_operations(trace, present, err);
	if (status == TR_OK)
		status = kineto_put_events(trace, events, err);
	free(present);
	return status;
}

static enum tr_status kineto_read(const struct foreign_input *input, struct events *events,
				  struct tr_error *err)
{
	struct kineto_trace trace = {.input = input};
	enum tr_status status;

	memset(events, 0, sizeof(*events));
	status = kineto_read_files(&trace, events, err);
	if (status == TR_OK)
		kineto_tell(&trace);
	for (uint32_t i = 0; i < trace.group_count; i++)
		free(trace.groups[i].members);
	free(trace.groups);
	free(trace.calls.items);
	free(trace.spans);
	events_clear(&trace.kept);
	return status;
}

static bool kineto_claims(struct tr_source *source)
{
	char begin[JSON_CLAIM_BYTES + 1];

	return json_begin(source, begin) &&
	       (strstr(begin, "\"traceEvents\"") || strstr(begin, "\"deviceProperties\"") ||
		strstr(begin, "\"distributedInfo\"") || strstr(begin, "\"baseTimeNanoseconds\""));
}

const struct foreign_format foreign_kineto = {
	"kineto",
	"traces of PyTorch's profiler (Kineto): the JSON files of the ranks, packed by gzip or not",
	kineto_claims, kineto_read};
