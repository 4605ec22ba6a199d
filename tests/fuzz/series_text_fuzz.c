// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a text of numbers: refused with a message, or read, without harm; within its bound.
#include <stdlib.h>

#include "series_input.h"

#define POINTS_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (uint64_t column = 1; column < 4; column++) {
		const struct series_settings settings = {.column = column, .max_points = POINTS_MAX};
		struct series series = {0};
		struct tr_source *source;
		struct tr_error err = {0};

		if (tr_source_open_memory(&source, data, size, "fuzz", &err) != TR_OK)
			abort();
		if (series_from_text(&series, source, &settings, &err) != TR_OK && err.text[0] == '\0')
			abort();
		if (series.n > POINTS_MAX)
			abort();
		series_clear(&series);
		tr_source_close(source);
	}
	return 0;
}
