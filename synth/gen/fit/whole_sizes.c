// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/whole_sizes.h"

#include <math.h>
#include <stdlib.h>

#include "gen/size_gather.h"

#define SIZE_TALLY_BITS 15

enum tr_status whole_sizes(const struct packet_sample *sample, struct size_bin **bins, size_t *count, double *header_B,
			   struct tr_error *err)
{
	struct tally sizes = {.bits = SIZE_TALLY_BITS};
	struct tally_value *values;
	enum tr_status status;
	double header = 0;
	size_t different;

	for (size_t i = 0; i < sample->count; i++) {
		tally_add(&sizes, sample->payload_B[i], 1);
		header += (double)sample->wire_B[i] - (double)sample->payload_B[i];
	}
	*header_B = sample->count ? fmin(fmax(round(header / (double)sample->count), 0), 65535) : 0;
	status = tally_values(&sizes, &values, &different, err);
	tally_clear(&sizes);
	if (status != TR_OK)
		return status;
	status = size_gather(values, different, sample->count, bins, count, err);
	free(values);
	return status;
}
