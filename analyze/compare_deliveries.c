// SPDX-License-Identifier: GPL-3.0-or-later
// Deliveries of one run: its means from the means of batches of consecutive packets.
#include <math.h>
#include <string.h>

#include "compare_cells.h"
#include "stat/batches.h"

#define ALL 3u
#define CLASSES 4u

static const char *const class_names[CLASSES] = {"unclassed", "data", "overhead", "all"};

// One of the values of a delivered packet, as a whole number in a small unit of which per stand for
// one of the column's.
struct quantity {
	const char *column;
	double per;
	int64_t (*of)(const struct tr_delivery *delivery, uint64_t ticks_per_s);
};

static int64_t worm_mBps(const struct tr_delivery *delivery, uint64_t ticks_per_s)
{
	int64_t ticks = delivery->packet.time_ticks - delivery->started_ticks;

	return ticks > 0 ? (int64_t)((__int128)delivery->packet.payload_bytes * 1000 * ticks_per_s /
				     (uint64_t)ticks)
			 : 0;
}

// In picoseconds.
static int64_t latency_ps(const struct tr_delivery *delivery, uint64_t ticks_per_s)
{
	return (int64_t)((__int128)(delivery->packet.time_ticks - delivery->created_ticks) *
			 1000000000000 / ticks_per_s);
}

static int64_t size_mB(const struct tr_delivery *delivery, uint64_t ticks_per_s)
{
	(void)ticks_per_s;
	return (int64_t)delivery->packet.payload_bytes * 1000;
}

static const struct quantity quantities[] = {
	{"worm_MBps", 1e9, worm_mBps}, {"latency_us", 1e6, latency_ps}, {"size_B", 1e3, size_mB}};

static const struct quantity *find_quantity(const char *column)
{
	for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
		if (strcmp(quantities[i].column, column) == 0)
			return &quantities[i];
	return NULL;
}

static enum tr_status check(const struct tr_reader *in, const struct compare_settings *settings,
			    struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);

	if (header->kind != TR_DELIVERY)
		return tr_fail(err, "holds %s records, expected deliveries",
			       tr_kind_find(header->kind)->name);
	if (!find_quantity(settings->column))
		return tr_fail(err, "deliveries have worm_MBps, latency_us and size_B, not %s",
			       settings->column);
	if (settings->among)
		return tr_fail(err, "deliveries have no column %s", settings->among);
	for (size_t i = 0; i < settings->by.count; i++)
		if (strcmp(settings->by.words[i], "class") != 0)
			return tr_fail(err, "deliveries have no column %s", settings->by.words[i]);
	for (size_t i = 0; i < settings->where.count; i++)
		if (strncmp(settings->where.words[i], "class=", 6) != 0)
			return tr_fail(err, "deliveries have the column class, not %s",
				       settings->where.words[i]);
	return TR_OK;
}

// Where no class is asked for it is all of them together.
static bool counts(const struct compare_settings *settings, const char *class)
{
	if (settings->by.count == 0 && settings->where.count == 0)
		return strcmp(class, class_names[ALL]) == 0;
	for (size_t i = 0; i < settings->where.count; i++)
		if (strcmp(settings->where.words[i] + strlen("class="), class) != 0)
			return false;
	return true;
}

static enum tr_status put_classes(struct compare_cells *cells, const struct batches *batches,
				  const char *name, const struct compare_settings *settings,
				  struct tr_error *err)
{
	double per = find_quantity(settings->column)->per;
	size_t alternative = compare_alternative(cells, name, true);

	for (size_t i = 0; i < CLASSES; i++) {
		const struct moments means = batches_means(&batches[i]);
		struct compare_cell *cell;

		if (batches[i].n == 0 || !counts(settings, class_names[i]))
			continue;
		cell = compare_cell_get(cells, settings->by.count ? class_names[i] : "", alternative);
		if (!cell)
			return tr_fail(err, "memory is exhausted");
		cell->sample = (struct sample){.mean = batches_mean(&batches[i]) / per,
					       .sd = moments_sd(&means) / per,
					       .n = (double)means.n};
		cell->correlated = batches_correlate(&batches[i]);
	}
	return TR_OK;
}

enum tr_status compare_read_deliveries(struct compare_cells *cells, struct tr_reader *in,
				       const char *name, const struct compare_settings *settings,
				       bool keep_going, struct tr_error *err)
{
	struct batches batches[CLASSES] = {0};
	const struct quantity *quantity = find_quantity(settings->column);
	const union tr_record *record;
	enum tr_status status;

	if (check(in, settings, err) != TR_OK)
		return TR_ERROR;
	while ((status = tr_next(in, &record)) == TR_OK) {
		const struct tr_delivery *delivery = &record->delivery;
		unsigned class = delivery->packet.class < ALL ? delivery->packet.class : 0;
		int64_t value;

		if (delivery->status != TR_DELIVERED)
			continue;
		value = quantity->of(delivery, tr_reader_header(in)->ticks_per_s);
		batches_add(&batches[class], value);
		batches_add(&batches[ALL], value);
	}
	if (status == TR_ERROR && !keep_going)
		return tr_fail(err, "%s", tr_reader_error(in));
	if (batches[ALL].n == 0)
		return tr_fail(err, "holds no delivered packet");
	return put_classes(cells, batches, name, settings, err);
}
