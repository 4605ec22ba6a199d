// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a program that has run.
#include <math.h>

#include "program_path.h"
#include "program_run.h"
#include "trace/ticks.h"

static void put_us(struct table *table, int64_t ticks, uint64_t ticks_per_s)
{
	table_real(table, 1e6 * tr_ticks_seconds(ticks, ticks_per_s), 9);
}

static void add_columns(struct table *table, const char *const *keys)
{
	for (; *keys; keys++)
		table_column(table, *keys);
}

static struct table *totals_table(const struct program_run *run)
{
	static const char *const keys[] = {"ranks", "operations", "ended",     "messages", "bytes", "requests_replies",
					   "worms", "finish_us",  "last_rank", NULL};
	struct table *table = table_new("program", "The program");
	struct program_totals totals;

	program_totals(run->program, &totals);
	add_columns(table, keys);
	table_count(table, run->goal.ranks);
	table_count(table, totals.operations);
	table_count(table, totals.ended);
	table_count(table, totals.messages);
	table_count(table, totals.message_bytes);
	table_count(table, totals.controls);
	table_count(table, totals.worms);
	put_us(table, totals.finish_ticks, run->ticks_per_s);
	table_count(table, totals.finish_rank);
	return table;
}

static struct table *ranks_table(const struct program_run *run)
{
	static const char *const keys[] = {"rank",	  "finish_us",	  "connect_us",	    "compute_us",
					   "send_us",	  "receive_us",	  "wait_sender_us", "wait_network_us",
					   "wait_gap_us", "wait_rank_us", "sent",	    "sent_bytes",
					   NULL};
	struct table *table = table_new("ranks", "When each rank had finished, and what it did until then");

	add_columns(table, keys);
	for (uint32_t rank = 0; rank < run->goal.ranks; rank++) {
		const struct program_rank *sums = program_rank(run->program, rank);
		const int64_t times[] = {sums->finish_ticks,	   sums->connect_ticks,	 sums->compute_ticks,
					 sums->send_ticks,	   sums->receive_ticks,	 sums->wait_sender_ticks,
					 sums->wait_network_ticks, sums->wait_gap_ticks, sums->wait_rank_ticks};

		table_count(table, rank);
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
			put_us(table, times[i], run->ticks_per_s);
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
	static const char *const names[PROGRAM_PARTS] = {"data",       "connection", "greeting",	"envelope",
							 "rendezvous", "request",    "acknowledgement", "closing"};
	struct table *table = table_new("mpi", "What MPI has sent");
	struct program_totals totals;
	struct program_share all;

	program_totals(run->program, &totals);
	all = sum(&totals, PROGRAM_DATA);
	add_columns(table, keys);
	for (int part = 0; part < PROGRAM_PARTS; part++)
		put_share(table, names[part], totals.parts[part], all);
	put_share(table, "overhead", sum(&totals, PROGRAM_DATA + 1), all);
	put_share(table, "all", all, all);
	return table;
}

size_t program_run_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX])
{
	size_t count = 0;

	tables[count++] = totals_table(run);
	tables[count++] = ranks_table(run);
	if (run->options->mpi.words.count > 0)
		tables[count++] = mpi_table(run);
	if (run->options->program.waits) {
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
