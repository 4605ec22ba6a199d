// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/packet_sizes.h"

#include <math.h>
#include <stdlib.h>

#include "gen/size_gather.h"

#define SIZE_TALLY_BITS 15

enum tr_status packet_sizes(const struct packet_sample *sample, const uint32_t *which, size_t count, struct size_bin **bins,
			    size_t *bin_count, double *header_B, struct tr_error *err)
{
	struct tally sizes = {.bits = SIZE_TALLY_BITS};
	struct tally_value *values;
	enum tr_status status;
	double header = 0;
	size_t different;

	for (size_t i = 0; i < count; i++) {
		const size_t at = which ? which[i] : i;

		tally_add(&sizes, sample->payload_B[at], 1);
		header += (double)sample->wire_B[at] - (double)sample->payload_B[at];
	}
	*header_B = count ? fmin(fmax(round(header / (double)count), 0), 65535) : 0;
	status = tally_values(&sizes, &values, &different, err);
	tally_clear(&sizes);
	if (status != TR_OK)
		return status;
	status = size_gather(values, different, count, bins, bin_count, err);
	free(values);
	return status;
}
