// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitstat.h"
#include "stat/collectives/exchange_run.h"

static enum tr_status collectives_read(struct exchange_run *run, struct tr_reader *in,
				       struct num_ratio memory_B, struct tr_error *err)
{
	const uint64_t most = (uint64_t)(memory_B.num / memory_B.den) / EXCHANGE_MESSAGE_B;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	size_t count;

	while (tr_next_block(in, &records, &count) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			const void *record = (const char *)records + i * stride;

			if (exchange_run_take(run, record, err) != TR_OK)
				return TR_ERROR;
			if (run->count > most)
				return tr_fail(err,
					       "more than %llu messages: raise --memory, or cut it "
					       "with flitcut --before",
					       (unsigned long long)most);
		}
	return TR_OK;
}

static enum tr_status collectives_print(const struct exchange_run *run, bool points,
					struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {table_new("messages", NULL),
				  table_new("collectives", "Collective operations"),
				  table_new("order", "Order of the nodes"),
				  table_new("delays", "Late nodes and slow links"),
				  table_new("unexplained", "Unexplained messages"),
				  points ? table_new("timeline", "Each operation at each node")
					 : NULL};

	exchange_tabulate_messages(tables[0], run);
	exchange_tabulate_kinds(tables[1], run);
	exchange_tabulate_order(tables[2], run);
	exchange_tabulate_delays(tables[3], run);
	exchange_tabulate_doubts(tables[4], run);
	if (points)
		exchange_tabulate_shares(tables[5], run);
	return tables_finish(tables, 5 + points, style, "flitstat", out, err);
}

enum tr_status collectives_report(struct tr_reader *in, double level, struct num_ratio memory_B,
				  bool points, bool damaged, struct table_style style, FILE *out,
				  struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	struct exchange_run run = {.list = NULL};
	enum tr_status status;

	if (header->kind != TR_MESSAGE)
		return tr_fail(err,
			       "contains %s records, expected messages: find them with "
			       "flitcap --messages",
			       tr_kind_find(header->kind)->name);
	status = collectives_read(&run, in, memory_B, err);
	if (status == TR_OK)
		status = exchange_run_find(&run, tr_reader_names(in), header, level, err);
	if (status == TR_OK && (damaged || !*tr_reader_error(in)))
		status = collectives_print(&run, points, style, out, err);
	exchange_run_clear(&run);
	return status;
}
