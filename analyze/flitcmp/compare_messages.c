// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/compare.h"
#include "table/table_rows.h"
#include "value/order.h"
#include "value/ticks.h"

#define CELLS_MOST ((size_t)1 << 26) // ranks x repetitions
#define ENDS 2u			     // of a message
#define TABLES 3u
#define DIGITS 6

// Of a rank in one repetition of one file, over the matched messages to it. In microseconds.
struct compare_messages_cell {
	double duration_us, finish_us;
	double under_way_us; // of all messages, also unmatched ones; of all ranks: until the last
			     // end
	uint64_t n;
};

// Of both files: what is summed, and the differences between the means of matched messages.
struct compare_messages_comparing {
	const struct compare_messages *messages;
	uint32_t *ranks; // sorted
	size_t rank_count;
	struct compare_messages_cell
		*cells[COMPARE_FILES]; // of rank r in repetition k: r * repetitions + k; behind the
				       // ranks those of all
	uint64_t *matched, *only[COMPARE_FILES];
	double *late_us; // sum over the matched messages of the end in the first file less that in
			 // the second
	double level;
	struct table *each; // NULL: not wanted
};

// ---- ranks

static enum tr_status compare_messages_find_ranks(struct compare_messages_comparing *c,
						  struct tr_error *err)
{
	size_t count = 0, kept = 0;

	for (size_t f = 0; f < COMPARE_FILES; f++)
		count += ENDS * c->messages->files[f].count;
	c->ranks = calloc(count, sizeof(*c->ranks));
	if (!c->ranks)
		return tr_no_memory(err, "the ranks");
	count = 0;
	for (size_t f = 0; f < COMPARE_FILES; f++)
		for (size_t i = 0; i < c->messages->files[f].count; i++) {
			c->ranks[count++] = c->messages->files[f].list[i].source;
			c->ranks[count++] = c->messages->files[f].list[i].destination;
		}
	qsort(c->ranks, count, sizeof(*c->ranks), order_u32);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || c->ranks[i] != c->ranks[kept - 1])
			c->ranks[kept++] = c->ranks[i];
	c->rank_count = kept;
	return TR_OK;
}

static size_t rank_index(const struct compare_messages_comparing *c, uint32_t rank)
{
	const uint32_t *found = bsearch(&rank, c->ranks, c->rank_count, sizeof(*c->ranks),
					order_u32);

	return (size_t)(found - c->ranks);
}

static enum tr_status open_cells(struct compare_messages_comparing *c, struct tr_error *err)
{
	const size_t rows = c->rank_count + 1;

	for (size_t f = 0; f < COMPARE_FILES; f++) {
		const size_t repetitions = c->messages->files[f].repetitions;

		if (rows * repetitions > CELLS_MOST)
			return tr_fail(
				err,
				"%s: %zu ranks in %zu communicators, expected at most %zu pairs",
				c->messages->files[f].name, c->rank_count, repetitions, CELLS_MOST);
		c->cells[f] = calloc(rows * repetitions, sizeof(*c->cells[f]));
		c->only[f] = calloc(rows, sizeof(*c->only[f]));
		if (!c->cells[f] || !c->only[f])
			return tr_no_memory(err, "%zu ranks", rows);
	}
	c->matched = calloc(rows, sizeof(*c->matched));
	c->late_us = calloc(rows, sizeof(*c->late_us));
	return c->matched && c->late_us ? TR_OK : tr_no_memory(err, "%zu ranks", rows);
}

// ---- sums

static double us(const struct compare_message_file *file, const struct compare_message *message,
		 int64_t ticks)
{
	return 1e6 *
	       tr_ticks_seconds(ticks - file->starts_ticks[message->repetition], file->ticks_per_s);
}

static void add_to(struct compare_messages_cell *cell, double begin_us, double end_us)
{
	cell->duration_us += end_us - begin_us;
	cell->finish_us = cell->n == 0 || end_us > cell->finish_us ? end_us : cell->finish_us;
	cell->n++;
}

// Means of the messages with one key in the repetitions of one file; the messages are added to the
// cells of its rank.
struct group {
	size_t count;
	double begin_us, end_us;
};

static size_t group_size(const struct compare_message_file *file, size_t at)
{
	size_t end = at;

	while (end < file->count && compare_message_keys(&file->list[end], &file->list[at]) == 0)
		end++;
	return end - at;
}

static struct group compare_messages_add_group(struct compare_messages_comparing *c, size_t f,
					       size_t at, size_t row)
{
	const struct compare_message_file *file = &c->messages->files[f];
	struct group group = {.count = group_size(file, at)};

	for (size_t i = at; i < at + group.count; i++) {
		const struct compare_message *m = &file->list[i];
		const double begin_us = us(file, m, m->begin_ticks),
			     end_us = us(file, m, m->end_ticks);

		group.begin_us += begin_us / (double)group.count;
		group.end_us += end_us / (double)group.count;
		add_to(&c->cells[f][row * file->repetitions + m->repetition], begin_us, end_us);
		add_to(&c->cells[f][c->rank_count * file->repetitions + m->repetition], begin_us,
		       end_us);
	}
	return group;
}

TABLE_ROW(each_message, (count, source), (count, destination), (whole, tag), (count, number),
	  (count, bytes), (real, begin_us, DIGITS), (real, second_begin_us, DIGITS),
	  (real, duration_us, DIGITS), (real, second_us, DIGITS), (real, late_us, DIGITS));

static void put_each(struct table *table, const struct compare_message *m,
		     const struct group groups[COMPARE_FILES])
{
	TABLE_PUT(table, each_message, .source = m->source, .destination = m->destination,
		  .tag = (int32_t)m->tag, .number = m->number, .bytes = m->size_bytes,
		  .begin_us = groups[0].begin_us, .second_begin_us = groups[1].begin_us,
		  .duration_us = groups[0].end_us - groups[0].begin_us,
		  .second_us = groups[1].end_us - groups[1].begin_us,
		  .late_us = groups[0].end_us - groups[1].end_us);
}

static void match(struct compare_messages_comparing *c)
{
	const struct compare_message_file *files = c->messages->files;
	size_t at[COMPARE_FILES] = {0, 0};

	while (at[0] < files[0].count || at[1] < files[1].count) {
		const int order = at[0] == files[0].count ? 1
				  : at[1] == files[1].count
					  ? -1
					  : compare_message_keys(&files[0].list[at[0]],
								 &files[1].list[at[1]]);
		const size_t f = order > 0;
		const size_t row = rank_index(c, files[f].list[at[f]].destination);
		struct group groups[COMPARE_FILES];

		if (order != 0) {
			const size_t count = group_size(&files[f], at[f]);

			c->only[f][row]++;
			c->only[f][c->rank_count]++;
			at[f] += count;
			continue;
		}
		for (size_t i = 0; i < COMPARE_FILES; i++)
			groups[i] = compare_messages_add_group(c, i, at[i], row);
		if (c->each)
			put_each(c->each, &files[0].list[at[0]], groups);
		c->matched[row]++;
		c->matched[c->rank_count]++;
		c->late_us[row] += groups[0].end_us - groups[1].end_us;
		c->late_us[c->rank_count] += groups[0].end_us - groups[1].end_us;
		for (size_t i = 0; i < COMPARE_FILES; i++)
			at[i] += groups[i].count;
	}
}

// ---- how long a message to or from a rank was under way

struct span {
	size_t cell;
	int64_t begin_ticks, end_ticks;
};

static int by_cell(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	ORDER_BY(x->cell, y->cell);
	return ORDER(x->begin_ticks, y->begin_ticks);
}

static enum tr_status add_under_way(struct compare_messages_comparing *c, size_t f,
				    struct tr_error *err)
{
	const struct compare_message_file *file = &c->messages->files[f];
	struct span *spans = calloc(ENDS * file->count, sizeof(*spans));
	int64_t until = 0;

	if (!spans)
		return tr_no_memory(err, "%zu messages", file->count);
	for (size_t i = 0; i < file->count; i++) {
		const struct compare_message *m = &file->list[i];
		const uint32_t ends[ENDS] = {m->source, m->destination};

		for (size_t k = 0; k < ENDS; k++)
			spans[ENDS * i + k] = (struct span){
				rank_index(c, ends[k]) * file->repetitions + m->repetition,
				m->begin_ticks, m->end_ticks};
	}
	for (size_t i = 0; i < file->count; i++) {
		const struct compare_message *m = &file->list[i];
		struct compare_messages_cell *all =
			&c->cells[f][c->rank_count * file->repetitions + m->repetition];
		const double end_us = us(file, m, m->end_ticks);

		all->under_way_us = end_us > all->under_way_us ? end_us : all->under_way_us;
	}
	qsort(spans, ENDS * file->count, sizeof(*spans), by_cell);
	for (size_t i = 0; i < ENDS * file->count; i++) {
		const struct span *span = &spans[i];
		const int64_t from = i > 0 && spans[i - 1].cell == span->cell &&
						     until > span->begin_ticks
					     ? until
					     : span->begin_ticks;

		if (i == 0 || spans[i - 1].cell != span->cell || span->end_ticks > until)
			until = span->end_ticks;
		if (span->end_ticks > from)
			c->cells[f][span->cell].under_way_us +=
				1e6 * tr_ticks_seconds(span->end_ticks - from, file->ticks_per_s);
	}
	free(spans);
	return TR_OK;
}

// ---- tables

enum value { DURATION, FINISH, UNDER_WAY };

static double compare_messages_value_of(const struct compare_messages_cell *cell, enum value value)
{
	if (value == DURATION)
		return cell->duration_us / (double)cell->n;
	return value == FINISH ? cell->finish_us : cell->under_way_us;
}

// Over the repetitions.
static struct sample compare_messages_sample_of(const struct compare_messages_comparing *c,
						size_t f, size_t row, enum value value)
{
	const uint32_t repetitions = c->messages->files[f].repetitions;
	const struct compare_messages_cell *cells = &c->cells[f][row * repetitions];
	struct sample_sums sums = {0};

	for (uint32_t k = 0; k < repetitions; k++)
		if (cells[k].n > 0 || value == UNDER_WAY)
			sample_sums_add(&sums, compare_messages_value_of(&cells[k], value));
	return sample_of_sums(&sums);
}

// Both means, and by how many percent of the second the first is larger. Returns whether they
// differ.
static bool put_pair(struct table *table, const struct compare_messages_comparing *c, size_t row,
		     enum value value)
{
	const struct sample a = compare_messages_sample_of(c, 0, row, value),
			    b = compare_messages_sample_of(c, 1, row, value);
	const struct interval interval = sample_difference(&a, &b, c->level);
	const double percent = 100 / b.mean;

	table_real(table, a.mean, DIGITS);
	table_real(table, b.mean, DIGITS);
	table_real(table, percent * (a.mean - b.mean), DIGITS);
	table_real(table, percent * interval.lo, DIGITS);
	table_real(table, percent * interval.hi, DIGITS);
	return isnan(interval.lo) ? a.mean < b.mean || a.mean > b.mean
				  : interval.lo > 0 || interval.hi < 0;
}

static void put_rank(struct table *table, const struct compare_messages_comparing *c, size_t row)
{
	if (row == c->rank_count)
		table_text(table, "all");
	else
		table_count(table, c->ranks[row]);
}

static struct table *messages_table(const struct compare_messages_comparing *c, bool *differ)
{
	struct table *table = table_new("messages", "Messages to each rank");

	table_columns(table, "rank messages only_first only_second duration_us second_us "
			     "longer_percent longer_lo longer_hi "
			     "finish_us second_finish_us later_percent later_lo later_hi late_us");
	for (size_t row = 0; row <= c->rank_count; row++) {
		bool durations, finishes;

		if (row < c->rank_count && c->matched[row] + c->only[0][row] + c->only[1][row] == 0)
			continue;
		put_rank(table, c, row);
		table_count(table, c->matched[row]);
		table_count(table, c->only[0][row]);
		table_count(table, c->only[1][row]);
		durations = put_pair(table, c, row, DURATION);
		finishes = put_pair(table, c, row, FINISH);
		table_real(table, c->late_us[row] / (double)c->matched[row], DIGITS);
		if (row == c->rank_count)
			*differ = durations || finishes || c->only[0][row] + c->only[1][row] > 0;
	}
	table_note(table, "first: %s, %u repetitions; second: %s, %u", c->messages->files[0].name,
		   c->messages->files[0].repetitions, c->messages->files[1].name,
		   c->messages->files[1].repetitions);
	return table;
}

// Until the last message of all ended.
static struct table *time_table(const struct compare_messages_comparing *c)
{
	struct table *table = table_new("time",
					"How long messages to or from each rank were under way");

	table_columns(
		table,
		"rank under_way_us second_us more_percent more_lo more_hi else_us second_else_us");
	for (size_t row = 0; row < c->rank_count; row++) {
		put_rank(table, c, row);
		(void)put_pair(table, c, row, UNDER_WAY);
		for (size_t f = 0; f < COMPARE_FILES; f++)
			table_real(table,
				   compare_messages_sample_of(c, f, c->rank_count, UNDER_WAY).mean -
					   compare_messages_sample_of(c, f, row, UNDER_WAY).mean,
				   DIGITS);
	}
	return table;
}

static enum tr_status compare_all(struct compare_messages_comparing *c,
				  struct compare_messages *messages, struct tr_error *err)
{
	for (size_t f = 0; f < COMPARE_FILES; f++)
		if (compare_messages_number(&messages->files[f], err) != TR_OK)
			return TR_ERROR;
	if (compare_messages_find_ranks(c, err) != TR_OK || open_cells(c, err) != TR_OK)
		return TR_ERROR;
	match(c);
	if (c->matched[c->rank_count] == 0)
		return tr_fail(err, "%s and %s have no message in common", messages->files[0].name,
			       messages->files[1].name);
	for (size_t f = 0; f < COMPARE_FILES; f++)
		if (add_under_way(c, f, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status compare_messages_print(struct compare_messages *messages, int level_percent,
				      bool each, struct table_style style, FILE *out, bool *differ,
				      struct tr_error *err)
{
	struct compare_messages_comparing c = {.messages = messages,
					       .level = level_percent / 100.0};
	struct table *tables[TABLES] = {NULL};
	size_t count = 0;
	enum tr_status status;

	if (messages->count != COMPARE_FILES)
		return tr_fail(err, "%s: is the only stream of messages, expected two",
			       messages->files[0].name);
	if (each)
		c.each = table_of("each", "Each message, in the mean of the repetitions",
				  each_message_fields);
	status = compare_all(&c, messages, err);
	if (status == TR_OK) {
		tables[count++] = messages_table(&c, differ);
		tables[count++] = time_table(&c);
	}
	if (c.each)
		tables[count++] = c.each;
	if (status == TR_OK)
		status = tables_print(tables, count, style, "flitcmp", out, err);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	for (size_t f = 0; f < COMPARE_FILES; f++) {
		free(c.cells[f]);
		free(c.only[f]);
	}
	free(c.ranks);
	free(c.matched);
	free(c.late_us);
	return status;
}
