// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --explain --pairs: the traffic matrix that a model stands for, in the columns of
// flitstat's.
#include "flitgen.h"

#include <math.h>

#include "gen/pairs.h"
#include "table/table_rows.h"

#define SECONDS 1000.0 // over which bytes are counted, so that whole numbers are exact enough

TABLE_ROW(generated_node, (text, node), (text, class), (text, role), (real, rate_bps, 12));
TABLE_ROW(generated_pair, (text, src), (text, dst), (count, bytes));

static const char *gen_pairs_node(uint32_t node, char name[32])
{
	(void)snprintf(name, 32, "node%u", node);
	return name;
}

static struct table *gen_pairs_nodes_table(const struct pairs *pairs)
{
	struct table *table = table_of("nodes", "Nodes", generated_node_fields);
	char name[32];

	for (uint32_t i = 0; i < pairs->nodes; i++)
		TABLE_PUT(table, generated_node, .node = gen_pairs_node(i, name),
			  .class = pairs->classes[i],
			  .role = pairs->servers[i] ? "server" : "client",
			  .rate_bps = pairs->rates_bps[i]);
	return table;
}

static struct table *pairs_table(const struct pairs *pairs, double stretched)
{
	struct table *table = table_of("pairs", "Bytes on the wire in 1000 s, on average",
				       generated_pair_fields);
	char names[2][32];

	for (uint32_t i = 0; i < pairs->nodes; i++)
		for (uint32_t j = 0; j < pairs->nodes; j++) {
			const double bytes = pairs->wire_Bps[(size_t)i * pairs->nodes + j] *
					     SECONDS / stretched;

			if (bytes >= 0.5 && bytes < 0x1p63)
				TABLE_PUT(table, generated_pair, .src = gen_pairs_node(i, names[0]),
					  .dst = gen_pairs_node(j, names[1]),
					  .bytes = (uint64_t)llround(bytes));
		}
	return table;
}

enum tr_status gen_pairs(const struct gen_request *request, const struct model *model,
			 const struct family *family, FILE *out, struct tr_error *err)
{
	struct pairs pairs = {.nodes = 0};
	struct table *tables[2];
	enum tr_status status;

	if (!family->generator->pairs)
		return tr_fail(err,
			       "--pairs: the family %s has no matrix without a run; flitgen | "
			       "flitstat prints that of a run",
			       family->name);
	status = family->generator->pairs(model, &pairs, err);
	if (status == TR_OK) {
		tables[0] = gen_pairs_nodes_table(&pairs);
		tables[1] = pairs_table(&pairs, request->stretched);
		status = tables_finish(tables, 2, request->style, "flitgen", out, err);
	}
	pairs_clear(&pairs);
	return status;
}
