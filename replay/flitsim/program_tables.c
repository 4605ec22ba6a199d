// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_run.h"

#include <stdlib.h>

#include "program/program.h"
#include "table/table_rows.h"
#include "text/goal.h"

// Tables of what a finished program waited for.

#define PROGRAM_PATH_TABLES 2u

enum program_tables_part {
	PART_CONNECT,
	PART_COMPUTE,
	PART_SEND,
	PART_RECEIVE,
	PART_NETWORK,
	PART_GAP,
	PARTS
};

// The steps of the path, the last one first.
struct program_tables_way {
	const struct program *program;
	uint32_t *steps;
	size_t count;
};

static bool walk_back(struct program_tables_way *way)
{
	uint32_t last = program_last_step(way->program);
	size_t count = 0;

	for (uint32_t i = last; i != PROGRAM_NO_STEP; i = program_step(way->program, i).cause)
		count++;
	way->steps = calloc(count + 1, sizeof(*way->steps));
	if (!way->steps)
		return false;
	for (uint32_t i = last; i != PROGRAM_NO_STEP; i = program_step(way->program, i).cause)
		way->steps[way->count++] = i;
	return true;
}

static struct program_step step_at(const struct program_tables_way *way, size_t place)
{
	return program_step(way->program, way->steps[place]);
}

// When the path leaves the step.
static int64_t left_ticks(const struct program_tables_way *way, size_t place)
{
	return place == 0 ? step_at(way, 0).end_ticks : step_at(way, place - 1).since_ticks;
}

static enum program_tables_part part_of_step(const struct program_step *step)
{
	if (step->does == PROGRAM_COMPUTES)
		return PART_COMPUTE;
	return step->does == PROGRAM_RECEIVES || step->does == PROGRAM_MATCHES ? PART_RECEIVE
									       : PART_SEND;
}

static enum program_tables_part part_of_wait(const struct program_step *step)
{
	if (step->since == PROGRAM_SINCE_START)
		return PART_CONNECT;
	return step->since == PROGRAM_SINCE_MESSAGE ? PART_NETWORK : PART_GAP;
}

static struct table *program_tables_open(const char *name, const char *title,
					 const struct table_field *fields, uint64_t ticks_per_s)
{
	struct table *table = table_of(name, title, fields);

	table_set_clock(table, ticks_per_s);
	return table;
}

TABLE_ROW(path_sum, (count, steps), (us, finish_us, 9), (us, connect_us, 9), (us, compute_us, 9),
	  (us, send_us, 9), (us, receive_us, 9), (us, network_us, 9), (us, gap_us, 9));

static struct table *sum_table(const struct program_tables_way *way, uint64_t ticks_per_s)
{
	struct table *table = program_tables_open("path_sum", "The critical path, in sum",
						  path_sum_fields, ticks_per_s);
	int64_t parts[PARTS] = {0};

	for (size_t i = 0; i < way->count; i++) {
		const struct program_step step = step_at(way, i);

		parts[part_of_step(&step)] += left_ticks(way, i) - step.begin_ticks;
		parts[part_of_wait(&step)] += step.begin_ticks - step.since_ticks;
	}
	TABLE_PUT(table, path_sum, .steps = way->count,
		  .finish_us = way->count > 0 ? step_at(way, 0).end_ticks : 0,
		  .connect_us = parts[PART_CONNECT], .compute_us = parts[PART_COMPUTE],
		  .send_us = parts[PART_SEND], .receive_us = parts[PART_RECEIVE],
		  .network_us = parts[PART_NETWORK], .gap_us = parts[PART_GAP]);
	return table;
}

TABLE_ROW(path_step, (text, after), (us, wait_us, 9), (count, rank), (count, line), (text, does),
	  (some, bytes), (us, from_us, 9), (us, to_us, 9));

static void program_tables_put_step(struct table *table, const struct program_tables_way *way,
				    size_t place, const struct goal_program *goal)
{
	static const char *const does[] = {"computes", "sends",	   "requests",
					   "replies",  "receives", "matches"};
	static const char *const since[] = {"start", "need", "message", "processor", "gap"};
	const struct program_step step = step_at(way, place);
	const struct goal_op *op = &goal->ops[step.op];

	TABLE_PUT(table, path_step, .after = since[step.since],
		  .wait_us = step.begin_ticks - step.since_ticks, .rank = step.rank,
		  .line = op->line, .does = does[step.does],
		  .bytes = op->kind == GOAL_CALC ? -1 : (int64_t)op->size,
		  .from_us = step.begin_ticks, .to_us = left_ticks(way, place));
}

static struct table *steps_table(const struct program_tables_way *way,
				 const struct goal_program *goal, uint64_t ticks_per_s)
{
	struct table *table = program_tables_open("path", "The critical path", path_step_fields,
						  ticks_per_s);

	for (size_t i = way->count; i-- > 0;)
		program_tables_put_step(table, way, i, goal);
	return table;
}

// The critical path: a summary, then step by step. The caller frees them; false where memory runs
// out.
static bool program_path_tables(const struct program *program, const struct goal_program *goal,
				uint64_t ticks_per_s, struct table *tables[PROGRAM_PATH_TABLES])
{
	struct program_tables_way way = {.program = program};

	if (!walk_back(&way))
		return false;
	tables[0] = sum_table(&way, ticks_per_s);
	tables[1] = steps_table(&way, goal, ticks_per_s);
	free(way.steps);
	return true;
}

TABLE_VIEW(waits, struct program_wait, (count, rank), (count, source), (count, tag),
	   (count, messages), (us, sender_ticks, 9, "wait_sender_us"),
	   (us, network_ticks, 9, "wait_network_us"));

// Waiting times of the ranks' processors, by source and tag; NULL where memory runs out.
static struct table *program_waits_table(const struct program *program, uint64_t ticks_per_s)
{
	struct program_wait *waits;
	size_t count = program_waits(program, &waits);
	struct table *table;

	if (count == SIZE_MAX)
		return NULL;
	table = program_tables_open("waits", "For which messages the ranks waited", waits_fields,
				    ticks_per_s);
	table_list(table, waits_fields, waits, count, sizeof(*waits));
	free(waits);
	return table;
}

// The tables of a finished program.

TABLE_ROW(program_sums, (count, ranks), (count, operations), (count, ended), (count, messages),
	  (count, bytes), (count, requests_replies), (count, worms), (us, finish_us, 9),
	  (count, last_rank), (text, ended_by));

static struct table *program_tables_totals_table(const struct program_run *run)
{
	struct table *table = program_tables_open("program", "The program", program_sums_fields,
						  run->ticks_per_s);
	struct program_totals totals;

	program_totals(run->program, &totals);
	TABLE_PUT(table, program_sums, .ranks = run->goal.ranks, .operations = totals.operations,
		  .ended = totals.ended, .messages = totals.messages, .bytes = totals.message_bytes,
		  .requests_replies = totals.controls, .worms = totals.worms,
		  .finish_us = totals.finish_ticks, .last_rank = totals.finish_rank,
		  .ended_by = run->ended_by);
	return table;
}

TABLE_VIEW(ranks, struct program_rank, (us, finish_ticks, 9, "finish_us"),
	   (us, connect_ticks, 9, "connect_us"), (us, compute_ticks, 9, "compute_us"),
	   (us, send_ticks, 9, "send_us"), (us, receive_ticks, 9, "receive_us"),
	   (us, wait_sender_ticks, 9, "wait_sender_us"),
	   (us, wait_network_ticks, 9, "wait_network_us"), (us, wait_gap_ticks, 9, "wait_gap_us"),
	   (us, wait_rank_ticks, 9, "wait_rank_us"), (count, sent), (count, sent_bytes));

static struct table *program_tables_ranks_table(const struct program_run *run)
{
	struct table *table = table_new("ranks",
					"When each rank had finished, and what it did until then");

	table_set_clock(table, run->ticks_per_s);
	table_column(table, "rank");
	table_heads(table, ranks_fields);
	for (uint32_t rank = 0; rank < run->goal.ranks; rank++) {
		struct program_rank sums = *program_rank(run->program, rank);

		if (!program_rank_ended(run->program, rank))
			sums.finish_ticks = -1;
		table_count(table, rank);
		table_row(table, ranks_fields, &sums);
	}
	return table;
}

TABLE_ROW(mpi_part, (text, part), (count, packets), (count, bytes), (real, packets_percent, 6),
	  (real, bytes_percent, 6));

static void put_share(struct table *table, const char *part, struct program_share share,
		      struct program_share all)
{
	TABLE_PUT(table, mpi_part, .part = part, .packets = share.packets, .bytes = share.bytes,
		  .packets_percent = 100.0 * (double)share.packets / (double)all.packets,
		  .bytes_percent = 100.0 * (double)share.bytes / (double)all.bytes);
}

static struct program_share sum(const struct program_totals *totals, int from)
{
	struct program_share all = {0};

	for (int part = from; part < PROGRAM_PARTS; part++) {
		all.packets += totals->parts[part].packets;
		all.bytes += totals->parts[part].bytes;
	}
	return all;
}

static struct table *mpi_table(const struct program_run *run)
{
	static const char *const names[PROGRAM_PARTS] = {
		"data",	      "connection", "greeting",	       "envelope",
		"rendezvous", "request",    "acknowledgement", "closing",
		"again",      "refusal",    "congestion"};
	struct table *table = table_of("mpi", "What MPI has sent", mpi_part_fields);
	struct program_totals totals;
	struct program_share all;

	program_totals(run->program, &totals);
	all = sum(&totals, PROGRAM_DATA);
	for (int part = 0; part < PROGRAM_PARTS; part++)
		if (part < PROGRAM_RESENT || totals.parts[part].packets > 0)
			put_share(table, names[part], totals.parts[part], all);
	put_share(table, "overhead", sum(&totals, PROGRAM_DATA + 1), all);
	put_share(table, "all", all, all);
	return table;
}

TABLE_VIEW(pair, struct program_pair, (count, from), (count, to), (count, packets), (count, again),
	   (count, refused), (count, timeouts), (count, notices));
TABLE_ROW(pair_rates, (real, least_Mbps, 3), (real, last_Mbps, 3));

// The connections of RDMA whose senders went back or were given notices; NULL: there are none.
static struct table *program_tables_pairs(const struct program_run *run)
{
	const bool rates = run->params.mpi.rdma.dcqcn.on;
	struct table *table = NULL;
	struct program_pair pair;

	for (uint32_t i = 0; (i = program_next_pair(run->program, i, &pair)) != 0;) {
		if (!table) {
			table = table_of("queue_pairs",
					 "Connections that sent again, or were slowed down",
					 pair_fields);
			if (rates)
				table_heads(table, pair_rates_fields);
		}
		table_row(table, pair_fields, &pair);
		if (rates)
			TABLE_PUT(table, pair_rates, .least_Mbps = (double)pair.least_bps / 1e6,
				  .last_Mbps = (double)pair.last_bps / 1e6);
	}
	return table;
}

TABLE_ROW(rank_share, (text, part), (us, mean_us, 9), (real, percent, 6));

// What the ranks did until the last of them had finished.
static struct table *shares_table(const struct program_run *run)
{
	static const char *const names[] = {"computation", "sending", "receiving", "waiting",
					    "finished"};
	struct table *table = program_tables_open(
		"rank_shares", "Computation and communication, mean of the ranks",
		rank_share_fields, run->ticks_per_s);
	__int128 sums[sizeof(names) / sizeof(*names)] = {0};
	struct program_totals totals;
	__int128 all = 0;

	program_totals(run->program, &totals);
	for (uint32_t i = 0; i < run->goal.ranks; i++) {
		const struct program_rank *rank = program_rank(run->program, i);

		sums[0] += rank->compute_ticks;
		sums[1] += rank->send_ticks;
		sums[2] += rank->receive_ticks;
		sums[3] += (__int128)rank->connect_ticks + rank->wait_sender_ticks +
			   rank->wait_network_ticks + rank->wait_gap_ticks + rank->wait_rank_ticks;
		sums[program_rank_ended(run->program, i) ? 4 : 3] += totals.finish_ticks -
								     rank->finish_ticks;
	}
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		all += sums[i];
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		TABLE_PUT(table, rank_share, .part = names[i],
			  .mean_us = (int64_t)(sums[i] / run->goal.ranks),
			  .percent = 100.0 * (double)sums[i] / (double)all);
	return table;
}

size_t program_goal_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX])
{
	size_t count = 0;

	if ((tables[count] = job_runs_table(run)) != NULL)
		count++;
	if ((tables[count] = job_waits_table(run)) != NULL)
		count++;
	tables[count++] = program_tables_totals_table(run);
	tables[count++] = program_tables_ranks_table(run);
	if (run->options->mpi.words.count > 0)
		tables[count++] = mpi_table(run);
	tables[count] = program_tables_pairs(run);
	count += tables[count] != NULL;
	if (run->options->program.waits) {
		tables[count++] = shares_table(run);
		tables[count] = program_waits_table(run->program, run->ticks_per_s);
		if (!tables[count])
			tool_no_memory(run->tool, "the tables");
		count += tables[count] != NULL;
	}
	if (run->options->program.path) {
		if (program_path_tables(run->program, &run->goal, run->ticks_per_s, tables + count))
			count += PROGRAM_PATH_TABLES;
		else
			tool_no_memory(run->tool, "the tables");
	}
	return count;
}
