// SPDX-License-Identifier: GPL-3.0-or-later
// Interprets the columns of a sweep's table: measures over load, and the parameters of its runs.
#ifndef REPORT_LOAD_COLUMNS_H
#define REPORT_LOAD_COLUMNS_H

#include "report/printed_tables.h"

enum load_role {
	LOAD_NO_ROLE,	 // no parameter, or the load or the seed
	LOAD_SHARED,	 // the same in all rows
	LOAD_CONFIGURES, // distinguishes networks
	LOAD_TRAFFIC,	 // distinguishes what the networks are offered
	LOAD_FOLLOWS,	 // another parameter determines it
};

struct load_columns {
	const struct printed_table *table;
	// SIZE_MAX: the table has none.
	size_t load, class, seed, lo, hi, half, ended_by, saturated;
	size_t of[LOAD_QUANTITIES];
	size_t parameters; // columns before this one may be parameters
	enum load_role role[PRINTED_COLUMNS_MAX];
	bool class_all; // there are rows of all classes together
};

// Finds the columns of measures, and the roles of the others. Traffic are the parameters that the
// command of flitsweep gives to the programs before the simulator alone. Without a command it is a
// column of which each value occurs with all configurations, if its name says so or there are too
// many curves for a figure. Traffic alone, without a parameter of the networks, counts as
// configuration. TR_ERROR if out of memory.
enum tr_status load_columns_find(struct load_columns *c, const struct printed_table *table,
				 struct tr_error *err);

// Whether the row counts: it is of all classes, if there are such rows.
bool load_columns_wants(const struct load_columns *c, size_t row);

// The row's cells in the columns of the role, as "arity=4 routing=adaptive"; where there is one
// column, the cell alone.
void load_columns_name(const struct load_columns *c, size_t row, enum load_role role,
		       char name[LOAD_NAME_BYTES]);

// The headings of the columns of the role, with commas between them.
void load_columns_headings(const struct load_columns *c, enum load_role role, char *text,
			   size_t text_bytes);

#endif
