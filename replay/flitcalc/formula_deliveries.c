// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <stdlib.h>

#include "net/lone_worm.h"
#include "stat/intervals/batches.h"
#include "table/table_rows.h"
#include "value/ticks.h"

#define OCTAVES 32u
#define SWITCHES_MAX 64u
#define EMPTY_B 40u // size of a packet without payload: headers of IP and TCP
#define DIGITS 8

// Worms of one octave of sizes through the same number of switches.
struct formula_deliveries_cell {
	struct batches taken_ticks;
	struct batches waited_ticks; // beyond the formula
	__int128 formula_ticks;
	uint64_t size_bytes;
};

struct formula_deliveries {
	const struct formula_request *request;
	struct formula_deliveries_cell cells[SWITCHES_MAX][OCTAVES];
	uint64_t beyond;      // worms through more switches than the table has
	uint64_t ticks_per_s; // of both clocks
	int64_t factor;	      // from the stream's
	struct fabric_formula formula;
};

enum tr_status formula_deliveries_open(struct formula_deliveries **deliveries,
				       const struct formula_request *request, struct tr_error *err)
{
	*deliveries = calloc(1, sizeof(**deliveries));
	if (!*deliveries)
		return tr_no_memory(err, "the formula");
	(*deliveries)->request = request;
	return TR_OK;
}

static enum tr_status set_clock(struct formula_deliveries *deliveries, uint64_t ticks_per_s,
				const char *name, struct tr_error *err)
{
	struct formula_request request = *deliveries->request;

	if (deliveries->ticks_per_s == 0) {
		if (!tr_ticks_lcm(request.setup.ticks_per_s, ticks_per_s,
				  &request.setup.ticks_per_s))
			return tr_fail(err,
				       "%s: no clock has whole ticks for both its times and those "
				       "of the model",
				       name);
		deliveries->ticks_per_s = request.setup.ticks_per_s;
		return fabric_formula_open(&deliveries->formula, request.fabric->kind,
					   &request.setup, err);
	}
	if (deliveries->ticks_per_s % ticks_per_s != 0)
		return tr_fail(err, "%s: its clock differs from that of the first input", name);
	return TR_OK;
}

static unsigned octave(uint32_t size_bytes)
{
	return 31 - (unsigned)__builtin_clz(size_bytes);
}

enum tr_status formula_deliveries_begin(struct formula_deliveries *deliveries, struct tr_reader *in,
					struct tr_error *err)
{
	const uint64_t ticks_per_s = tr_reader_header(in)->ticks_per_s;

	if (set_clock(deliveries, ticks_per_s, tr_reader_name(in), err) != TR_OK)
		return TR_ERROR;
	deliveries->factor = (int64_t)(deliveries->ticks_per_s / ticks_per_s);
	return TR_OK;
}

void formula_deliveries_add(struct formula_deliveries *deliveries,
			    const struct tr_delivery *delivery)
{
	uint32_t size = delivery->packet.payload_bytes > 0 ? delivery->packet.payload_bytes
							   : EMPTY_B;
	int64_t taken = (delivery->packet.time_ticks - delivery->started_ticks) *
			deliveries->factor;
	struct formula_deliveries_cell *cell;
	int64_t sum_ticks;

	if (delivery->hops >= SWITCHES_MAX) {
		deliveries->beyond++;
		return;
	}
	cell = &deliveries->cells[delivery->hops][octave(size)];
	sum_ticks = fabric_formula_ticks(&deliveries->formula, delivery->hops, size);
	batches_add(&cell->taken_ticks, taken);
	batches_add(&cell->waited_ticks, taken - sum_ticks);
	cell->formula_ticks += sum_ticks;
	cell->size_bytes += size;
}

TABLE_ROW(worms_time, (count, switches), (count, size_from_B), (count, worms),
	  (real, mean_size_B, DIGITS), (real, sum_us, DIGITS), (real, taken_us, DIGITS),
	  (real, waited_us, DIGITS), (real, waited_lo_us, DIGITS), (real, waited_hi_us, DIGITS),
	  (real, waited_percent, DIGITS));

static void formula_deliveries_put_row(struct table *table,
				       const struct formula_deliveries *deliveries,
				       const struct formula_deliveries_cell *cell,
				       uint32_t switches, unsigned size_octave)
{
	double level = deliveries->request->level_percent / 100.0;
	double n = (double)cell->taken_ticks.n;
	double us = 1e6 / (double)deliveries->ticks_per_s;
	struct interval interval = batches_known(&cell->waited_ticks, level).interval;
	double formula = (double)cell->formula_ticks / n;
	double waited = batches_mean(&cell->waited_ticks);

	TABLE_PUT(table, worms_time, .switches = switches,
		  .size_from_B = UINT64_C(1) << size_octave, .worms = cell->taken_ticks.n,
		  .mean_size_B = (double)cell->size_bytes / n, .sum_us = formula * us,
		  .taken_us = batches_mean(&cell->taken_ticks) * us, .waited_us = waited * us,
		  .waited_lo_us = interval.lo * us, .waited_hi_us = interval.hi * us,
		  .waited_percent = 100 * waited / formula);
}

struct table *formula_deliveries_table(const struct formula_deliveries *deliveries)
{
	struct table *table = table_of("deliveries", "Time of worms by formula and in simulation",
				       worms_time_fields);

	for (uint32_t i = 0; i < SWITCHES_MAX; i++)
		for (unsigned j = 0; j < OCTAVES; j++)
			if (deliveries->cells[i][j].taken_ticks.n > 0)
				formula_deliveries_put_row(table, deliveries,
							   &deliveries->cells[i][j], i, j);
	table_note(table,
		   "taken: time from the start of the transfer into the adapter to the delivery; "
		   "waited: taken minus sum, mean with %d %% interval for dependent packets",
		   deliveries->request->level_percent);
	if (deliveries->beyond > 0)
		table_note(table, "%llu worms through more than %u switches were left out",
			   (unsigned long long)deliveries->beyond, SWITCHES_MAX - 1);
	return table;
}

void formula_deliveries_close(struct formula_deliveries *deliveries)
{
	if (deliveries)
		fabric_formula_close(&deliveries->formula);
	free(deliveries);
}
