// SPDX-License-Identifier: GPL-3.0-or-later
// A file of nodes of any bytes.
#include <stdlib.h>

#include "packet/nodes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct pk_nodes *nodes = pk_nodes_new(100, PK_NODES_BY_ADDRESS);
	struct tr_error err = {""};
	struct tr_source *source;

	if (!nodes || tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) != TR_OK)
		abort();
	if (pk_nodefile_read(source, nodes, &err) != TR_OK && !err.text[0])
		abort();
	if (pk_nodes_count(nodes) > 100)
		abort();
	tr_source_close(source);
	pk_nodes_free(nodes);
	return 0;
}
