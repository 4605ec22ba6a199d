// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitrun.h"

#include <stdlib.h>
#include <time.h>

#include "stat/intervals/batches.h"
#include "table/table_rows.h"
#include "value/order.h"

#define TAG 3
#define NS_PER_S UINT64_C(1000000000)

// A send or a receive of a message.
struct half {
	uint32_t source, destination, tag;
	uint32_t order; // of the begins of its rank
	int64_t time_ns;
	uint64_t bytes;
};

struct recording_message {
	struct half send;
	int64_t end_ns;
};

// Some of what a rank does: level 0 computing, 1 messages under way.
struct edge {
	int64_t time_ns;
	int step; // +1 at a begin, -1 at an end
	unsigned level;
};

// The records of all ranks in one repetition.
struct recording_taken {
	struct run_record *records;
	uint64_t *first; // of each rank, and behind the last
	struct half *sends, *receives;
	size_t send_count, receive_count;
	struct recording_message *messages;
	size_t message_count;
};

static void taken_clear(struct recording_taken *taken)
{
	free(taken->records);
	free(taken->first);
	free(taken->sends);
	free(taken->receives);
	free(taken->messages);
}

enum tr_status recording_open(struct recording *recording, size_t repetitions, struct tr_error *err)
{
	recording->sums = calloc(recording->ranks, sizeof(*recording->sums));
	recording->repetitions = calloc(repetitions + 1, sizeof(*recording->repetitions));
	return recording->sums && recording->repetitions
		       ? TR_OK
		       : tr_no_memory(err, "the sums of %u ranks", recording->ranks);
}

void recording_clear(struct recording *recording)
{
	free(recording->sums);
	free(recording->repetitions);
}

// ---- from all ranks to rank 0

static enum tr_status room_for_records(struct recording_taken *taken,
				       const struct recording *recording, struct tr_error *err)
{
	const size_t ops = (size_t)recording->operations + 1;

	taken->first = calloc((size_t)recording->ranks + 1, sizeof(*taken->first));
	taken->records = calloc(ops, sizeof(*taken->records));
	taken->sends = calloc(ops, sizeof(*taken->sends));
	taken->receives = calloc(ops, sizeof(*taken->receives));
	taken->messages = calloc(ops, sizeof(*taken->messages));
	if (taken->first && taken->records && taken->sends && taken->receives && taken->messages)
		return TR_OK;
	return tr_no_memory(err, "the records of %llu operations",
			    (unsigned long long)recording->operations);
}

// One rank after the other, so that no more than their records are in memory. Others learn by ready
// that rank 0 takes them.
static void send_records(const struct executor *executor, MPI_Datatype type)
{
	uint32_t count;
	const struct run_record *records = executor_records(executor, &count);
	int ready;

	(void)MPI_Recv(&ready, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (ready)
		(void)MPI_Send(records, (int)count, type, 0, TAG, MPI_COMM_WORLD);
}

static void recording_take_records(struct recording_taken *taken, const struct recording *recording,
				   const struct executor *executor, MPI_Datatype type, int ready)
{
	uint32_t count;
	const struct run_record *records = executor_records(executor, &count);
	uint64_t at = 0;

	for (uint32_t rank = 0; rank < recording->ranks; rank++) {
		int got = (int)count;
		MPI_Status status;

		if (rank > 0)
			(void)MPI_Send(&ready, 1, MPI_INT, (int)rank, TAG, MPI_COMM_WORLD);
		if (!ready)
			continue;
		taken->first[rank] = at;
		for (uint32_t i = 0; rank == 0 && i < count; i++)
			taken->records[i] = records[i];
		if (rank > 0) {
			(void)MPI_Recv(taken->records + at, (int)(recording->operations - at), type,
				       (int)rank, TAG, MPI_COMM_WORLD, &status);
			(void)MPI_Get_count(&status, type, &got);
		}
		at += (uint64_t)got;
		taken->first[rank + 1] = at;
	}
}

// ---- messages: the k-th send is received by the k-th receive of the same source, destination and
// tag, in the order in which the receives were posted, since MPI's messages do not overtake each
// other (MPI 3.1, 3.5)

static int compare_halves(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	ORDER_BY(x->source, y->source);
	ORDER_BY(x->destination, y->destination);
	ORDER_BY(x->tag, y->tag);
	return ORDER(x->order, y->order);
}

static bool same_channel(const struct half *a, const struct half *b)
{
	return a->source == b->source && a->destination == b->destination && a->tag == b->tag;
}

static int compare_ends(const void *a, const void *b)
{
	const struct recording_message *x = a, *y = b;

	ORDER_BY(x->end_ns, y->end_ns);
	return compare_halves(&x->send, &y->send);
}

static void find_halves(struct recording_taken *taken, uint32_t rank)
{
	for (uint64_t i = taken->first[rank]; i < taken->first[rank + 1]; i++) {
		const struct run_record *record = &taken->records[i];
		const bool sends = record->kind == GOAL_SEND;
		const struct half half = {.source = sends ? rank : record->peer,
					  .destination = sends ? record->peer : rank,
					  .tag = record->tag,
					  .order = (uint32_t)(i - taken->first[rank]),
					  .time_ns = sends ? record->begin_ns : record->end_ns,
					  .bytes = record->bytes};

		if (sends)
			taken->sends[taken->send_count++] = half;
		else if (record->kind == GOAL_RECV)
			taken->receives[taken->receive_count++] = half;
	}
}

static void pair_halves(struct recording_taken *taken)
{
	size_t r = 0;

	qsort(taken->sends, taken->send_count, sizeof(*taken->sends), compare_halves);
	qsort(taken->receives, taken->receive_count, sizeof(*taken->receives), compare_halves);
	for (size_t s = 0; s < taken->send_count; s++) {
		const struct half *send = &taken->sends[s];
		// A send that nobody receives is the last of its channel, so receives of a channel
		// are no more than its sends.
		if (r < taken->receive_count && same_channel(send, &taken->receives[r]))
			taken->messages[taken->message_count++] = (struct recording_message){
				*send, taken->receives[r++].time_ns};
	}
	qsort(taken->messages, taken->message_count, sizeof(*taken->messages), compare_ends);
}

// ---- what each rank did

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return ORDER(x->time_ns, y->time_ns);
}

static size_t recording_add_span(struct edge *edges, size_t count, unsigned level, int64_t begin_ns,
				 int64_t end_ns)
{
	edges[count] = (struct edge){begin_ns > 0 ? begin_ns : 0, 1, level};
	edges[count + 1] = (struct edge){end_ns, -1, level};
	return end_ns > 0 ? count + 2 : count;
}

// Where the time until finish_ns went: computing; else a message to or from the rank under way;
// else waiting.
static void recording_add_times(struct rank_sums *sums, struct edge *edges, size_t count,
				int64_t finish_ns)
{
	int depth[2] = {0, 0};
	int64_t at_ns = 0;

	qsort(edges, count, sizeof(*edges), compare_edges);
	for (size_t i = 0; i <= count && at_ns < finish_ns; i++) {
		const int64_t next_ns = i < count && edges[i].time_ns < finish_ns ? edges[i].time_ns
										  : finish_ns;
		const int64_t span_ns = next_ns - at_ns;

		if (depth[0] > 0)
			sums->compute_ns += span_ns;
		else if (depth[1] > 0)
			sums->transfer_ns += span_ns;
		else
			sums->wait_ns += span_ns;
		at_ns = next_ns;
		if (i < count)
			depth[edges[i].level] += edges[i].step;
	}
}

// Messages of each rank are edges of both its ends. Ranks are few, messages many: edges are filled
// rank by rank.
static enum tr_status sum_ranks(struct recording *recording, const struct recording_taken *taken,
				struct repetition *repetition, struct tr_error *err)
{
	uint64_t *at = calloc((size_t)recording->ranks + 2, sizeof(*at));
	struct edge *edges = calloc(
		2 * ((size_t)taken->first[recording->ranks] + 2 * taken->message_count) + 2,
		sizeof(*edges));
	size_t *counts = calloc(recording->ranks, sizeof(*counts));

	if (!at || !edges || !counts) {
		free(at);
		free(edges);
		free(counts);
		return tr_no_memory(err, "the times of %u ranks", recording->ranks);
	}
	for (size_t i = 0; i < taken->message_count; i++) {
		at[taken->messages[i].send.source + 1] += 2;
		at[taken->messages[i].send.destination + 1] += 2;
	}
	for (uint32_t rank = 0; rank < recording->ranks; rank++)
		at[rank + 1] += at[rank] + 2 * (taken->first[rank + 1] - taken->first[rank]);
	for (size_t i = 0; i < taken->message_count; i++) {
		const struct recording_message *message = &taken->messages[i];
		const uint32_t ends[] = {message->send.source, message->send.destination};

		for (int k = 0; k < 2; k++)
			counts[ends[k]] = recording_add_span(edges + at[ends[k]], counts[ends[k]],
							     1, message->send.time_ns,
							     message->end_ns);
	}
	for (uint32_t rank = 0; rank < recording->ranks; rank++) {
		struct rank_sums *sums = &recording->sums[rank];
		int64_t finish_ns = 0;

		for (uint64_t i = taken->first[rank]; i < taken->first[rank + 1]; i++) {
			const struct run_record *record = &taken->records[i];

			finish_ns = record->end_ns > finish_ns ? record->end_ns : finish_ns;
			if (record->kind == GOAL_CALC)
				counts[rank] = recording_add_span(edges + at[rank], counts[rank], 0,
								  record->begin_ns, record->end_ns);
			if (record->kind == GOAL_SEND) {
				sums->sent++;
				sums->sent_bytes += record->bytes;
			}
		}
		recording_add_times(sums, edges + at[rank], counts[rank], finish_ns);
		sums->finish_ns += finish_ns;
		if (finish_ns > repetition->finish_ns || rank == 0) {
			repetition->finish_ns = finish_ns;
			repetition->last_rank = rank;
		}
	}
	free(at);
	free(edges);
	free(counts);
	return TR_OK;
}

// ---- the stream, as that of flitsim --messages; the communicator is the repetition

static enum tr_status recording_open_stream(struct recording *recording, int64_t start_ns)
{
	struct timespec now;
	int64_t origin_ns;
	struct tr_header header = {.kind = TR_MESSAGE, .ticks_per_s = NS_PER_S, .unsorted = true};
	const struct tr_writer_options options = {.compress = recording->compress};

	(void)clock_gettime(CLOCK_REALTIME, &now);
	origin_ns = (int64_t)now.tv_sec * (int64_t)NS_PER_S + now.tv_nsec -
		    (clock_now_ns() - start_ns);
	header.origin_s = origin_ns / (int64_t)NS_PER_S;
	header.origin_ns = (uint32_t)(origin_ns % (int64_t)NS_PER_S);
	recording->first_ns = start_ns;
	recording->writer = tool_output(recording->tool, recording->path, &header, &options);
	for (uint32_t rank = 0; recording->writer && rank < recording->ranks; rank++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "rank%u", rank);
		if (tr_put_node(recording->writer, rank, text, TR_ROLE_UNKNOWN) != TR_OK)
			return TR_ERROR;
	}
	return recording->writer ? TR_OK : TR_ERROR;
}

static enum tr_status recording_write_messages(struct recording *recording,
					       const struct recording_taken *taken,
					       int64_t start_ns)
{
	if (!recording->path)
		return TR_OK;
	if (recording->count == 0 && recording_open_stream(recording, start_ns) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < taken->message_count; i++) {
		const struct half *send = &taken->messages[i].send;
		const int64_t since_ns = start_ns - recording->first_ns;
		const struct tr_message record = {.begin_ticks = since_ns + send->time_ns,
						  .end_ticks = since_ns + taken->messages[i].end_ns,
						  .id = tr_writer_records(recording->writer),
						  .size_bytes = send->bytes,
						  .src = send->source,
						  .dst = send->destination,
						  .tag = (int32_t)send->tag,
						  .communicator = (uint32_t)recording->count,
						  .operation = TR_OP_SEND,
						  .src_rank = send->source,
						  .dst_rank = send->destination};

		if (tr_put(recording->writer, &record) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status add_repetition(struct recording *recording, struct recording_taken *taken,
				     int64_t start_ns, const int64_t worst[2], struct tr_error *err)
{
	struct repetition *repetition = &recording->repetitions[recording->count];

	for (uint32_t rank = 0; rank < recording->ranks; rank++)
		find_halves(taken, rank);
	pair_halves(taken);
	*repetition = (struct repetition){.late_ns = worst[0],
					  .clock_ns = worst[1],
					  .messages = taken->message_count,
					  .unreceived = taken->send_count - taken->message_count};
	for (size_t i = 0; i < taken->message_count; i++)
		repetition->bytes += taken->messages[i].send.bytes;
	if (sum_ranks(recording, taken, repetition, err) != TR_OK)
		return TR_ERROR;
	if (recording_write_messages(recording, taken, start_ns) != TR_OK)
		return recording->writer ? tr_fail(err, "%s", tr_writer_error(recording->writer))
					 : TR_ERROR;
	recording->count++;
	return TR_OK;
}

enum tr_status recording_take(struct recording *recording, const struct executor *executor,
			      int64_t start_ns, int64_t clock_error_ns, struct tr_error *err)
{
	const int64_t mine[2] = {executor_late_ns(executor), clock_error_ns};
	struct recording_taken taken = {0};
	enum tr_status status = TR_OK;
	int64_t worst[2];
	MPI_Datatype type;

	(void)MPI_Reduce(mine, worst, 2, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
	(void)MPI_Type_contiguous((int)sizeof(struct run_record), MPI_BYTE, &type);
	(void)MPI_Type_commit(&type);
	if (recording) {
		status = room_for_records(&taken, recording, err);
		recording_take_records(&taken, recording, executor, type, status == TR_OK);
		if (status == TR_OK)
			status = add_repetition(recording, &taken, start_ns, worst, err);
		taken_clear(&taken);
	} else {
		send_records(executor, type);
	}
	(void)MPI_Type_free(&type);
	return status;
}

// ---- tables

TABLE_ROW(recorded, (count, ranks), (count, operations), (count, repetitions), (count, messages),
	  (count, bytes), (real, finish_us, 9), (real, finish_lo_us, 9), (real, finish_hi_us, 9),
	  (real, finish_min_us, 9));

static struct table *program_table(const struct recording *recording, int level_percent)
{
	struct table *table = table_of("program", "The program", recorded_fields);
	struct moments finish = {0};
	struct interval interval;

	for (size_t i = 0; i < recording->count; i++)
		moments_add(&finish, recording->repetitions[i].finish_ns);
	interval = interval_above(mean_interval(&finish, level_percent / 100.0), 0);
	TABLE_PUT(table, recorded, .ranks = recording->ranks, .operations = recording->operations,
		  .repetitions = recording->count, .messages = recording->repetitions[0].messages,
		  .bytes = recording->repetitions[0].bytes,
		  .finish_us = moments_mean(&finish) / 1e3, .finish_lo_us = interval.lo / 1e3,
		  .finish_hi_us = interval.hi / 1e3, .finish_min_us = (double)finish.min / 1e3);
	return table;
}

TABLE_ROW(recorded_rank, (count, rank), (real, finish_us, 9), (real, compute_us, 9),
	  (real, transfer_us, 9), (real, wait_us, 9), (count, sent), (count, sent_bytes));

static struct table *recording_ranks_table(const struct recording *recording)
{
	struct table *table = table_of(
		"ranks", "When each rank had finished, and what it did until then, in the mean",
		recorded_rank_fields);
	const double n = (double)recording->count;

	for (uint32_t rank = 0; rank < recording->ranks; rank++) {
		const struct rank_sums *sums = &recording->sums[rank];

		TABLE_PUT(table, recorded_rank, .rank = rank,
			  .finish_us = (double)sums->finish_ns / n / 1e3,
			  .compute_us = (double)sums->compute_ns / n / 1e3,
			  .transfer_us = (double)sums->transfer_ns / n / 1e3,
			  .wait_us = (double)sums->wait_ns / n / 1e3,
			  .sent = sums->sent / recording->count,
			  .sent_bytes = sums->sent_bytes / recording->count);
	}
	return table;
}

TABLE_ROW(repeated, (count, repetition), (real, finish_us, 9), (count, last_rank),
	  (real, late_us, 9), (real, clock_error_us, 9));

static struct table *repetitions_table(const struct recording *recording)
{
	struct table *table = table_of("repetitions", "The repetitions", repeated_fields);

	for (size_t i = 0; i < recording->count; i++) {
		const struct repetition *repetition = &recording->repetitions[i];

		TABLE_PUT(table, repeated, .repetition = i,
			  .finish_us = (double)repetition->finish_ns / 1e3,
			  .last_rank = repetition->last_rank,
			  .late_us = (double)repetition->late_ns / 1e3,
			  .clock_error_us = (double)repetition->clock_ns / 1e3);
	}
	return table;
}

void recording_tables(const struct recording *recording, int level_percent,
		      struct table *tables[RECORDING_TABLES])
{
	tables[0] = program_table(recording, level_percent);
	tables[1] = recording_ranks_table(recording);
	tables[2] = repetitions_table(recording);
}
