// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a table of ping-pongs: rejected with a message, or read; every row is in range and
// the only one of its path and size, and the estimates take it.
#include <stdlib.h>

#include "net/studies/sci/components.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct sci_ping_pongs *pongs)
{
	struct sci_components found;

	if (pongs->count > SCI_PING_PONGS_MAX)
		abort();
	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];

		if (row->hops < 1 || row->switches >= row->hops || !(row->ns > 0))
			abort();
		if (sci_ping_pongs_find(pongs, *row) != row)
			abort();
	}
	sci_components_find(&found, pongs, 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sci_ping_pongs *pongs = calloc(1, sizeof(*pongs));
	struct tr_source *source;
	struct tr_error err = {""};

	if (!pongs || tr_source_open_memory(&source, data, size, "fuzz", &err) != TR_OK)
		abort();
	if (sci_ping_pongs_read(pongs, source, &err) == TR_OK)
		check(pongs);
	else if (err.text[0] == '\0')
		abort();
	tr_source_close(source);
	free(pongs);
	return 0;
}
