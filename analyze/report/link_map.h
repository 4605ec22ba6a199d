// SPDX-License-Identifier: GPL-3.0-or-later
// Link samples over time in a bounded number of columns, for all links on one raster: where time runs out of the columns,
// neighbours are joined and each covers twice as many intervals.
#ifndef REPORT_LINK_MAP_H
#define REPORT_LINK_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "trace/record.h"
#include "trace/status.h"

#define LINK_MAP_COLUMNS 128
#define LINK_MAP_LINKS 4096u // that are kept; samples of others are counted in left_out

// Sums over samples. Shares are each over width_ticks.
struct link_sum {
	int64_t width_ticks;
	int64_t busy_ticks;
	int64_t stop_ticks;   // blocked: the far end had said STOP
	int64_t port_ticks;   // blocked: the head waited for an output port
	int64_t memory_ticks; // blocked: for adapter memory
	uint64_t characters;
	unsigned __int128 occupancy_area; // characters x ticks
	uint32_t occupancy_peak;	  // characters; the largest
};

struct link_row {
	struct link_sum all;
	struct link_sum columns[LINK_MAP_COLUMNS];
};

// Memory: 8.3 KiB a link.
struct link_map {
	const char *label; // lent
	uint64_t ticks_per_s;
	int64_t step_ticks;	// width of the first sample: the raster
	unsigned shift;		// a column covers 2^shift steps
	int64_t first_column;	// number of columns[0]
	size_t used;		// columns up to the last one seen
	struct link_row **rows; // by link id; NULL where it has no sample
	size_t row_count;
	uint64_t samples;
	uint64_t left_out;
};

// As stream_open.
enum tr_status link_map_open(struct link_map **out, const char *label, uint64_t ticks_per_s, struct tr_error *err);

// Adds a sample; starts must not step back.
enum tr_status link_map_add(struct link_map *map, const struct tr_link *sample, struct tr_error *err);

// Width of a column in seconds.
double link_map_width(const struct link_map *map);

// All links together.
struct link_sum link_map_total(const struct link_map *map);

// NULL is accepted.
void link_map_close(struct link_map *map);

#endif
