// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/stream_tables.h"

#include <stdlib.h>
#include <string.h>

#include "stream/words.h"
#include "value/ticks.h"

static const struct {
	const char *name, *title, *columns;
} stream_table_rows[TR_STREAM_TABLES] = {
	[TR_TABLE_NODES] = {"nodes", "Nodes", "node role address"},
	[TR_TABLE_FLOWS] = {"flows", "Flows", "flow src dst protocol src_port dst_port"},
	[TR_TABLE_LINKS] = {"links", "Links", "link name"},
	[TR_TABLE_COUNTERS] = {"counters", "Counters", "counter value"},
	[TR_TABLE_MADE] = {"made", "How it was made", "line"},
};

void tr_stream_tables_make(struct table *tables[TR_STREAM_TABLES], bool with_file)
{
	for (int i = 0; i < TR_STREAM_TABLES; i++) {
		tables[i] = table_new(stream_table_rows[i].name, stream_table_rows[i].title);
		if (with_file)
			table_column(tables[i], "file");
		table_columns(tables[i], stream_table_rows[i].columns);
	}
}

// The table with a new row begun.
static struct table *stream_table_row(struct table *table, const char *file)
{
	if (file)
		table_text(table, file);
	return table;
}

static void tabulate_nodes(struct table *table, const char *file, const struct tr_names *names)
{
	for (uint32_t id = 0; id < names->node_count; id++) {
		table_count(stream_table_row(table, file), id);
		table_text(table, tr_role_name(tr_names_role(names, id)));
		table_text(table, tr_names_node(names, id));
	}
}

static void tabulate_flows(struct table *table, const char *file, const struct tr_names *names)
{
	char protocol[8];

	for (uint32_t id = 0; id < names->flow_count; id++) {
		const struct tr_flow *flow = tr_names_flow(names, id);

		table_count(stream_table_row(table, file), id);
		table_text(table, tr_names_node(names, flow->src));
		table_text(table, tr_names_node(names, flow->dst));
		table_text(table, tr_protocol_format(flow->protocol, protocol, sizeof(protocol)));
		table_count(table, flow->src_port);
		table_count(table, flow->dst_port);
	}
}

static void tabulate_links(struct table *table, const char *file, const struct tr_names *names)
{
	for (uint32_t id = 0; id < names->link_count; id++) {
		const char *link = tr_names_link(names, id);

		table_count(stream_table_row(table, file), id);
		table_text(table, link ? link : "?");
	}
}

static void tabulate_counters(struct table *table, const char *file, const struct tr_names *names)
{
	for (uint32_t i = 0; i < names->counter_count; i++) {
		table_text(stream_table_row(table, file), names->counters[i].key);
		table_count(table, names->counters[i].value);
	}
}

static void tabulate_lines(struct table *table, const char *file, const char *at)
{
	while (*at) {
		size_t length = strcspn(at, "\n");
		char *line = strndup(at, length);

		if (!line)
			table_fail(table);
		table_text(stream_table_row(table, file), line);
		free(line);
		at += length + (at[length] == '\n');
	}
}

void tr_stream_tables_add(struct table *const tables[TR_STREAM_TABLES], const char *file,
			  const struct tr_names *names, const char *provenance, bool all)
{
	tabulate_nodes(tables[TR_TABLE_NODES], file, names);
	if (all) {
		tabulate_flows(tables[TR_TABLE_FLOWS], file, names);
		tabulate_links(tables[TR_TABLE_LINKS], file, names);
	}
	tabulate_counters(tables[TR_TABLE_COUNTERS], file, names);
	tabulate_lines(tables[TR_TABLE_MADE], file, provenance);
}

void tr_stream_tables_origin(struct table *table, const struct tr_header *header)
{
	int64_t ns = 0;

	if (__builtin_mul_overflow(header->origin_s, TR_NS_PER_S, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)header->origin_ns, &ns))
		table_none(table);
	else
		table_seconds(table, ns, TR_NS_PER_S);
}
