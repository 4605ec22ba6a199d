// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a table of runs: rejected with a message, or read without error; the result can be
// compared.
#include <math.h>
#include <stdlib.h>

#include "flitcmp/flitcmp.h"
#include "stat/intervals/numeric_errors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as(const uint8_t *data, size_t size, const struct compare_settings *settings)
{
	struct compare_cells cells = {0};
	struct tr_source *source;
	char note[COLUMN_NOTE_BYTES];
	struct tr_error err = {0};

	if (tr_source_open_memory(&source, data, size, "fuzz", &err) != TR_OK)
		abort();
	if (compare_read_table(&cells, source, "fuzz", settings, note, &err) != TR_OK &&
	    err.text[0] == '\0')
		abort();
	compare_settle(&cells);
	for (size_t i = 0; i < cells.count; i++) {
		const struct compare_cell *cell = &cells.cells[i];

		if (cell->n == 0 && i + 1 < cells.count)
			abort();
		if (cell->block >= cells.blocks.count ||
		    cell->alternative >= cells.alternatives.count)
			abort();
		for (size_t k = 0; k < i && cell->n > 1; k++)
			if (cells.cells[k].n > 1)
				(void)sample_compare(&cell->sample, &cells.cells[k].sample, .9);
	}
	compare_clear(&cells);
	tr_source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct opt_choice no_words[] = {{NULL, 0}};
	const struct column_form form = {
		.words = no_words, .guessed = true, .decimal_comma = size % 2};
	const char *by[] = {"b"}, *where[] = {"w=1"};
	const struct compare_settings plain = {.form = form, .column = "v"};
	const struct compare_settings full = {
		.form = form, .column = "v", .by = {by, 1}, .where = {where, 1}, .among = "a"};

	numeric_errors_give_nan();
	read_as(data, size, &plain);
	read_as(data, size, &full);
	return 0;
}
