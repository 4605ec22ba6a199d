// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as tables: accepted ones have as many cells as they state.
#include <stdlib.h>
#include <string.h>

#include "report/printed_tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct opt_choice no_words[] = {{NULL, 0}};
	struct printed_tables tables;
	struct column_form form;
	struct tr_source *source;
	struct tr_error err;
	size_t bytes = 0;

	if (tr_source_open_memory(&source, data, size, "memory", &err) != TR_OK ||
	    column_form_parse(&form, no_words, size % 2 ? "dec=comma" : "-", &err) != TR_OK)
		abort();
	if (printed_tables_read(&tables, source, &form, &err) == TR_OK) {
		for (size_t i = 0; i < tables.count; i++)
			for (size_t k = 0; k < tables.list[i].columns * tables.list[i].rows; k++)
				bytes += strlen(tables.list[i].cells[k]);
		if (tables.count == 0 || bytes > size)
			abort();
	}
	printed_tables_clear(&tables);
	tr_source_close(source);
	return 0;
}
