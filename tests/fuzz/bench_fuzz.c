// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a report of scibench or mpibench: refused with a message that names a line, or read;
// what is read and written again is read again, and then written with the same bytes.
#include <stdlib.h>
#include <string.h>

#include "flitbench/bench.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status read_bytes(const void *data, size_t size_bytes, struct bench_results *results,
				 struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	status = bench_report_read(source, results, err);
	tr_source_close(source);
	return status;
}

static char *write_report(const struct bench_results *results, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	promise(out);
	bench_report_write(results, 0.1, out);
	promise(fclose(out) == 0);
	return text;
}

// Written and read again: the same sizes, and from then on the same bytes.
static void check_round_trip(const struct bench_results *results)
{
	struct bench_results again = {0}, third = {0};
	struct tr_error err;
	size_t bytes, bytes_again;
	char *text = write_report(results, &bytes), *text_again;

	promise(results->sizes > 0 && results->repeats > 0);
	promise(read_bytes(text, bytes, &again, &err) == TR_OK);
	free(text);
	promise(again.sizes == results->sizes && again.repeats == results->repeats);
	promise(memcmp(again.bytes, results->bytes, again.sizes * sizeof(*again.bytes)) == 0);
	text = write_report(&again, &bytes);
	promise(read_bytes(text, bytes, &third, &err) == TR_OK);
	text_again = write_report(&third, &bytes_again);
	promise(bytes_again == bytes && memcmp(text, text_again, bytes) == 0);
	free(text);
	free(text_again);
	bench_results_clear(&again);
	bench_results_clear(&third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct bench_results results = {0};
	struct tr_error err = {""};

	if (read_bytes(data, size_bytes, &results, &err) == TR_OK)
		check_round_trip(&results);
	else
		promise(*err.text != '\0');
	bench_results_clear(&results);
	return 0;
}
