// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of a stream's records by what their codes say.
#ifndef INFO_TALLY_H
#define INFO_TALLY_H

#include <stdint.h>

#include "trace/record.h"

#define INFO_CODES 256u // codes from 255 on share the last place
enum { INFO_SIZE, INFO_WIRE, INFO_COUNT, INFO_SUMS };
#define INFO_GROUPS_MAX 3u

struct info_sums {
	uint64_t records;
	uint64_t totals[INFO_SUMS]; // stay at 2^64 - 1 where they would go beyond
};

// Records by the value of one field, with the totals of others.
struct info_group {
	const struct tr_field *field;
	const struct tr_field *summed[INFO_SUMS]; // NULL: none
	struct info_sums codes[INFO_CODES];
};

struct info_tally {
	const struct tr_kind_info *kind;
	uint64_t records;
	int64_t first_ticks, last_ticks; // valid where there are records
	struct info_group groups[INFO_GROUPS_MAX];
	size_t group_count;
};

// Starts an empty tally for records of a kind.
void info_tally_begin(struct info_tally *tally, const struct tr_kind_info *kind);

// Adds count records, stride_bytes apart.
void info_tally_add(struct info_tally *tally, const void *records, size_t stride_bytes, size_t count);

// The word for a code of a group, "unknown code" where it has none. Static.
const char *info_code_word(const struct info_group *group, size_t code);

#endif
