// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks to whom, who is the controller, and what sizes and gaps there are.
#include "traffic_tables.h"

struct table *controller_table(const struct traffic_view *view)
{
	static const char *const columns[] = {
		"candidate", "found_by", "share_of_data", "next", "next_share", "blocks_led",
		"blocks", "order", "episodes_ahead", "episodes_behind", "chance_among_equals",
	};
	static const char *const bases[] = {"not found", "share", "order"};
	const struct role_finding *finding = &view->finding;
	struct table *table = table_with("controller", "who scatters and gathers", columns,
					 COUNT_OF(columns));

	if (finding->nodes < 2) {
		table_note(table, "no data between two nodes");
		return table;
	}
	table_text(table, tr_names_node(view->names, finding->node));
	table_text(table, bases[finding->basis]);
	table_real(table, finding->share, 4);
	table_text(table, tr_names_node(view->names, finding->next));
	table_real(table, finding->next_share, 4);
	table_count(table, finding->led);
	table_count(table, finding->blocks);
	table_real(table, finding->order, 4);
	table_count(table, finding->ahead);
	table_count(table, finding->behind);
	table_real(table, finding->chance, 3);
	return table;
}

struct table *nodes_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"node", "role", "data_sent_B", "data_received_B"};
	const struct role_finder *finder = &view->traffic->roles;
	struct table *table = table_with("nodes", "roles", columns, COUNT_OF(columns));

	for (uint32_t i = 0; i < view->names->node_count && i < finder->node_count; i++) {
		table_text(table, tr_names_node(view->names, i));
		table_text(table, tr_role_name((enum tr_role)view->roles[i]));
		table_count(table, finder->nodes[i].whole.sent_bytes);
		table_count(table, finder->nodes[i].whole.received_bytes);
	}
	return table;
}

struct table *matrix_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"src", "dst", "packets", "bytes", "bytes_percent"};
	const struct matrix *matrix = &view->traffic->matrix;
	const double total = (double)view->traffic->kinds[TRAFFIC_CLASSES].size_bytes;
	struct table *table = table_with("matrix", "traffic matrix", columns, COUNT_OF(columns));

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		table_text(table, tr_names_node(view->names, cell->src));
		table_text(table, tr_names_node(view->names, cell->dst));
		table_count(table, cell->packets);
		table_count(table, cell->size_bytes);
		table_real(table, 100 * (double)cell->size_bytes / total, 5);
	}
	if (matrix->rest.packets > 0)
		table_note(table, "%llu packets of pairs beyond the bound are not shown",
			   (unsigned long long)matrix->rest.packets);
	return table;
}

static const double shares[] = {0.5, 0.9, 0.99, 0.999, 0.9999};

static void add_quantiles(struct table *table, const char *class, const char *of,
			  const struct quantile *quantile, double unit)
{
	table_text(table, class);
	table_text(table, of);
	table_count(table, quantile->n);
	for (size_t i = 0; i < COUNT_OF(shares); i++)
		if (quantile->n > 0)
			table_real(table, (double)quantile_get(quantile, shares[i]) * unit, 6);
		else
			table_none(table);
	if (quantile->n > 0)
		table_real(table, (double)quantile->max * unit, 9);
	else
		table_none(table);
}

struct table *quantiles_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"class", "of", "n", "p50", "p90", "p99", "p99.9",
					      "p99.99", "max"};
	const double second = 1 / (double)view->ticks_per_s;
	struct table *table = table_with("quantiles", "sizes, and gaps between packets of a class",
					 columns, COUNT_OF(columns));

	for (size_t i = TRAFFIC_KINDS; i-- > 0;) {
		const struct traffic_kind *kind = &view->traffic->kinds[i];

		if (kind->packets == 0)
			continue;
		add_quantiles(table, traffic_class_names[i], "size_B", &kind->sizes, 1);
		add_quantiles(table, traffic_class_names[i], "gap_s", &kind->gaps, second);
	}
	table_note(table, "relative error of a quantile: at most 1/%d", 2 << QUANTILE_BITS);
	return table;
}
