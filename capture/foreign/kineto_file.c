// SPDX-License-Identifier: GPL-3.0-or-later
// One file of a trace: its events as they stream by, then calls with their kernels.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "foreign/kineto.h"
#include "value/grow.h"
#include "value/order.h"

#define KINETO_TAKEN (EVENT_KINDS + 1) // a kernel of grouped calls

struct kineto_file {
	struct kineto_trace *trace;
	bool has_messages;
	uint64_t first_device; // 1 + that of the first kernel
	struct kineto_event event;
	struct kineto_calls host, device;
	struct kineto_calls launches; // of kernels, in a file with sends and receives
	struct kineto_span *spans;    // in which the device computed
	uint32_t span_count, span_room;
	uint64_t rank, world, base_ns;	    // UINT64_MAX, 0: not said
	struct process_group_reader groups; // of pg_config
};

// ---- events

static uint64_t kineto_plain(const struct kineto_event *event, enum kineto_field field)
{
	return strtoull(kineto_field(event, field), NULL, 10);
}

static enum tr_status kineto_push_call(struct kineto_calls *calls, const struct kineto_call *call,
				       struct tr_error *err)
{
	if (!GROW(calls->items, calls->room, calls->count))
		return tr_no_memory(err, "calls");
	calls->items[calls->count++] = *call;
	return TR_OK;
}

static enum tr_status kineto_add_call(struct kineto_file *file, struct kineto_calls *calls,
				      struct kineto_call *call, struct tr_error *err)
{
	struct kineto_trace *trace = file->trace;
	const char *name = kineto_field(&file->event, KINETO_COLLECTIVE);
	enum tr_status status = TR_END;

	call->id = kineto_plain(&file->event, KINETO_ID);
	if (!call->on_device || *name)
		status = kineto_take_call(trace, &file->event, call, err);
	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_END && !call->on_device) {
		if (call->kind == EVENT_KINDS && trace->doubts[KINETO_UNKNOWN]++ == 0)
			(void)snprintf(trace->unknown, sizeof(trace->unknown), "'%.40s'", name);
		return TR_OK;
	}
	if (status == TR_END)
		call->kind = EVENT_CALL;
	file->has_messages |= call->kind == EVENT_ISEND || call->kind == EVENT_IRECV;
	return kineto_push_call(calls, call, err);
}

// Of NCCL, or of AMD's RCCL, which names its kernels alike or by MSCCL.
static bool kineto_is_nccl(const char *name)
{
	return strncasecmp(name, "nccl", 4) == 0 || strncasecmp(name, "msccl", 5) == 0 ||
	       strncasecmp(name, "rccl", 4) == 0;
}

// A whole event: of the device's computing, of an operation on the host or the device, or another.
static enum tr_status kineto_end_event(struct kineto_file *file, struct tr_error *err)
{
	const struct kineto_event *event = &file->event;
	const char *name = kineto_field(event, KINETO_NAME);
	const char *category = kineto_field(event, KINETO_CATEGORY);
	const bool is_host = strcmp(name, "record_param_comms") == 0;
	const bool is_kernel = strcasecmp(category, "kernel") == 0;
	const char *copy = category + (strncasecmp(category, "gpu_", 4) == 0 ? 4 : 0);
	const bool is_copy = strcasecmp(copy, "memcpy") == 0 || strcasecmp(copy, "memset") == 0;
	const bool is_operation = is_host || (is_kernel && (event->at[KINETO_COLLECTIVE] ||
							    kineto_is_nccl(name)));
	const bool is_launch = file->has_messages && strncasecmp(category, "cuda_", 5) == 0 &&
			       strstr(name, "Launch");
	struct kineto_call call = {.host_ns = KINETO_NO_TIME,
				   .sequence = -1,
				   .place = EVENT_NOBODY,
				   .kernel = EVENT_NOBODY,
				   .on_device = !is_host};
	const uint64_t device = kineto_plain(event, KINETO_DEVICE) + 1;
	struct kineto_trace *trace = file->trace;

	if (strcmp(kineto_field(event, KINETO_PHASE), "X") != 0 ||
	    !(is_host || is_kernel || is_copy || is_launch))
		return TR_OK;
	if (kineto_time(event, KINETO_TIME, &call.begin_ns, &trace->doubts[KINETO_CUT], err) !=
		    TR_OK ||
	    kineto_time(event, KINETO_DURATION, &call.end_ns, &trace->doubts[KINETO_CUT], err) !=
		    TR_OK)
		return TR_ERROR;
	if (call.end_ns < 0)
		return tr_fail(err, "dur: expected no negative time");
	call.end_ns += call.begin_ns;
	call.nth = kineto_plain(event, KINETO_CORRELATION);
	call.thread = (uint32_t)kineto_plain(event, KINETO_THREAD);
	if (is_launch)
		return kineto_push_call(&file->launches, &call, err);
	if (is_kernel && file->first_device == 0)
		file->first_device = device;
	trace->doubts[KINETO_DEVICES] += is_kernel && file->first_device != device;
	if (is_host)
		call.host_ns = call.begin_ns;
	if (is_kernel && is_operation && // its name without its arguments
	    events_word(&trace->kept, name, strcspn(name, "(<"), &call.kernel, err) != TR_OK)
		return TR_ERROR;
	if (is_operation)
		return kineto_add_call(file, is_host ? &file->host : &file->device, &call, err);
	if (!GROW(file->spans, file->span_room, file->span_count))
		return tr_no_memory(err, "kernels");
	file->spans[file->span_count++] = (struct kineto_span){call.begin_ns, call.end_ns};
	return TR_OK;
}

static enum tr_status kineto_take_event(struct kineto_file *file, const struct json_value *value,
					struct tr_error *err)
{
	struct kineto_event *event = &file->event;

	if (value->depth == 2 && value->kind == JSON_OPENS) {
		event->used = 0;
		memset(event->at, 0, sizeof(event->at));
	}
	if (value->depth == 2 && value->kind == JSON_CLOSES)
		return kineto_end_event(file, err);
	if (value->depth == 3)
		return kineto_keep(event, 0, KINETO_ARGS, value, err);
	if (value->depth == 4 && strcmp(value->keys[2], "args") == 0)
		return kineto_keep(event, KINETO_ARGS, KINETO_FIELDS, value, err);
	return TR_OK;
}

// ---- the rest of the file

// A group of pg_config, whose ranks may be cut.
static enum tr_status kineto_take_config(void *context, const char *name,
					 const struct rank_list *ranks, struct tr_error *err)
{
	const struct kineto_file *file = context;
	uint32_t group;

	return ranks->count == 0 ? TR_OK
				 : kineto_group_find(file->trace, name, ranks->items, ranks->count,
						     &group, err);
}

static enum tr_status kineto_take(void *context, const struct json_value *value,
				  struct tr_error *err)
{
	struct kineto_file *file = context;
	const char *top = value->depth > 0 ? value->keys[0] : "";
	struct kineto_trace *trace = file->trace;
	char version[40];

	if (value->depth == 0 && value->kind != JSON_OPENS && value->kind != JSON_CLOSES)
		return tr_fail(err, "expected an object with traceEvents");
	if (value->depth > 1 && strcmp(top, "traceEvents") == 0)
		return kineto_take_event(file, value, err);
	if (value->depth > 2 && strcmp(top, "distributedInfo") == 0 &&
	    strcmp(value->keys[1], "pg_config") == 0)
		return process_groups_take(&file->groups, value, 3, err);
	if (json_is(value, 0, "baseTimeNanoseconds"))
		return json_count(value, INT64_MAX / 4, &file->base_ns, err);
	if (json_is(value, 0, "distributedInfo/rank"))
		return json_count(value, EVENTS_RANKS_MAX - 1, &file->rank, err);
	if (json_is(value, 0, "distributedInfo/world_size"))
		return json_count(value, EVENTS_RANKS_MAX, &file->world, err);
	if (json_is(value, 0, "distributedInfo/nccl_version") &&
	    json_text(value, version, sizeof(version), err) == TR_OK)
		(void)snprintf(trace->library, sizeof(trace->library), "NCCL %s", version);
	return TR_OK;
}

// ---- calls and their kernels

static int kineto_by_id(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;

	ORDER_BY(x->id, y->id);
	ORDER_BY(x->begin_ns, y->begin_ns);
	return ORDER(x->end_ns, y->end_ns);
}

static int kineto_span_order(const void *a, const void *b)
{
	const struct kineto_span *x = a, *y = b;

	ORDER_BY(x->first_ns, y->first_ns);
	return ORDER(x->last_ns, y->last_ns);
}

// The first item that does not come before the key, or the number of items.
static uint32_t kineto_first(const void *items, uint32_t count, size_t bytes, const void *key,
			     int (*order)(const void *, const void *))
{
	uint32_t low = 0, high = count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (order((const char *)items + middle * bytes, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The kernels of a call give it their times, and are no calls of their own then.
static void kineto_join(struct kineto_call *call, const struct kineto_calls *device)
{
	const struct kineto_call key = {.id = call->id, .begin_ns = INT64_MIN};
	uint32_t low = kineto_first(device->items, device->count, sizeof(key), &key, kineto_by_id);

	for (; call->id > 0 && low < device->count && device->items[low].id == call->id; low++) {
		struct kineto_call *kernel = &device->items[low];

		if (!call->on_device) {
			call->begin_ns = kernel->begin_ns;
			call->end_ns = kernel->end_ns;
			call->kernel = kernel->kernel;
		}
		if (kernel->end_ns > call->end_ns)
			call->end_ns = kernel->end_ns;
		call->on_device = true;
		kernel->kind = EVENT_KINDS;
	}
}

// Calls in the order of the host, with their kernels. A barrier without one is the call that lies
// in it, if there is one.
static void kineto_join_all(struct kineto_calls *host, const struct kineto_calls *device)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < host->count; i++) {
		struct kineto_call *call = &host->items[i];

		kineto_join(call, device);
		if (call->kind != EVENT_COLLECTIVE || call->collective != COLLECTIVE_BARRIER ||
		    call->on_device || i + 1 == host->count || call[1].end_ns > call->end_ns)
			host->items[kept++] = *call;
	}
	host->count = kept;
}

// ---- grouped calls

static int kineto_by_thread(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;

	ORDER_BY(x->thread, y->thread);
	return ORDER(x->begin_ns, y->begin_ns);
}

static int kineto_by_correlation(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;

	return ORDER(x->nth, y->nth);
}

// What the thread of a call without a kernel launched next; NULL: nothing.
static struct kineto_call *kineto_launch_of(const struct kineto_calls *launches,
					    const struct kineto_call *call)
{
	const struct kineto_call key = {.begin_ns = call->end_ns, .thread = call->thread};
	const uint32_t next = kineto_first(launches->items, launches->count, sizeof(key), &key,
					   kineto_by_thread);

	return !call->on_device && next < launches->count &&
			       launches->items[next].thread == call->thread
		       ? &launches->items[next]
		       : NULL;
}

// Calls of one group without a kernel, whose thread then launches one of which nothing is said,
// have its times.
static void kineto_join_grouped(struct kineto_file *file)
{
	struct kineto_calls *host = &file->host, *device = &file->device;
	struct kineto_calls *launches = &file->launches;

	if (launches->count == 0 || device->count == 0)
		return;
	for (uint32_t i = 0; i < launches->count; i++)
		launches->items[i].group = EVENT_NOBODY;
	qsort(launches->items, launches->count, sizeof(*launches->items), kineto_by_thread);
	qsort(device->items, device->count, sizeof(*device->items), kineto_by_correlation);
	for (uint32_t i = 0; i < host->count; i++) {
		struct kineto_call *launch = kineto_launch_of(launches, &host->items[i]);

		if (!launch)
			continue;
		launch->outside |= launch->group != EVENT_NOBODY &&
				   launch->group != host->items[i].group; // of several groups
		launch->group = host->items[i].group;
	}
	for (uint32_t i = 0; i < host->count; i++) {
		struct kineto_call *call = &host->items[i], *kernel;
		const struct kineto_call *launch = kineto_launch_of(launches, call);

		if (!launch || launch->outside)
			continue;
		kernel = bsearch(launch, device->items, device->count, sizeof(*kernel),
				 kineto_by_correlation);
		if (!kernel || (kernel->kind != EVENT_CALL && kernel->kind != KINETO_TAKEN))
			continue;
		call->begin_ns = kernel->begin_ns;
		call->end_ns = kernel->end_ns;
		call->kernel = kernel->kernel;
		call->on_device = true;
		kernel->kind = KINETO_TAKEN;
		file->trace->doubts[KINETO_GROUPED]++;
	}
}

// Calls without a kernel come no earlier than the kernels of those before them in their group.
static void kineto_put_alone(struct kineto_file *file)
{
	struct kineto_trace *trace = file->trace;

	for (uint32_t i = 0; i < trace->group_count; i++)
		trace->groups[i].after_ns = KINETO_NO_TIME;
	for (uint32_t i = 0; i < file->host.count; i++) {
		struct kineto_call *call = &file->host.items[i];
		int64_t *after_ns = &trace->groups[call->group].after_ns;

		if (!call->on_device && call->begin_ns < *after_ns) {
			call->begin_ns = *after_ns;
			call->end_ns = call->end_ns < *after_ns ? *after_ns : call->end_ns;
		}
		if (call->begin_ns > *after_ns)
			*after_ns = call->begin_ns;
	}
}

// Sorts what the device computed, without overlaps.
static void kineto_merge_spans(struct kineto_file *file)
{
	uint32_t kept = 0;

	if (file->span_count > 0)
		qsort(file->spans, file->span_count, sizeof(*file->spans), kineto_span_order);
	for (uint32_t i = 0; i < file->span_count; i++) {
		struct kineto_span *last = kept ? &file->spans[kept - 1] : NULL;

		if (!last || file->spans[i].first_ns > last->last_ns)
			file->spans[kept++] = file->spans[i];
		else if (file->spans[i].last_ns > last->last_ns)
			last->last_ns = file->spans[i].last_ns;
	}
	file->span_count = kept;
}

// From when on the device computed nothing until the end of the call.
static int64_t kineto_idle(const struct kineto_file *file, const struct kineto_call *call)
{
	const struct kineto_span key = {call->end_ns, INT64_MIN};
	const uint32_t low = kineto_first(file->spans, file->span_count, sizeof(key), &key,
					  kineto_span_order);

	if (low == 0 || file->spans[low - 1].last_ns <= call->begin_ns)
		return call->begin_ns;
	return file->spans[low - 1].last_ns >= call->end_ns ? KINETO_NO_TIME
							    : file->spans[low - 1].last_ns;
}

static enum tr_status kineto_put_call(struct kineto_file *file, struct kineto_call *call,
				      struct tr_error *err)
{
	struct kineto_trace *trace = file->trace;
	const int64_t base_ns = (int64_t)file->base_ns;

	call->rank = trace->rank;
	call->idle_ns = kineto_idle(file, call);
	call->idle_ns += call->idle_ns == KINETO_NO_TIME ? 0 : base_ns;
	call->begin_ns += base_ns;
	call->end_ns += base_ns;
	trace->doubts[KINETO_ALONE] += !call->on_device && file->device.count > 0;
	trace->doubts[KINETO_SPLIT] += call->cut;
	trace->doubts[KINETO_ROUNDED] += call->rounded;
	return kineto_push_call(&trace->calls, call, err);
}

static enum tr_status kineto_end_file(struct kineto_file *file, struct tr_error *err)
{
	struct kineto_calls *host = &file->host, *device = &file->device;
	struct kineto_trace *trace = file->trace;
	enum tr_status status = TR_OK;

	if (file->rank >= file->world)
		return tr_fail(err, "expected distributedInfo with a rank below its world_size: is "
				    "torch.distributed initialised when the profiler starts?");
	trace->rank = (uint32_t)file->rank;
	if (trace->world > 0 && trace->world != file->world)
		return tr_fail(err,
			       "expected a world_size of %" PRIu32 " as in the files before, "
			       "found %" PRIu64,
			       trace->world, file->world);
	trace->world = (uint32_t)file->world;
	kineto_merge_spans(file);
	if (device->count > 0)
		qsort(device->items, device->count, sizeof(*device->items), kineto_by_id);
	if (host->count > 0)
		qsort(host->items, host->count, sizeof(*host->items), kineto_by_time);
	kineto_join_all(host, device);
	kineto_join_grouped(file);
	kineto_put_alone(file);
	trace->doubts[KINETO_HOST] += host->count > 0 && device->count == 0;
	for (uint32_t i = 0; i < host->count && status == TR_OK; i++)
		status = kineto_put_call(file, &host->items[i], err);
	for (uint32_t i = 0; i < device->count && status == TR_OK; i++) {
		trace->doubts[KINETO_UNLINKED] += device->items[i].kind == EVENT_CALL;
		if (device->items[i].kind < EVENT_KINDS)
			status = kineto_put_call(file, &device->items[i], err);
	}
	trace->span = (struct kineto_span){INT64_MAX, INT64_MIN};
	if (file->span_count > 0)
		trace->span = (struct kineto_span){file->spans[0].first_ns + (int64_t)file->base_ns,
						   file->spans[file->span_count - 1].last_ns +
							   (int64_t)file->base_ns};
	return status;
}

enum tr_status kineto_read_file(struct kineto_trace *trace, const char *path, struct tr_error *err)
{
	struct kineto_file file = {
		.trace = trace, .rank = UINT64_MAX, .groups.take = kineto_take_config};
	struct tr_error why = {""};
	enum tr_status status;

	file.groups.context = &file;
	status = foreign_read_json(trace->input, path, JSON_ONE, kineto_take, &file, err);
	if (status == TR_OK && kineto_end_file(&file, &why) != TR_OK)
		status = tr_fail_for(err, &why, "%s: %s", path, why.text);
	free(file.event.texts);
	free(file.event.list.items);
	free(file.groups.ranks.items);
	free(file.host.items);
	free(file.device.items);
	free(file.spans);
	free(file.launches.items);
	return status;
}
