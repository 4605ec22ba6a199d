// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --explain --pairs: the traffic matrix that a model stands for, in the columns of flitstat's.
#include "flitgen.h"

#include <math.h>

#include "gen/pairs.h"
#include "table/table.h"

#define SECONDS 1000.0 // over which bytes are counted, so that whole numbers are exact enough

static void gen_pairs_put_node(struct table *table, uint32_t node)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "node%u", node);
	table_text(table, name);
}

static struct table *gen_pairs_nodes_table(const struct pairs *pairs)
{
	struct table *table = table_new("nodes", "Nodes");

	table_columns(table, "node class role rate_bps");
	for (uint32_t i = 0; i < pairs->nodes; i++) {
		gen_pairs_put_node(table, i);
		table_text(table, pairs->classes[i]);
		table_text(table, pairs->servers[i] ? "server" : "client");
		table_real(table, pairs->rates_bps[i], 12);
	}
	return table;
}

static struct table *pairs_table(const struct pairs *pairs, double stretched)
{
	struct table *table = table_new("pairs", "Bytes on the wire in 1000 s, on average");

	table_columns(table, "src dst bytes");
	for (uint32_t i = 0; i < pairs->nodes; i++)
		for (uint32_t j = 0; j < pairs->nodes; j++) {
			const double bytes = pairs->wire_Bps[(size_t)i * pairs->nodes + j] * SECONDS / stretched;

			if (!(bytes >= 0.5) || bytes >= 0x1p63)
				continue;
			gen_pairs_put_node(table, i);
			gen_pairs_put_node(table, j);
			table_count(table, (uint64_t)llround(bytes));
		}
	return table;
}

enum tr_status gen_pairs(const struct gen_request *request, const struct model *model, const struct family *family, FILE *out,
			 struct tr_error *err)
{
	struct pairs pairs = {.nodes = 0};
	struct table *tables[2];
	enum tr_status status;

	if (!family->generator->pairs)
		return tr_fail(err,
			       "--pairs: not known of the family %s without a run: flitgen | flitstat prints the matrix of one",
			       family->name);
	status = family->generator->pairs(model, &pairs, err);
	if (status == TR_OK) {
		tables[0] = gen_pairs_nodes_table(&pairs);
		tables[1] = pairs_table(&pairs, request->stretched);
		status = tables_print(tables, 2, request->style, "flitgen", out, err);
		table_free(tables[0]);
		table_free(tables[1]);
	}
	pairs_clear(&pairs);
	return status;
}
