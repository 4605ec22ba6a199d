// SPDX-License-Identifier: GPL-3.0-or-later
// Events of DUMPI's calls.
#include "foreign/dumpi.h"

#include <inttypes.h>
#include <stdlib.h>

#include "foreign/dumpi_collectives.h"
#include "foreign/dumpi_communicators.h"
#include "foreign/dumpi_types.h"
#include "foreign/groups.h"
#include "value/grow.h"

#define PERSISTENT_MAX 65536u
#define OWN_REQUESTS ((uint64_t)1 << 32) // those of MPI_Sendrecv

// A request that is begun again and again.
struct persistent {
	int64_t request;
	struct event event;
};

typedef enum tr_status handler(struct dumpi_rank *rank, const struct dumpi_call *call, int kind,
			       struct tr_error *err);

struct dumpi_rank {
	struct events *events;
	uint32_t rank;
	struct dumpi_types *types;
	struct dumpi_communicators communicators;
	struct persistent *persistent;
	uint32_t persistent_count;
	uint64_t own_requests;
	const struct dumpi_calls_row *rows[DUMPI_FUNCTIONS];
};

// ---- arguments

static int64_t dumpi_calls_value_of(const struct dumpi_call *call, char meaning)
{
	return dumpi_given(call, meaning)->value;
}

// The rank's own number of a communicator; false if its members cannot be known.
static bool find_communicator(struct dumpi_rank *rank, const struct dumpi_call *call,
			      uint32_t *number)
{
	return dumpi_communicators_find(&rank->communicators, dumpi_calls_value_of(call, 'm'),
					number);
}

static struct event dumpi_calls_start(const struct dumpi_call *call, enum event_kind kind)
{
	return (struct event){.kind = (uint8_t)kind,
			      .begin_ticks = call->enter_ns,
			      .end_ticks = call->leave_ns,
			      .peer = EVENT_NOBODY};
}

static enum tr_status dumpi_calls_put(struct dumpi_rank *rank, const struct event *event,
				      uint64_t request, struct tr_error *err)
{
	return events_add(rank->events, rank->rank, event, request, err);
}

static enum tr_status put_call(struct dumpi_rank *rank, const struct dumpi_call *call, int kind,
			       struct tr_error *err)
{
	const struct event event = dumpi_calls_start(call, EVENT_CALL);

	(void)kind;
	return dumpi_calls_put(rank, &event, 0, err);
}

static enum tr_status dumpi_calls_leave_out(struct dumpi_rank *rank, const struct dumpi_call *call,
					    struct tr_error *err)
{
	rank->events->unknown_members++;
	return put_call(rank, call, 0, err);
}

// ---- messages

// Fills in a send or receive from its arguments; false if its communicator is not known.
static bool fill_message(struct dumpi_rank *rank, const struct dumpi_call *call,
			 const char *meanings, struct event *event, enum tr_status *status,
			 struct tr_error *err)
{
	bool sends = meanings[0] == 'd';
	int64_t peer = dumpi_calls_value_of(call, meanings[0]);
	int64_t tag = dumpi_calls_value_of(call, meanings[1]);

	*status = dumpi_types_count(rank->types, rank->events,
				    dumpi_calls_value_of(call, meanings[2]),
				    dumpi_calls_value_of(call, meanings[3]), &event->bytes, err);
	event->tag = !sends && tag == -1 ? EVENT_ANY_TAG : (int32_t)tag;
	event->peer = peer >= 0 ? (uint32_t)peer : !sends && peer == -1 ? EVENT_ANY : EVENT_NOBODY;
	return find_communicator(rank, call, &event->communicator);
}

// What status number i says of a receive, into the event.
static void dumpi_calls_take_status(const struct dumpi_call *call, uint32_t i, struct event *event)
{
	uint32_t count;
	const int32_t *status = dumpi_numbers(call, 'S', &count);

	if ((i + 1) * DUMPI_STATUS_NUMBERS > count)
		return;
	status += i * DUMPI_STATUS_NUMBERS;
	if (event->peer == EVENT_ANY)
		event->peer = status[DUMPI_STATUS_SOURCE] >= 0
				      ? (uint32_t)status[DUMPI_STATUS_SOURCE]
				      : EVENT_NOBODY;
	if (event->tag == EVENT_ANY_TAG && status[DUMPI_STATUS_TAG] >= 0)
		event->tag = status[DUMPI_STATUS_TAG];
	if (status[DUMPI_STATUS_BYTES] >= 0 && (uint64_t)status[DUMPI_STATUS_BYTES] <= event->bytes)
		event->bytes = (uint64_t)status[DUMPI_STATUS_BYTES];
}

static enum tr_status dumpi_calls_put_message(struct dumpi_rank *rank,
					      const struct dumpi_call *call, int kind,
					      struct tr_error *err)
{
	struct event event = dumpi_calls_start(call, (enum event_kind)kind);
	bool sends = kind == EVENT_SEND || kind == EVENT_ISEND;
	enum tr_status status;

	if (!fill_message(rank, call, sends ? "dgct" : "sgct", &event, &status, err))
		return dumpi_calls_leave_out(rank, call, err);
	if (kind == EVENT_RECV)
		dumpi_calls_take_status(call, 0, &event);
	return status == TR_OK ? dumpi_calls_put(rank, &event,
						 (uint64_t)dumpi_calls_value_of(call, 'r'), err)
			       : status;
}

static enum tr_status dumpi_calls_put_wait(struct dumpi_rank *rank, const struct dumpi_call *call,
					   int64_t request, uint32_t i, struct tr_error *err)
{
	struct event event = dumpi_calls_start(call, EVENT_WAIT);
	uint32_t count;
	const int32_t *statuses = dumpi_numbers(call, 'S', &count);

	if (request < DUMPI_FIRST_REQUEST)
		return TR_OK;
	event.peer = EVENT_ANY;
	event.tag = EVENT_ANY_TAG;
	event.bytes = UINT64_MAX;
	if ((i + 1) * DUMPI_STATUS_NUMBERS <= count &&
	    statuses[i * DUMPI_STATUS_NUMBERS + DUMPI_STATUS_CANCELLED] > 0)
		events_cancel(rank->events, rank->rank, (uint64_t)request);
	dumpi_calls_take_status(call, i, &event);
	return dumpi_calls_put(rank, &event, (uint64_t)request, err);
}

// Both at once, then a wait for both.
static enum tr_status dumpi_calls_put_exchange(struct dumpi_rank *rank,
					       const struct dumpi_call *call, int replaces,
					       struct tr_error *err)
{
	struct event send = dumpi_calls_start(call, EVENT_ISEND),
		     recv = dumpi_calls_start(call, EVENT_IRECV),
		     wait = dumpi_calls_start(call, EVENT_WAIT);
	uint64_t request = OWN_REQUESTS + 2 * rank->own_requests++;
	enum tr_status status;

	if (!fill_message(rank, call, "dgct", &send, &status, err))
		return dumpi_calls_leave_out(rank, call, err);
	if (status != TR_OK)
		return status;
	(void)fill_message(rank, call, replaces ? "sGct" : "sGCT", &recv, &status, err);
	dumpi_calls_take_status(call, 0, &recv);
	wait.peer = EVENT_ANY;
	wait.tag = EVENT_ANY_TAG;
	wait.bytes = UINT64_MAX;
	if (status != TR_OK || dumpi_calls_put(rank, &recv, request, err) != TR_OK ||
	    dumpi_calls_put(rank, &send, request + 1, err) != TR_OK ||
	    dumpi_calls_put(rank, &wait, request, err) != TR_OK)
		return TR_ERROR;
	return dumpi_calls_put(rank, &wait, request + 1, err);
}

// ---- the ends of requests

enum { ENDS_ONE, ENDS_ANY, ENDS_ALL, ENDS_SOME, TESTS = 8 };

static enum tr_status dumpi_calls_put_end(struct dumpi_rank *rank, const struct dumpi_call *call,
					  int how, struct tr_error *err)
{
	uint32_t count, done;
	const int32_t *requests = dumpi_numbers(call, 'r', &count);
	const int32_t *indices = dumpi_numbers(call, 'X', &done);
	int64_t index = dumpi_calls_value_of(call, 'x');

	if ((how & TESTS) && dumpi_calls_value_of(call, 'f') == 0)
		return put_call(rank, call, 0, err);
	switch (how & ~TESTS) {
	case ENDS_ONE:
		return dumpi_calls_put_wait(rank, call, dumpi_calls_value_of(call, 'r'), 0, err);
	case ENDS_ANY:
		return index >= 0 && index < count
			       ? dumpi_calls_put_wait(rank, call, requests[index], 0, err)
			       : TR_OK;
	case ENDS_ALL:
		for (uint32_t i = 0; i < count; i++)
			if (dumpi_calls_put_wait(rank, call, requests[i], i, err) != TR_OK)
				return TR_ERROR;
		return TR_OK;
	default:
		for (uint32_t i = 0; i < done; i++)
			if (indices[i] >= 0 && (uint32_t)indices[i] < count &&
			    dumpi_calls_put_wait(rank, call, requests[indices[i]], i, err) != TR_OK)
				return TR_ERROR;
		return TR_OK;
	}
}

// ---- requests that are begun again

static struct persistent *find_persistent(struct dumpi_rank *rank, int64_t request)
{
	for (uint32_t i = 0; i < rank->persistent_count; i++)
		if (rank->persistent[i].request == request)
			return &rank->persistent[i];
	return NULL;
}

static enum tr_status dumpi_calls_keep(struct dumpi_rank *rank, const struct dumpi_call *call,
				       int kind, struct tr_error *err)
{
	int64_t request = dumpi_calls_value_of(call, 'r');
	struct persistent *kept = find_persistent(rank, request);
	struct event event = dumpi_calls_start(call, (enum event_kind)kind);
	enum tr_status status;

	if (!fill_message(rank, call, kind == EVENT_ISEND ? "dgct" : "sgct", &event, &status, err))
		return dumpi_calls_leave_out(rank, call, err);
	if (status != TR_OK)
		return status;
	if (!kept) {
		if (rank->persistent_count == PERSISTENT_MAX)
			return tr_fail(err, "more than %u persistent requests", PERSISTENT_MAX);
		if (!GROW_BY_COUNT(rank->persistent, rank->persistent_count))
			return tr_no_memory(err, "persistent requests");
		kept = &rank->persistent[rank->persistent_count++];
	}
	*kept = (struct persistent){request, event};
	return TR_OK;
}

static enum tr_status begin_again(struct dumpi_rank *rank, const struct dumpi_call *call,
				  int64_t request, struct tr_error *err)
{
	const struct persistent *kept = find_persistent(rank, request);
	struct event event;

	if (!kept)
		return TR_OK;
	event = kept->event;
	event.begin_ticks = call->enter_ns;
	event.end_ticks = call->leave_ns;
	return dumpi_calls_put(rank, &event, (uint64_t)request, err);
}

static enum tr_status put_start(struct dumpi_rank *rank, const struct dumpi_call *call, int kind,
				struct tr_error *err)
{
	uint32_t count;
	const int32_t *requests = dumpi_numbers(call, 'r', &count);

	(void)kind;
	if (!dumpi_given(call, 'r')->many)
		return begin_again(rank, call, dumpi_calls_value_of(call, 'r'), err);
	for (uint32_t i = 0; i < count; i++)
		if (begin_again(rank, call, requests[i], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// ---- the rest

static enum tr_status dumpi_calls_put_collective(struct dumpi_rank *rank,
						 const struct dumpi_call *call, int kind,
						 struct tr_error *err)
{
	struct event event = dumpi_calls_start(call, EVENT_COLLECTIVE);

	event.collective = (uint8_t)kind;
	if (!find_communicator(rank, call, &event.communicator))
		return dumpi_calls_leave_out(rank, call, err);
	if (dumpi_given(call, 'o')->given)
		event.peer = dumpi_calls_value_of(call, 'o') >= 0
				     ? (uint32_t)dumpi_calls_value_of(call, 'o')
				     : EVENT_NOBODY;
	if (dumpi_collective_bytes(rank->types, rank->events, rank->rank, call, &event, err) !=
	    TR_OK)
		return TR_ERROR;
	return dumpi_calls_put(rank, &event, 0, err);
}

static enum tr_status dumpi_calls_put_communicator(struct dumpi_rank *rank,
						   const struct dumpi_call *call, int how,
						   struct tr_error *err)
{
	if (dumpi_communicators_call(&rank->communicators, rank->events, rank->rank, call, how,
				     err) != TR_OK)
		return TR_ERROR;
	return put_call(rank, call, 0, err);
}

static enum tr_status put_group(struct dumpi_rank *rank, const struct dumpi_call *call, int how,
				struct tr_error *err)
{
	return dumpi_communicators_group(&rank->communicators, rank->events, rank->rank, call, how,
					 err);
}

// Between windows of memory: left out.
static enum tr_status put_one_sided(struct dumpi_rank *rank, const struct dumpi_call *call,
				    int kind, struct tr_error *err)
{
	uint64_t bytes;

	if (dumpi_types_count(rank->types, rank->events, dumpi_calls_value_of(call, 'c'),
			      dumpi_calls_value_of(call, 't'), &bytes, err) != TR_OK)
		return TR_ERROR;
	rank->events->one_sided++;
	rank->events->one_sided_bytes += bytes;
	return put_call(rank, call, kind, err);
}

static enum tr_status check_rank(struct dumpi_rank *rank, const struct dumpi_call *call, int kind,
				 struct tr_error *err)
{
	uint32_t number;

	(void)kind;
	if (find_communicator(rank, call, &number) && dumpi_calls_value_of(call, 'i') >= 0)
		events_said(rank->events, rank->rank, number,
			    (uint32_t)dumpi_calls_value_of(call, 'i'));
	if (dumpi_calls_value_of(call, 'm') != DUMPI_COMM_WORLD ||
	    dumpi_calls_value_of(call, 'i') == rank->rank)
		return TR_OK;
	return tr_fail(err,
		       "expected the file of rank %" PRIu32
		       " (the files in the order of their ranks), found that of rank %" PRId64,
		       rank->rank, dumpi_calls_value_of(call, 'i'));
}

static enum tr_status put_type(struct dumpi_rank *rank, const struct dumpi_call *call, int how,
			       struct tr_error *err)
{
	return dumpi_types_call(rank->types, call, how, err);
}

// ---- functions; all others belong to computing

static const struct dumpi_calls_row {
	const char *name;
	handler *run;
	int kind;
} rows[] = {
	{"Send", dumpi_calls_put_message, EVENT_SEND},
	{"Bsend", dumpi_calls_put_message, EVENT_SEND},
	{"Ssend", dumpi_calls_put_message, EVENT_SEND},
	{"Rsend", dumpi_calls_put_message, EVENT_SEND},
	{"Recv", dumpi_calls_put_message, EVENT_RECV},
	{"Isend", dumpi_calls_put_message, EVENT_ISEND},
	{"Ibsend", dumpi_calls_put_message, EVENT_ISEND},
	{"Issend", dumpi_calls_put_message, EVENT_ISEND},
	{"Irsend", dumpi_calls_put_message, EVENT_ISEND},
	{"Irecv", dumpi_calls_put_message, EVENT_IRECV},
	{"Sendrecv", dumpi_calls_put_exchange, false},
	{"Sendrecv_replace", dumpi_calls_put_exchange, true},
	{"Wait", dumpi_calls_put_end, ENDS_ONE},
	{"Waitany", dumpi_calls_put_end, ENDS_ANY},
	{"Waitall", dumpi_calls_put_end, ENDS_ALL},
	{"Waitsome", dumpi_calls_put_end, ENDS_SOME},
	{"Test", dumpi_calls_put_end, ENDS_ONE | TESTS},
	{"Testany", dumpi_calls_put_end, ENDS_ANY | TESTS},
	{"Testall", dumpi_calls_put_end, ENDS_ALL | TESTS},
	{"Testsome", dumpi_calls_put_end, ENDS_SOME},
	{"Send_init", dumpi_calls_keep, EVENT_ISEND},
	{"Bsend_init", dumpi_calls_keep, EVENT_ISEND},
	{"Ssend_init", dumpi_calls_keep, EVENT_ISEND},
	{"Rsend_init", dumpi_calls_keep, EVENT_ISEND},
	{"Recv_init", dumpi_calls_keep, EVENT_IRECV},
	{"Start", put_start, 0},
	{"Startall", put_start, 0},
	{"Barrier", dumpi_calls_put_collective, COLLECTIVE_BARRIER},
	{"Bcast", dumpi_calls_put_collective, COLLECTIVE_BCAST},
	{"Gather", dumpi_calls_put_collective, COLLECTIVE_GATHER},
	{"Gatherv", dumpi_calls_put_collective, COLLECTIVE_GATHER},
	{"Scatter", dumpi_calls_put_collective, COLLECTIVE_SCATTER},
	{"Scatterv", dumpi_calls_put_collective, COLLECTIVE_SCATTER},
	{"Allgather", dumpi_calls_put_collective, COLLECTIVE_ALLGATHER},
	{"Allgatherv", dumpi_calls_put_collective, COLLECTIVE_ALLGATHER},
	{"Alltoall", dumpi_calls_put_collective, COLLECTIVE_ALLTOALL},
	{"Alltoallv", dumpi_calls_put_collective, COLLECTIVE_ALLTOALL},
	{"Alltoallw", dumpi_calls_put_collective, COLLECTIVE_ALLTOALL},
	{"Reduce", dumpi_calls_put_collective, COLLECTIVE_REDUCE},
	{"Allreduce", dumpi_calls_put_collective, COLLECTIVE_ALLREDUCE},
	{"Reduce_scatter", dumpi_calls_put_collective, COLLECTIVE_REDUCE_SCATTER},
	{"Scan", dumpi_calls_put_collective, COLLECTIVE_SCAN},
	{"Exscan", dumpi_calls_put_collective, COLLECTIVE_EXSCAN},
	{"Comm_dup", dumpi_calls_put_communicator, DUMPI_MADE_BY_DUP},
	{"Comm_split", dumpi_calls_put_communicator, DUMPI_MADE_BY_SPLIT},
	{"Comm_create", dumpi_calls_put_communicator, DUMPI_MADE_OF_GROUP},
	{"Graph_create", dumpi_calls_put_communicator, DUMPI_MADE_OF_SOME},
	{"Cart_create", dumpi_calls_put_communicator, DUMPI_MADE_A_GRID},
	{"Cart_sub", dumpi_calls_put_communicator, DUMPI_MADE_OF_GRID},
	{"Intercomm_create", dumpi_calls_put_communicator, DUMPI_MADE_BETWEEN},
	{"Intercomm_merge", dumpi_calls_put_communicator, DUMPI_MADE_BY_MERGE},
	{"Comm_accept", dumpi_calls_put_communicator, DUMPI_MADE_UNKNOWN},
	{"Comm_connect", dumpi_calls_put_communicator, DUMPI_MADE_UNKNOWN},
	{"Comm_spawn", dumpi_calls_put_communicator, DUMPI_MADE_UNKNOWN},
	{"Comm_spawn_multiple", dumpi_calls_put_communicator, DUMPI_MADE_UNKNOWN},
	{"Comm_group", put_group, EVENT_GROUP_OF_COMMUNICATOR},
	{"Comm_remote_group", put_group, EVENT_GROUP_OF_REMOTE},
	{"Group_incl", put_group, EVENT_GROUP_INCL},
	{"Group_excl", put_group, EVENT_GROUP_EXCL},
	{"Group_range_incl", put_group, EVENT_GROUP_RANGE_INCL},
	{"Group_range_excl", put_group, EVENT_GROUP_RANGE_EXCL},
	{"Group_union", put_group, EVENT_GROUP_UNION},
	{"Group_intersection", put_group, EVENT_GROUP_INTERSECTION},
	{"Group_difference", put_group, EVENT_GROUP_DIFFERENCE},
	{"Put", put_one_sided, 0},
	{"Get", put_one_sided, 0},
	{"Accumulate", put_one_sided, 0},
	{"Comm_rank", check_rank, 0},
	{"Init", put_call, 0},
	{"Init_thread", put_call, 0},
	{"Finalize", put_call, 0},
	{"Type_contiguous", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_vector", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_hvector", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_create_hvector", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_create_indexed_block", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_indexed", put_type, DUMPI_TYPE_LENGTHS},
	{"Type_hindexed", put_type, DUMPI_TYPE_LENGTHS},
	{"Type_create_hindexed", put_type, DUMPI_TYPE_LENGTHS},
	{"Type_struct", put_type, DUMPI_TYPE_LENGTHS},
	{"Type_create_struct", put_type, DUMPI_TYPE_LENGTHS},
	{"Type_dup", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_create_resized", put_type, DUMPI_TYPE_BLOCKS},
	{"Type_create_subarray", put_type, DUMPI_TYPE_PART},
	{"Type_create_darray", put_type, DUMPI_TYPE_SHARE},
	{"Type_size", put_type, DUMPI_TYPE_SAID},
};

enum tr_status dumpi_rank_open(struct dumpi_rank **out, struct events *events, uint32_t rank,
			       struct tr_error *err)
{
	struct dumpi_rank *made = calloc(1, sizeof(*made));
	enum tr_status status;

	*out = NULL;
	if (!made || !(made->types = dumpi_types_new())) {
		free(made);
		return tr_no_memory(err, "rank %" PRIu32, rank);
	}
	made->events = events;
	made->rank = rank;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		made->rows[dumpi_find(rows[i].name) - dumpi_functions] = &rows[i];
	status = dumpi_communicators_start(&made->communicators, events, rank, err);
	if (status == TR_OK)
		*out = made;
	else
		dumpi_rank_close(made);
	return status;
}

void dumpi_rank_type(struct dumpi_rank *rank, uint16_t type, uint64_t bytes)
{
	dumpi_types_set(rank->types, type, bytes);
}

enum tr_status dumpi_rank_call(struct dumpi_rank *rank, const struct dumpi_call *call,
			       struct tr_error *err)
{
	const struct dumpi_calls_row *row = rank->rows[call->function - dumpi_functions];

	if (row)
		return row->run(rank, call, row->kind, err);
	rank->events->by_rank[rank->rank].other_calls++;
	return TR_OK;
}

void dumpi_rank_close(struct dumpi_rank *rank)
{
	if (!rank)
		return;
	dumpi_types_free(rank->types);
	dumpi_communicators_clear(&rank->communicators);
	free(rank->persistent);
	free(rank);
}
