// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of NCCL's Inspector, the plug-in that times collective operations: an object of JSON for
// each part of an operation, any number of them in a file of each process. Learned from NVIDIA/nccl
// 5067397 (plugins/profiler/inspector/inspector_json.cc, inspector.cc), its version v4.0, and what
// its README says of v4.1 (dump_stats), v4.2 (coll_algo) and v4.4: objects without a header are of
// the communicator of the dump_stats before them.
//
// They say how long, not when, and not all operations: there are tables of them alone.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/collective_tables.h"
#include "foreign/foreign.h"
#include "foreign/json.h"
#include "value/order.h"

#define INSPECTOR_TEXT_BYTES 64u
#define INSPECTOR_VERSION "v4.4"

enum inspector_field {
	INSPECTOR_ID = 1,
	INSPECTOR_RANK = 2,
	INSPECTOR_RANKS = 4,
	INSPECTOR_HEADER = 7,
	INSPECTOR_OPERATION = 8,
	INSPECTOR_NUMBER = 16,
	INSPECTOR_BYTES = 32,
	INSPECTOR_TIME = 64,
	INSPECTOR_ALL = 127,
	INSPECTOR_MESSAGE = 128, // "p2p_perf"
	INSPECTOR_PROXY = 256,	 // "proxy_trace"
	INSPECTOR_STATS = 512,	 // "dump_stats"
	INSPECTOR_KEPT = 1024,	 // its header holds for the objects after it
};

struct inspector_reading {
	struct collective_parts *parts;
	unsigned has; // of the object, enum inspector_field
	char id[INSPECTOR_TEXT_BYTES], name[INSPECTOR_TEXT_BYTES], operation[INSPECTOR_TEXT_BYTES];
	char algorithm[INSPECTOR_TEXT_BYTES], protocol[INSPECTOR_TEXT_BYTES];
	uint64_t rank, ranks, number, bytes, time_us;
	uint64_t messages;		    // sends and receives
	uint64_t proxies;		    // what the processor did for them
	uint64_t by_cpu;		    // times by the clock of the processor
	uint64_t versions;		    // objects of another version
	char version[INSPECTOR_TEXT_BYTES]; // of the last of them
};

static const struct {
	const char *name;
	uint8_t collective;
} inspector_operations[] = {
	{"AllReduce", COLLECTIVE_ALLREDUCE},  {"AllGather", COLLECTIVE_ALLGATHER},
	{"AllGatherV", COLLECTIVE_ALLGATHER}, {"Broadcast", COLLECTIVE_BCAST},
	{"Reduce", COLLECTIVE_REDUCE},	      {"ReduceScatter", COLLECTIVE_REDUCE_SCATTER},
	{"All2All", COLLECTIVE_ALLTOALL},
};

// The end of an object: a part of an operation, or of a message, which are counted.
static enum tr_status inspector_end(struct inspector_reading *reading, struct tr_error *err)
{
	struct collective_part part = {.instance = reading->number,
				       .bytes = reading->bytes,
				       .ticks = (int64_t)reading->time_us,
				       .ranks = (uint32_t)reading->ranks,
				       .rank = (uint32_t)reading->rank};
	char name[2 * INSPECTOR_TEXT_BYTES];
	bool named;

	reading->messages += (reading->has & INSPECTOR_MESSAGE) > 0;
	reading->proxies += (reading->has & INSPECTOR_PROXY) > 0;
	if (reading->has & (INSPECTOR_MESSAGE | INSPECTOR_PROXY | INSPECTOR_STATS))
		return TR_OK;
	if ((reading->has & INSPECTOR_ALL) != INSPECTOR_ALL)
		return tr_fail(err,
			       "expected a header with id, rank and n_ranks, and coll_perf with "
			       "coll, coll_sn, coll_msg_size_bytes and coll_exec_time_us");
	if (reading->rank >= reading->ranks)
		return tr_fail(err, "expected a rank below n_ranks %" PRIu64 ", found %" PRIu64,
			       reading->ranks, reading->rank);
	part.operation = reading->operation;
	for (size_t i = 0; i < sizeof(inspector_operations) / sizeof(*inspector_operations); i++)
		if (strcmp(inspector_operations[i].name, reading->operation) == 0)
			part.operation = event_collective_word(inspector_operations[i].collective);
	if (strcmp(reading->operation, "ReduceScatter") == 0)
		part.bytes *= reading->ranks; // the dump has one block
	named = *reading->name && strcmp(reading->name, "unknown") != 0;
	(void)snprintf(name, sizeof(name), "%s%s%s", reading->id, named ? " " : "",
		       named ? reading->name : "");
	part.communicator = collective_text(reading->parts, name);
	part.operation = collective_text(reading->parts, part.operation);
	(void)snprintf(name, sizeof(name), "%s %s", reading->algorithm, reading->protocol);
	part.kernel = *reading->algorithm ? collective_text(reading->parts, name) : NULL;
	return part.communicator && part.operation && (part.kernel || !*reading->algorithm) &&
			       collective_parts_add(reading->parts, &part)
		       ? TR_OK
		       : tr_no_memory(err, "operations");
}

// The members of header, metadata and coll_perf that are read.
static enum tr_status inspector_take_member(struct inspector_reading *reading,
					    const struct json_value *value, struct tr_error *err)
{
	const struct {
		const char *key;
		unsigned field;
		char *text;
		uint64_t *count, most;
	} members[] = {
		{"header/id", INSPECTOR_ID, reading->id, NULL, 0},
		{"header/comm_name", 0, reading->name, NULL, 0},
		{"header/rank", INSPECTOR_RANK, NULL, &reading->rank, EVENTS_RANKS_MAX},
		{"header/n_ranks", INSPECTOR_RANKS, NULL, &reading->ranks, EVENTS_RANKS_MAX},
		{"metadata/inspector_output_format_version", 0, reading->version, NULL, 0},
		{"coll_perf/coll_algo", 0, reading->algorithm, NULL, 0},
		{"coll_perf/coll_proto", 0, reading->protocol, NULL, 0},
		{"coll_perf/coll", INSPECTOR_OPERATION, reading->operation, NULL, 0},
		{"coll_perf/coll_sn", INSPECTOR_NUMBER, NULL, &reading->number, INT64_MAX},
		{"coll_perf/coll_msg_size_bytes", INSPECTOR_BYTES, NULL, &reading->bytes,
		 (uint64_t)1 << 43},
		{"coll_perf/coll_exec_time_us", INSPECTOR_TIME, NULL, &reading->time_us,
		 (uint64_t)1 << 53},
	};
	size_t i = 0;

	while (i < sizeof(members) / sizeof(*members) && !json_is(value, 0, members[i].key))
		i++;
	if (i == sizeof(members) / sizeof(*members))
		return TR_OK;
	reading->has |= members[i].field;
	return members[i].text ? json_text(value, members[i].text, INSPECTOR_TEXT_BYTES, err)
			       : json_count(value, members[i].most, members[i].count, err);
}

static enum tr_status inspector_take(void *context, const struct json_value *value,
				     struct tr_error *err)
{
	struct inspector_reading *reading = context;
	char source[INSPECTOR_TEXT_BYTES];

	if (value->depth == 0 && value->kind == JSON_OPENS) {
		reading->has &= reading->has & INSPECTOR_KEPT ? INSPECTOR_KEPT | INSPECTOR_HEADER
							      : 0;
		*reading->algorithm = *reading->protocol = '\0';
	} else if (value->depth == 0 && value->kind == JSON_CLOSES) {
		return inspector_end(reading, err);
	} else if (value->depth == 0) {
		return tr_fail(err, "expected an object with header and coll_perf");
	} else if (json_is(value, 0, "header") && value->kind == JSON_OPENS) {
		reading->has &= ~(unsigned)(INSPECTOR_HEADER | INSPECTOR_KEPT);
		*reading->id = *reading->name = '\0';
	} else if (json_is(value, 0, "dump_stats")) {
		reading->has |= INSPECTOR_STATS | INSPECTOR_KEPT;
	} else if (json_is(value, 0, "proxy_trace")) {
		reading->has |= INSPECTOR_PROXY;
	} else if (json_is(value, 0, "p2p_perf")) {
		reading->has |= INSPECTOR_MESSAGE;
	} else if (json_is(value, 0, "coll_perf/coll_timing_source")) {
		if (json_text(value, source, sizeof(source), err) != TR_OK)
			return TR_ERROR;
		reading->by_cpu += strcmp(source, "kernel_gpu") != 0;
	} else if (value->depth == 2) {
		if (inspector_take_member(reading, value, err) != TR_OK)
			return TR_ERROR;
		reading->versions += json_is(value, 1, "inspector_output_format_version") &&
				     (strncmp(reading->version, INSPECTOR_VERSION, 3) != 0 ||
				      strcmp(reading->version, INSPECTOR_VERSION) > 0);
	}
	return TR_OK;
}

// ---- the whole

static int inspector_order(const void *a, const void *b)
{
	const struct collective_part *x = a, *y = b;

	ORDER_BY(strcmp(x->communicator, y->communicator), 0);
	ORDER_BY(strcmp(x->operation, y->operation), 0);
	ORDER_BY(x->rank, y->rank);
	return ORDER(x->instance, y->instance);
}

// Numbers communicators in the order of their names, and counts the numbers of operations that are
// missing in between.
static enum tr_status inspector_number(struct collective_parts *parts, uint64_t *missing,
				       struct tr_error *err)
{
	uint64_t number = 0;

	if (parts->count > 0)
		qsort(parts->items, parts->count, sizeof(*parts->items), inspector_order);
	for (size_t i = 0; i < parts->count; i++) {
		struct collective_part *part = &parts->items[i];
		const struct collective_part *last = i ? &parts->items[i - 1] : NULL;
		const bool same = last && last->communicator == part->communicator;

		number += last && !same;
		part->number = number;
		if (same && last->ranks != part->ranks)
			return tr_fail(err,
				       "communicator %s: expected n_ranks %" PRIu32
				       " as before, found %" PRIu32,
				       part->communicator, last->ranks, part->ranks);
		if (!same || last->operation != part->operation || last->rank != part->rank)
			continue;
		if (part->instance == last->instance)
			return tr_fail(err,
				       "communicator %s: %s %" PRIu64 " of rank %" PRIu32
				       " is there twice",
				       part->communicator, part->operation, part->instance,
				       part->rank);
		*missing += part->instance - last->instance - 1;
	}
	return TR_OK;
}

static enum tr_status inspector_measure(const struct foreign_input *input,
					struct collective_parts *parts, uint64_t *ticks_per_s,
					struct tr_error *err)
{
	struct inspector_reading reading = {.parts = parts};
	enum tr_status status = TR_OK;
	uint64_t missing = 0;
	char text[200];

	*ticks_per_s = 1000000;
	for (size_t i = 0; i < input->count && status == TR_OK; i++) {
		reading.has = 0;
		status = foreign_read_json(input, input->paths[i], JSON_MANY, inspector_take,
					   &reading, err);
	}
	if (status == TR_OK)
		status = inspector_number(parts, &missing, err);
	if (status != TR_OK)
		return status;
	foreign_tell(input, missing,
		     "operations are not in the dumps, by their numbers (coll_sn): the plug-in "
		     "keeps the last of each interval, above a least size");
	foreign_tell(input, reading.messages, "sends and receives left out (p2p_perf)");
	foreign_tell(input, reading.proxies, "records of the processor left out (proxy_trace)");
	foreign_tell(input, reading.by_cpu,
		     "times are by the clock of the processor, not of the device "
		     "(coll_timing_source)");
	(void)snprintf(text, sizeof(text), "objects are of version %s: read as " INSPECTOR_VERSION,
		       reading.version);
	foreign_tell(input, reading.versions, text);
	return TR_OK;
}

static bool inspector_claims(struct tr_source *source)
{
	char begin[JSON_CLAIM_BYTES + 1];

	return json_begin(source, begin) && strstr(begin, "\"header\"") &&
	       strstr(begin, "\"n_ranks\"");
}

const struct foreign_format foreign_inspector = {
	.name = "inspector",
	.summary = "dumps of NCCL's Inspector: the JSON files of the processes; tables alone",
	.claims = inspector_claims,
	.measure = inspector_measure};
