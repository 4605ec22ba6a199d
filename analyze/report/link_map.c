// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/carried.h"

#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"
#include "value/grow.h"
#include "value/ticks.h"

enum tr_status link_map_open(struct link_map **out, const char *label, uint64_t ticks_per_s,
			     struct tr_error *err)
{
	struct link_map *map = calloc(1, sizeof(*map));

	*out = map;
	if (!map)
		return tr_no_memory(err, "the links of %s", label);
	map->label = label;
	map->ticks_per_s = ticks_per_s;
	return TR_OK;
}

static void link_map_join(struct link_sum *into, const struct link_sum *from)
{
	into->width_ticks = span_sum(into->width_ticks, from->width_ticks);
	into->busy_ticks = span_sum(into->busy_ticks, from->busy_ticks);
	into->stop_ticks = span_sum(into->stop_ticks, from->stop_ticks);
	into->port_ticks = span_sum(into->port_ticks, from->port_ticks);
	into->memory_ticks = span_sum(into->memory_ticks, from->memory_ticks);
	into->characters += from->characters;
	into->occupancy_area += from->occupancy_area;
	if (from->occupancy_peak > into->occupancy_peak)
		into->occupancy_peak = from->occupancy_peak;
}

// Joins neighbours in every row: columns 2k and 2k + 1 become column k.
static void link_map_halve(struct link_map *map)
{
	int64_t first = map->first_column >> 1;
	struct link_sum old[LINK_MAP_COLUMNS];

	for (size_t r = 0; r < map->row_count; r++) {
		if (!map->rows[r])
			continue;
		memcpy(old, map->rows[r]->columns, sizeof(old));
		memset(map->rows[r]->columns, 0, sizeof(old));
		for (int64_t i = 0; i < LINK_MAP_COLUMNS; i++)
			link_map_join(
				&map->rows[r]->columns[((map->first_column + i) >> 1) - first],
				&old[i]);
	}
	map->used = (size_t)(((map->first_column + (int64_t)map->used - 1) >> 1) - first + 1);
	map->first_column = first;
	map->shift++;
}

static enum tr_status link_map_reserve(struct link_map *map, uint32_t link, struct tr_error *err)
{
	if (!GROW_ZEROED(map->rows, map->row_count, link))
		return tr_no_memory(err, "%u links", link + 1);
	if (!map->rows[link])
		map->rows[link] = calloc(1, sizeof(**map->rows));
	return map->rows[link] ? TR_OK : tr_no_memory(err, "link %u", link);
}

// The column of a start, made to fit.
static size_t find_column(struct link_map *map, int64_t start_ticks)
{
	int64_t step = tr_mul_div_floor(start_ticks, 1, (uint64_t)map->step_ticks);

	if (map->used == 0) {
		map->first_column = step;
		map->used = 1;
	}
	while ((__int128)(step >> map->shift) - map->first_column >= LINK_MAP_COLUMNS)
		link_map_halve(map);

	size_t column = (size_t)((step >> map->shift) - map->first_column);

	if (column >= map->used)
		map->used = column + 1;
	return column;
}

// The part of a sample's sums in its intervals [from, to).
static struct link_sum part_of(const struct tr_link *sample, int64_t from, int64_t to,
			       int64_t count)
{
#define PART(whole) \
	(tr_mul_div_floor(whole, (uint64_t)to, (uint64_t)count) - \
	 tr_mul_div_floor(whole, (uint64_t)from, (uint64_t)count))
	const unsigned __int128 area = sample->occupancy_area;

	return (struct link_sum){
		.width_ticks = PART(sample->width_ticks),
		.busy_ticks = PART(sample->busy_ticks),
		.stop_ticks = PART(sample->blocked_stop_ticks),
		.port_ticks = PART(sample->blocked_port_ticks),
		.memory_ticks = PART(sample->blocked_memory_ticks),
		.characters = (uint64_t)((unsigned __int128)sample->characters * (uint64_t)to /
						 (uint64_t)count -
					 (unsigned __int128)sample->characters * (uint64_t)from /
						 (uint64_t)count),
		.occupancy_area = area * (uint64_t)to / (uint64_t)count -
				  area * (uint64_t)from / (uint64_t)count,
		.occupancy_peak = sample->occupancy_peak,
	};
#undef PART
}

// Spreads a sample of count intervals over its columns.
static void link_map_spread(struct link_map *map, const struct tr_link *sample, int64_t count)
{
	struct link_row *row = map->rows[sample->link];
	const int64_t first = tr_mul_div_floor(sample->start_ticks, 1, (uint64_t)map->step_ticks);

	(void)find_column(map, sample->start_ticks);
	(void)find_column(map, sample->start_ticks + (count - 1) * map->step_ticks);
	for (int64_t from = 0; from < count;) {
		const int64_t column = (first + from) >> map->shift;
		const __int128 behind = (__int128)(column + 1) * (INT64_C(1) << map->shift) -
					first; // the next column's first
		const int64_t to = behind < count ? (int64_t)behind : count;
		const struct link_sum sum = part_of(sample, from, to, count);

		link_map_join(&row->columns[column - map->first_column], &sum);
		from = to;
	}
}

enum tr_status link_map_add(struct link_map *map, const struct tr_link *sample,
			    struct tr_error *err)
{
	const struct link_sum sum = part_of(sample, 0, 1, 1);
	int64_t end_ticks;
	int64_t count;

	map->samples++;
	if (sample->link >= LINK_MAP_LINKS) {
		map->left_out++;
		return TR_OK;
	}
	if (link_map_reserve(map, sample->link, err) != TR_OK)
		return TR_ERROR;
	if (map->step_ticks == 0)
		map->step_ticks = sample->width_ticks > 0 ? sample->width_ticks : 1;
	count = sample->width_ticks / map->step_ticks;
	if (count < 1 ||
	    __builtin_add_overflow(sample->start_ticks, sample->width_ticks, &end_ticks))
		count = 1;
	link_map_spread(map, sample, count);
	link_map_join(&map->rows[sample->link]->all, &sum);
	return TR_OK;
}

double link_map_width(const struct link_map *map)
{
	return tr_ticks_seconds(map->step_ticks, map->ticks_per_s) *
	       (double)((uint64_t)1 << map->shift);
}

struct link_sum link_map_total(const struct link_map *map)
{
	struct link_sum total = {0};

	for (size_t i = 0; i < map->row_count; i++)
		if (map->rows[i])
			link_map_join(&total, &map->rows[i]->all);
	return total;
}

void link_map_close(struct link_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->row_count; i++)
		free(map->rows[i]);
	free(map->rows);
	free(map);
}
