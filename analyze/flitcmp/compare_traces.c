// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcmp.h"

#include <stdlib.h>
#include <string.h>

#include "stat/counts/bins.h"
#include "value/grow.h"
#include "value/ticks.h"

static const char *const class_names[COMPARE_CLASSES] = {"unclassed", "data", "overhead", "all"};

static const struct {
	const char *column;
	double per;
	struct num_ratio bin; // of counts
	bool of_deliveries;   // only
} quantities[COMPARE_QUANTITIES] = {
	[COMPARE_GAP] = {"gap_us", 1e6, {0, 1}, false},
	[COMPARE_SIZE] = {"size_B", 1e3, {0, 1}, false},
	[COMPARE_PACKETS_1MS] = {"packets_1ms", 1e6, {1, 1000}, false},
	[COMPARE_PACKETS_10MS] = {"packets_10ms", 1e6, {1, 100}, false},
	[COMPARE_PACKETS_100MS] = {"packets_100ms", 1e6, {1, 10}, false},
	[COMPARE_PACKETS_1S] = {"packets_1s", 1e6, {1, 1}, false},
	[COMPARE_LATENCY] = {"latency_us", 1e6, {0, 1}, true},
	[COMPARE_WORM] = {"worm_MBps", 1e9, {0, 1}, true},
};

const char *compare_quantity_column(enum compare_quantity quantity)
{
	return quantities[quantity].column;
}

double compare_quantity_per(enum compare_quantity quantity)
{
	return quantities[quantity].per;
}

const char *compare_class_name(unsigned class)
{
	return class_names[class];
}

static enum compare_quantity find_quantity(const char *column)
{
	unsigned i = 0;

	while (i < COMPARE_QUANTITIES && strcmp(quantities[i].column, column) != 0)
		i++;
	return (enum compare_quantity)i;
}

static enum tr_status no_column(const char *name, bool deliveries, const char *column,
				struct tr_error *err)
{
	return tr_fail(
		err, "%s%s have gap_us, size_B, packets_1ms, packets_10ms, packets_100ms%s, not %s",
		name, deliveries ? "deliveries" : "packets",
		deliveries ? ", packets_1s, latency_us and worm_MBps" : " and packets_1s", column);
}

static enum tr_status compare_traces_check(const struct tr_reader *in,
					   const struct compare_settings *settings,
					   struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const bool deliveries = header->kind == TR_DELIVERY;
	const char *what = deliveries ? "deliveries" : "packets";
	const enum compare_quantity wanted = settings->column ? find_quantity(settings->column)
							      : COMPARE_SIZE;

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "contains %s records, expected packets, deliveries or messages",
			       tr_kind_find(header->kind)->name);
	if (wanted == COMPARE_QUANTITIES || (quantities[wanted].of_deliveries && !deliveries))
		return no_column("", deliveries, settings->column, err);
	if (header->unsorted && wanted < COMPARE_LATENCY && wanted != COMPARE_SIZE)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	if (settings->among)
		return tr_fail(err, "%s have no column %s", what, settings->among);
	for (size_t i = 0; i < settings->by.count; i++)
		if (strcmp(settings->by.words[i], "class") != 0)
			return tr_fail(err, "%s have no column %s", what, settings->by.words[i]);
	for (size_t i = 0; i < settings->where.count; i++)
		if (strncmp(settings->where.words[i], "class=", 6) != 0)
			return tr_fail(err, "%s have the column class, not %s", what,
				       settings->where.words[i]);
	return TR_OK;
}

// By default all classes together.
static bool compare_traces_counts(const struct compare_settings *settings, unsigned class)
{
	if (settings->by.count == 0 && settings->where.count == 0)
		return class == COMPARE_ALL;
	for (size_t i = 0; i < settings->where.count; i++)
		if (strcmp(settings->where.words[i] + strlen("class="), class_names[class]) != 0)
			return false;
	return true;
}

// Packets of a class in the complete bins of one width.
struct counter {
	bool begun, in_first;
	int64_t bin;
	uint64_t count;
};

struct trace_reading {
	struct compare_trace *trace;
	enum compare_quantity only; // COMPARE_QUANTITIES: all
	const struct compare_settings *settings;
	const struct tr_header *header;
	bool has_grid[COMPARE_QUANTITIES];
	struct bin_grid grids[COMPARE_QUANTITIES];
	struct counter counters[COMPARE_CLASSES][COMPARE_QUANTITIES];
	bool seen[COMPARE_CLASSES];
	int64_t last_ticks[COMPARE_CLASSES];
};

// Leaves out counts in bins whose width is not whole ticks.
static void open_grids(struct trace_reading *reading)
{
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++) {
		int64_t width;

		if (quantities[i].bin.num > 0 && !reading->header->unsorted &&
		    tr_ticks_exact(quantities[i].bin, reading->header->ticks_per_s, &width, NULL) ==
			    TR_OK)
			reading->has_grid[i] = bin_grid_set(&reading->grids[i], width,
							    reading->header, 0, NULL) == TR_OK;
	}
}

static enum tr_status compare_traces_add(struct trace_reading *reading, unsigned class,
					 enum compare_quantity quantity, __int128 value,
					 uint64_t times, struct tr_error *err)
{
	struct compare_values **values = &reading->trace->values[class][quantity];
	const int64_t kept = value < 0 ? 0 : value > INT64_MAX ? INT64_MAX : (int64_t)value;

	if (reading->only != COMPARE_QUANTITIES && reading->only != quantity)
		return TR_OK;
	if (!*values)
		*values = calloc(1, sizeof(**values));
	if (!*values)
		return tr_no_memory(err, "the values of %s", quantities[quantity].column);
	batches_add_repeated(&(*values)->batches, kept, times);
	if (reading->settings->by_default && class != COMPARE_ALL)
		return TR_OK;
	return block_sample_add(&(*values)->sample, (uint64_t)kept, times, err);
}

// Takes the bins before this one, which are complete; the first and the last are observed only in
// part.
static enum tr_status compare_traces_count(struct trace_reading *reading, unsigned class,
					   enum compare_quantity quantity, int64_t time_ticks,
					   struct tr_error *err)
{
	struct counter *counter = &reading->counters[class][quantity];
	int64_t bin;

	if (bin_grid_index(&reading->grids[quantity], time_ticks, &bin, err) != TR_OK)
		return TR_ERROR;
	if (counter->begun && bin > counter->bin) {
		const __int128 value = (__int128)counter->count * (int64_t)quantities[quantity].per;

		if (!counter->in_first &&
		    compare_traces_add(reading, class, quantity, value, 1, err) != TR_OK)
			return TR_ERROR;
		if (bin > counter->bin + 1 &&
		    compare_traces_add(reading, class, quantity, 0,
				       (uint64_t)(bin - counter->bin - 1), err) != TR_OK)
			return TR_ERROR;
	}
	counter->in_first = counter->begun ? counter->in_first && bin == counter->bin : true;
	counter->count = counter->begun && bin == counter->bin ? counter->count + 1 : 1;
	counter->begun = true;
	counter->bin = bin;
	return TR_OK;
}

// A span in picoseconds.
static __int128 picoseconds(int64_t ticks, uint64_t ticks_per_s)
{
	return (__int128)ticks * 1000000000000 / (__int128)ticks_per_s;
}

static enum tr_status add_times(struct trace_reading *reading, unsigned class,
				const struct tr_packet *packet, struct tr_error *err)
{
	const uint64_t ticks_per_s = reading->header->ticks_per_s;

	if (reading->header->unsorted)
		return TR_OK;
	if (reading->seen[class] &&
	    compare_traces_add(
		    reading, class, COMPARE_GAP,
		    picoseconds(packet->time_ticks - reading->last_ticks[class], ticks_per_s), 1,
		    err) != TR_OK)
		return TR_ERROR;
	reading->seen[class] = true;
	reading->last_ticks[class] = packet->time_ticks;
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++)
		if (reading->has_grid[i] &&
		    compare_traces_count(reading, class, i, packet->time_ticks, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status add_delivery(struct trace_reading *reading, unsigned class,
				   const struct tr_delivery *delivery, struct tr_error *err)
{
	const uint64_t ticks_per_s = reading->header->ticks_per_s;
	const int64_t ticks = delivery->packet.time_ticks - delivery->started_ticks;
	const __int128 mBps = ticks > 0 ? (__int128)delivery->packet.payload_bytes * 1000 *
						  (__int128)ticks_per_s / ticks
					: 0;

	if (compare_traces_add(reading, class, COMPARE_WORM, mBps, 1, err) != TR_OK)
		return TR_ERROR;
	return compare_traces_add(
		reading, class, COMPARE_LATENCY,
		picoseconds(delivery->packet.time_ticks - delivery->created_ticks, ticks_per_s), 1,
		err);
}

static enum tr_status add_record(struct trace_reading *reading, const union tr_record *record,
				 struct tr_error *err)
{
	const bool delivery = reading->header->kind == TR_DELIVERY;
	const struct tr_packet *packet = &record->packet;
	const unsigned classes[] = {packet->class < COMPARE_ALL ? packet->class : 0, COMPARE_ALL};

	if (delivery && record->delivery.status != TR_DELIVERED)
		return TR_OK;
	if ((compare_traces_counts(reading->settings, classes[0]) ||
	     compare_traces_counts(reading->settings, COMPARE_ALL)) &&
	    talkers_add(&reading->trace->talkers, packet, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (!compare_traces_counts(reading->settings, classes[i]))
			continue;
		if (add_times(reading, classes[i], packet, err) != TR_OK ||
		    compare_traces_add(reading, classes[i], COMPARE_SIZE,
				       (__int128)packet->payload_bytes * 1000, 1, err) != TR_OK ||
		    (delivery &&
		     add_delivery(reading, classes[i], &record->delivery, err) != TR_OK))
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status compare_read_trace(struct compare_traces *traces, struct compare_cells *cells,
				  struct tr_reader *in, const char *name,
				  const struct compare_settings *settings, bool keep_going,
				  struct tr_error *err)
{
	struct trace_reading reading = {
		.settings = settings,
		.header = tr_reader_header(in),
		.only = settings->column ? find_quantity(settings->column) : COMPARE_QUANTITIES,
	};
	const union tr_record *record;
	enum tr_status status;
	bool any = false;

	if (!GROW_BY_COUNT(traces->list, traces->count))
		return tr_no_memory(err, "%zu traces", traces->count + 1);
	if (compare_traces_check(in, settings, err) != TR_OK)
		return TR_ERROR;
	reading.trace = &traces->list[traces->count++];
	*reading.trace = (struct compare_trace){
		.alternative = compare_alternative(cells, name, true)};
	if (talkers_open(&reading.trace->talkers, reading.header->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	open_grids(&reading);
	while ((status = tr_next(in, &record)) == TR_OK) {
		any = any || reading.header->kind != TR_DELIVERY ||
		      record->delivery.status == TR_DELIVERED;
		if (add_record(&reading, record, err) != TR_OK)
			return TR_ERROR;
	}
	if (status == TR_ERROR && !keep_going)
		return tr_fail(err, "%s", tr_reader_error(in));
	reading.trace->end = tr_run_end_of_stream(tr_reader_names(in));
	if (!any)
		return tr_fail(err, reading.header->kind == TR_DELIVERY
					    ? "holds no delivered packet"
					    : "holds no packet");
	return talkers_finish(&reading.trace->talkers, tr_reader_names(in), NULL, 0, err);
}

static bool has(const struct compare_trace *trace, enum compare_quantity quantity)
{
	for (unsigned class = 0; class < COMPARE_CLASSES; class ++)
		if (trace->values[class][quantity])
			return true;
	return false;
}

static bool all_have(const struct compare_traces *traces, enum compare_quantity quantity)
{
	for (size_t i = 0; i < traces->count; i++)
		if (!has(&traces->list[i], quantity))
			return false;
	return true;
}

// There are no gaps if a trace is unsorted or has one packet.
static const char *default_column(const struct compare_traces *traces)
{
	static const enum compare_quantity preferred[] = {COMPARE_WORM, COMPARE_GAP};

	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++)
		if (all_have(traces, preferred[i]))
			return quantities[preferred[i]].column;
	return quantities[COMPARE_SIZE].column;
}

static enum tr_status put_classes(const struct compare_trace *trace, struct compare_cells *cells,
				  enum compare_quantity quantity,
				  const struct compare_settings *settings, double level,
				  struct tr_error *err)
{
	const double per = quantities[quantity].per;

	for (unsigned class = 0; class < COMPARE_CLASSES; class ++) {
		const struct compare_values *values = trace->values[class][quantity];
		struct compare_cell *cell;
		struct known_mean known;

		if (!values)
			continue;
		cell = compare_cell_get(cells, settings->by.count ? class_names[class] : "",
					trace->alternative);
		if (!cell)
			return tr_no_memory(err, "the classes");
		known = batches_known(&values->batches, level);
		cell->error = known.error;
		cell->error.se /= per;
		cell->dependent = known.n;
		cell->sample = mean_error_sample(known.mean / per, &cell->error);
		compare_end(cell, trace->end, settings->column);
	}
	return TR_OK;
}

enum tr_status compare_traces_put(const struct compare_traces *traces, struct compare_cells *cells,
				  struct compare_settings *settings, double level,
				  struct tr_error *err)
{
	if (!settings->column)
		settings->column = default_column(traces);
	for (size_t i = 0; i < traces->count; i++) {
		const enum compare_quantity quantity = find_quantity(settings->column);

		if (quantity == COMPARE_QUANTITIES || !has(&traces->list[i], quantity))
			return tr_fail(err, "%s: no values of %s",
				       cells->alternatives.names[traces->list[i].alternative],
				       settings->column);
		if (put_classes(&traces->list[i], cells, quantity, settings, level, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void compare_traces_clear(struct compare_traces *traces)
{
	for (size_t i = 0; i < traces->count; i++) {
		talkers_close(&traces->list[i].talkers);
		for (unsigned class = 0; class < COMPARE_CLASSES; class ++)
			for (unsigned k = 0; k < COMPARE_QUANTITIES; k++) {
				struct compare_values *values = traces->list[i].values[class][k];

				if (values)
					block_sample_clear(&values->sample);
				free(values);
			}
	}
	free(traces->list);
	*traces = (struct compare_traces){.count = 0};
}
