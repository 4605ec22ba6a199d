// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a stream's names and of how it was made.
#ifndef STREAM_STREAM_TABLES_H
#define STREAM_STREAM_TABLES_H

#include <stdbool.h>

#include "stream/header.h"
#include "stream/names.h"
#include "table/table.h"

enum tr_stream_table {
	TR_TABLE_NODES,
	TR_TABLE_FLOWS,
	TR_TABLE_LINKS,
	TR_TABLE_COUNTERS,
	TR_TABLE_MADE,
	TR_STREAM_TABLES,
};

// Makes the tables, to be freed by the caller; with_file: their first column is the name of the
// file.
void tr_stream_tables_make(struct table *tables[TR_STREAM_TABLES], bool with_file);

// Adds a row for each name, and for each line of the provenance. file is NULL without that column;
// only nodes and counters, not flows and links, unless all.
void tr_stream_tables_add(struct table *const tables[TR_STREAM_TABLES], const char *file,
			  const struct tr_names *names, const char *provenance, bool all);

// Adds a cell: the origin in seconds since 1970, no value if that is more than 292 years away.
void tr_stream_tables_origin(struct table *table, const struct tr_header *header);

#endif
