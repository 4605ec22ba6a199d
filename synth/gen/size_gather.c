// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/size_gather.h"

#include <stdbool.h>
#include <stdlib.h>

#define ATOMS 64 // a size with 1/64 of the packets or more has a bin of its own

enum tr_status size_gather(const struct tally_value *sizes, size_t count, uint64_t packets, struct size_bin **bins,
			   size_t *bin_count, struct tr_error *err)
{
	uint64_t enough = packets / ATOMS + 1;
	size_t n = 0;

	*bin_count = 0;
	*bins = calloc(count ? count : 1, sizeof(**bins));
	if (!*bins)
		return tr_no_memory(err, "the sizes");
	for (size_t i = 0; i < count; i++) {
		uint64_t of_size = (uint64_t)sizes[i].count;
		struct size_bin *last = n ? &(*bins)[n - 1] : NULL;
		bool joins = last && count > ATOMS && of_size < enough && last->count < enough;

		if (!joins)
			last = &(*bins)[n++];
		*last = (struct size_bin){.low_B = joins ? last->low_B : (uint32_t)sizes[i].low,
					  .high_B = (uint32_t)sizes[i].high,
					  .count = (joins ? last->count : 0) + of_size};
	}
	*bin_count = n;
	return TR_OK;
}
