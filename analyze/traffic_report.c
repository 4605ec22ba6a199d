// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic_report.h"

#include "trace/ticks.h"
#include "traffic_tables.h"

const char *const traffic_class_names[TRAFFIC_KINDS] = {"none", "data", "overhead", "all"};

struct table *table_with(const char *name, const char *title, const char *const *columns,
			 size_t count)
{
	struct table *table = table_new(name, title);

	for (size_t i = 0; i < count; i++)
		table_column(table, columns[i]);
	return table;
}

static struct table *trace_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"packets", "bytes", "duration_s", "senders_x_classes"};
	const struct traffic *traffic = view->traffic;
	const struct traffic_kind *all = &traffic->kinds[TRAFFIC_CLASSES];
	const uint64_t span = (uint64_t)traffic->last_ticks - (uint64_t)traffic->first_ticks;
	struct table *table = table_with("trace", NULL, columns, COUNT_OF(columns));

	table_count(table, all->packets);
	table_count(table, all->size_bytes);
	table_real(table, tr_ticks_seconds((int64_t)span, view->ticks_per_s), 12);
	table_count(table, traffic->stream_count);
	if (traffic->senders_unknown > 0)
		table_note(table, "%llu packets of senders beyond the table of nodes are in no burst",
			   (unsigned long long)traffic->senders_unknown);
	return table;
}

enum tr_status traffic_report(const struct traffic_view *view, struct table_style style, FILE *out,
			      struct tr_error *err)
{
	static struct table *(*const makers[])(const struct traffic_view *) = {
		trace_table,    overhead_table, window_table,   traffic_table,
		controller_table, nodes_table,  matrix_table,   quantiles_table,
	};
	struct table *tables[COUNT_OF(makers) + 1];
	size_t count = 0;
	enum tr_status status;

	for (size_t i = 0; i < COUNT_OF(makers); i++)
		tables[count++] = makers[i](view);
	if (view->show_curve)
		tables[count++] = curve_table(view);
	status = tables_print(tables, count, style, "flitstat", out, err);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}
