// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a text of numbers, or of arrivals: rejected with a message, or read without error,
// within its bound.
#include <stdlib.h>

#include "series/series.h"

#define POINTS_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef enum tr_status read_text(struct series *series, struct tr_source *source,
				 const struct series_settings *settings, struct tr_error *err);

static void try_text(read_text *read, const char *columns, const uint8_t *data, size_t size)
{
	struct series_text text = {.columns = columns};
	const struct series_settings settings = {.text = &text, .max_points = POINTS_MAX};
	struct series series = {0};
	struct tr_source *source;
	struct tr_error err = {0};

	if (tr_source_open_memory(&source, data, size, "fuzz", &err) != TR_OK)
		abort();
	if (read(&series, source, &settings, &err) != TR_OK && err.text[0] == '\0')
		abort();
	if (series.n > POINTS_MAX)
		abort();
	series_clear(&series);
	tr_source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const values[] = {NULL, "2", "x", "dec=comma", "3,sep=comma"};
	static const char *const arrivals[] = {NULL, "time=2", "time=t,bytes=b",
					       "time,bytes,dec=comma"};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		try_text(series_from_text, values[i], data, size);
	for (size_t i = 0; i < sizeof(arrivals) / sizeof(*arrivals); i++)
		try_text(series_from_arrivals, arrivals[i], data, size);
	return 0;
}
