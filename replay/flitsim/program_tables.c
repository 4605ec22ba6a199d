// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <math.h>
#include <stdlib.h>

#include "program/program.h"
#include "table/table.h"
#include "text/goal.h"
#include "value/ticks.h"

// Tables of what a finished program waited for.

#define PROGRAM_PATH_TABLES 2u

enum program_tables_part { PART_CONNECT, PART_COMPUTE, PART_SEND, PART_RECEIVE, PART_NETWORK, PART_GAP, PARTS };

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

	for (uint32_t i = last; i != PROGRAM_NO_STEP; i = program_step(way->program, i)->cause)
		count++;
	way->steps = calloc(count + 1, sizeof(*way->steps));
	if (!way->steps)
		return false;
	for (uint32_t i = last; i != PROGRAM_NO_STEP; i = program_step(way->program, i)->cause)
		way->steps[way->count++] = i;
	return true;
}

static const struct program_step *step_at(const struct program_tables_way *way, size_t place)
{
	return program_step(way->program, way->steps[place]);
}

// When the path leaves the step.
static int64_t left_ticks(const struct program_tables_way *way, size_t place)
{
	return place == 0 ? step_at(way, 0)->end_ticks : step_at(way, place - 1)->since_ticks;
}

static enum program_tables_part part_of_step(const struct program_step *step)
{
	if (step->does == PROGRAM_COMPUTES)
		return PART_COMPUTE;
	return step->does == PROGRAM_RECEIVES || step->does == PROGRAM_MATCHES ? PART_RECEIVE : PART_SEND;
}

static enum program_tables_part part_of_wait(const struct program_step *step)
{
	if (step->since == PROGRAM_SINCE_START)
		return PART_CONNECT;
	return step->since == PROGRAM_SINCE_MESSAGE ? PART_NETWORK : PART_GAP;
}

static void program_tables_put_us(struct table *table, int64_t ticks, uint64_t ticks_per_s)
{
	table_real(table, 1e6 * tr_ticks_seconds(ticks, ticks_per_s), 9);
}

static void program_tables_add_columns(struct table *table, const char *const *keys)
{
	for (; *keys; keys++)
		table_column(table, *keys);
}

static struct table *sum_table(const struct program_tables_way *way, uint64_t ticks_per_s)
{
	static const char *const keys[] = {"steps",	 "finish_us",  "connect_us", "compute_us", "send_us",
					   "receive_us", "network_us", "gap_us",     NULL};
	struct table *table = table_new("path_sum", "The critical path, in sum");
	int64_t parts[PARTS] = {0};

	for (size_t i = 0; i < way->count; i++) {
		const struct program_step *step = step_at(way, i);

		parts[part_of_step(step)] += left_ticks(way, i) - step->begin_ticks;
		parts[part_of_wait(step)] += step->begin_ticks - step->since_ticks;
	}
	program_tables_add_columns(table, keys);
	table_count(table, way->count);
	program_tables_put_us(table, way->count > 0 ? step_at(way, 0)->end_ticks : 0, ticks_per_s);
	for (int part = 0; part < PARTS; part++)
		program_tables_put_us(table, parts[part], ticks_per_s);
	return table;
}

static void program_tables_put_step(struct table *table, const struct program_tables_way *way, size_t place,
				    const struct goal_program *goal, uint64_t ticks_per_s)
{
	static const char *const does[] = {"computes", "sends", "requests", "replies", "receives", "matches"};
	static const char *const since[] = {"start", "need", "message", "processor", "gap"};
	const struct program_step *step = step_at(way, place);
	const struct goal_op *op = &goal->ops[step->op];

	table_text(table, since[step->since]);
	program_tables_put_us(table, step->begin_ticks - step->since_ticks, ticks_per_s);
	table_count(table, step->rank);
	table_count(table, op->line);
	table_text(table, does[step->does]);
	if (op->kind == GOAL_CALC)
		table_none(table);
	else
		table_count(table, op->size);
	program_tables_put_us(table, step->begin_ticks, ticks_per_s);
	program_tables_put_us(table, left_ticks(way, place), ticks_per_s);
}

static struct table *steps_table(const struct program_tables_way *way, const struct goal_program *goal, uint64_t ticks_per_s)
{
	static const char *const keys[] = {"after", "wait_us", "rank", "line", "does", "bytes", "from_us", "to_us", NULL};
	struct table *table = table_new("path", "The critical path");

	program_tables_add_columns(table, keys);
	for (size_t i = way->count; i-- > 0;)
		program_tables_put_step(table, way, i, goal, ticks_per_s);
	return table;
}

// The critical path: a summary, then step by step. The caller frees them; false where memory ends.
static bool program_path_tables(const struct program *program, const struct goal_program *goal, uint64_t ticks_per_s,
				struct table *tables[PROGRAM_PATH_TABLES])
{
	struct program_tables_way way = {.program = program};

	if (!walk_back(&way))
		return false;
	tables[0] = sum_table(&way, ticks_per_s);
	tables[1] = steps_table(&way, goal, ticks_per_s);
	free(way.steps);
	return true;
}

// Waiting times of the ranks' processors, by source and tag; NULL where memory ends.
static struct table *program_waits_table(const struct program *program, uint64_t ticks_per_s)
{
	static const char *const keys[] = {"rank", "source", "tag", "messages", "wait_sender_us", "wait_network_us", NULL};
	struct program_wait *waits;
	size_t count = program_waits(program, &waits);
	struct table *table;

	if (count == SIZE_MAX)
		return NULL;
	table = table_new("waits", "For which messages the ranks waited");
	program_tables_add_columns(table, keys);
	for (size_t i = 0; i < count; i++) {
		table_count(table, waits[i].rank);
		table_count(table, waits[i].source);
		table_count(table, waits[i].tag);
		table_count(table, waits[i].messages);
		program_tables_put_us(table, waits[i].sender_ticks, ticks_per_s);
		program_tables_put_us(table, waits[i].network_ticks, ticks_per_s);
	}
	free(waits);
	return table;
}

// The tables of a finished program.

static struct table *program_tables_totals_table(const struct program_run *run)
{
	static const char *const keys[] = {"ranks", "operations", "ended",     "messages", "bytes", "requests_replies",
					   "worms", "finish_us",  "last_rank", "ended_by", NULL};
	struct table *table = table_new("program", "The program");
	struct program_totals totals;

	program_totals(run->program, &totals);
	program_tables_add_columns(table, keys);
	table_count(table, run->goal.ranks);
	table_count(table, totals.operations);
	table_count(table, totals.ended);
	table_count(table, totals.messages);
	table_count(table, totals.message_bytes);
	table_count(table, totals.controls);
	table_count(table, totals.worms);
	program_tables_put_us(table, totals.finish_ticks, run->ticks_per_s);
	table_count(table, totals.finish_rank);
	table_text(table, run->ended_by);
	return table;
}

static struct table *program_tables_ranks_table(const struct program_run *run)
{
	static const char *const keys[] = {"rank",	  "finish_us",	  "connect_us",	    "compute_us",
					   "send_us",	  "receive_us",	  "wait_sender_us", "wait_network_us",
					   "wait_gap_us", "wait_rank_us", "sent",	    "sent_bytes",
					   NULL};
	struct table *table = table_new("ranks", "When each rank had finished, and what it did until then");

	program_tables_add_columns(table, keys);
	for (uint32_t rank = 0; rank < run->goal.ranks; rank++) {
		const struct program_rank *sums = program_rank(run->program, rank);
		const int64_t times[] = {sums->finish_ticks,	   sums->connect_ticks,	 sums->compute_ticks,
					 sums->send_ticks,	   sums->receive_ticks,	 sums->wait_sender_ticks,
					 sums->wait_network_ticks, sums->wait_gap_ticks, sums->wait_rank_ticks};

		table_count(table, rank);
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
			program_tables_put_us(table, times[i], run->ticks_per_s);
		table_count(table, sums->sent);
		table_count(table, sums->sent_bytes);
	}
	return table;
}

static void put_share(struct table *table, const char *part, struct program_share share, struct program_share all)
{
	table_text(table, part);
	table_count(table, share.packets);
	table_count(table, share.bytes);
	table_real(table, all.packets > 0 ? 100.0 * (double)share.packets / (double)all.packets : NAN, 6);
	table_real(table, all.bytes > 0 ? 100.0 * (double)share.bytes / (double)all.bytes : NAN, 6);
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
	static const char *const keys[] = {"part", "packets", "bytes", "packets_percent", "bytes_percent", NULL};
	static const char *const names[PROGRAM_PARTS] = {"data",    "connection",      "greeting", "envelope", "rendezvous",
							 "request", "acknowledgement", "closing",  "again"};
	struct table *table = table_new("mpi", "What MPI has sent");
	struct program_totals totals;
	struct program_share all;

	program_totals(run->program, &totals);
	all = sum(&totals, PROGRAM_DATA);
	program_tables_add_columns(table, keys);
	for (int part = 0; part < PROGRAM_PARTS; part++)
		if (part != PROGRAM_RESENT || totals.parts[part].packets > 0)
			put_share(table, names[part], totals.parts[part], all);
	put_share(table, "overhead", sum(&totals, PROGRAM_DATA + 1), all);
	put_share(table, "all", all, all);
	return table;
}

// What the ranks did until the last of them had finished.
static struct table *shares_table(const struct program_run *run)
{
	static const char *const keys[] = {"part", "mean_us", "percent", NULL};
	static const char *const names[] = {"computation", "sending", "receiving", "waiting", "finished"};
	struct table *table = table_new("rank_shares", "Computation and communication, mean of the ranks");
	__int128 sums[sizeof(names) / sizeof(*names)] = {0};
	struct program_totals totals;
	__int128 all = 0;

	program_totals(run->program, &totals);
	for (uint32_t i = 0; i < run->goal.ranks; i++) {
		const struct program_rank *rank = program_rank(run->program, i);

		sums[0] += rank->compute_ticks;
		sums[1] += rank->send_ticks;
		sums[2] += rank->receive_ticks;
		sums[3] += (__int128)rank->connect_ticks + rank->wait_sender_ticks + rank->wait_network_ticks +
			   rank->wait_gap_ticks + rank->wait_rank_ticks;
		sums[4] += totals.finish_ticks - rank->finish_ticks;
	}
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		all += sums[i];
	program_tables_add_columns(table, keys);
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		table_text(table, names[i]);
		program_tables_put_us(table, (int64_t)(sums[i] / run->goal.ranks), run->ticks_per_s);
		table_real(table, all > 0 ? 100.0 * (double)sums[i] / (double)all : NAN, 6);
	}
	return table;
}

size_t program_goal_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX])
{
	size_t count = 0;

	tables[count++] = program_tables_totals_table(run);
	tables[count++] = program_tables_ranks_table(run);
	if (run->options->mpi.words.count > 0)
		tables[count++] = mpi_table(run);
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
