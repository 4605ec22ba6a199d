// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/components.h"

#include <string.h>

#include "stream/named_columns.h"
#include "value/num.h"

#define HOPS_MOST 65535u
#define SIZE_MOST (UINT64_C(1) << 28)

enum ping_pongs_column { NETWORK, HOPS, SWITCHES, SIZE, TIME, COLUMNS };
static enum tr_status ping_pongs_read_count(const struct tr_named_columns *table,
					    char *cells[TR_NAMED_MAX],
					    enum ping_pongs_column column, uint64_t least,
					    uint64_t most, uint32_t *out, struct tr_error *err)
{
	const char *word = cells[column];
	uint64_t value;

	if (num_parse_count(word, least, most, &value, NULL) != TR_OK)
		return tr_lines_fail(&table->lines, err,
				     "%s: expected %llu to %llu, found \"%.60s\"",
				     table->names[column], (unsigned long long)least,
				     (unsigned long long)most, word);
	*out = (uint32_t)value;
	return TR_OK;
}

static enum tr_status ping_pongs_read_row(const struct tr_named_columns *table,
					  char *cells[TR_NAMED_MAX], struct sci_ping_pong *row,
					  struct tr_error *err)
{
	const char *network = cells[NETWORK], *time = cells[TIME];

	row->torus = strcmp(network, "torus") == 0;
	if (!row->torus && strcmp(network, "ring") != 0)
		return tr_lines_fail(&table->lines, err,
				     "network: expected ring or torus, found \"%.60s\"", network);
	if (ping_pongs_read_count(table, cells, HOPS, 1, HOPS_MOST, &row->hops, err) != TR_OK ||
	    ping_pongs_read_count(table, cells, SWITCHES, 0, row->torus ? row->hops - 1 : 0,
				  &row->switches, err) != TR_OK ||
	    ping_pongs_read_count(table, cells, SIZE, 0, SIZE_MOST, &row->size_B, err) != TR_OK)
		return TR_ERROR;
	if (num_parse_real(time, &row->ns, NULL) != TR_OK || row->ns <= 0 || row->ns > 1e15)
		return tr_lines_fail(&table->lines, err,
				     "pp_ns: expected nanoseconds above zero, found \"%.60s\"",
				     time);
	return TR_OK;
}

static enum tr_status ping_pongs_add(const struct tr_named_columns *table,
				     struct sci_ping_pongs *pongs, char *cells[TR_NAMED_MAX],
				     struct tr_error *err)
{
	struct sci_ping_pong row = {0};

	if (ping_pongs_read_row(table, cells, &row, err) != TR_OK)
		return TR_ERROR;
	if (sci_ping_pongs_find(pongs, row))
		return tr_lines_fail(&table->lines, err, "a second time of this path and size");
	if (pongs->count == SCI_PING_PONGS_MAX)
		return tr_lines_fail(&table->lines, err, "more than %u rows", SCI_PING_PONGS_MAX);
	pongs->rows[pongs->count++] = row;
	return TR_OK;
}

enum tr_status sci_ping_pongs_read(struct sci_ping_pongs *pongs, struct tr_source *source,
				   struct tr_error *err)
{
	struct tr_named_columns table = {
		.lines.source = source,
		.names = {"network", "hops", "switches", "size_B", "pp_ns"},
		.printer = "flitbench --path"};
	char *cells[TR_NAMED_MAX];
	enum tr_status status;

	while ((status = tr_named_columns_next(&table, cells, err)) == TR_OK &&
	       (status = ping_pongs_add(&table, pongs, cells, err)) == TR_OK)
		continue;
	tr_lines_clear(&table.lines);
	return status == TR_END ? TR_OK : TR_ERROR;
}

const struct sci_ping_pong *sci_ping_pongs_find(const struct sci_ping_pongs *pongs,
						struct sci_ping_pong path)
{
	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];

		if (row->torus == path.torus && row->hops == path.hops &&
		    row->switches == path.switches && row->size_B == path.size_B)
			return row;
	}
	return NULL;
}
