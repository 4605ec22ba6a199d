// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of flitstat, one function each. The caller frees them.
#ifndef ANALYZE_TRAFFIC_TABLES_H
#define ANALYZE_TRAFFIC_TABLES_H

#include "trace/table.h"
#include "traffic_report.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// A table with its columns.
struct table *table_with(const char *name, const char *title, const char *const *columns,
			 size_t count);

// Words for the classes by enum tr_class, and for all of them together.
extern const char *const traffic_class_names[TRAFFIC_KINDS];

// burst_tables.c
struct table *overhead_table(const struct traffic_view *view);
struct table *window_table(const struct traffic_view *view);
struct table *traffic_table(const struct traffic_view *view);
struct table *curve_table(const struct traffic_view *view);

// node_tables.c
struct table *controller_table(const struct traffic_view *view);
struct table *nodes_table(const struct traffic_view *view);
struct table *matrix_table(const struct traffic_view *view);
struct table *quantiles_table(const struct traffic_view *view);

#endif
