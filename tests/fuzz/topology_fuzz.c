// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of topologies on any bytes: it rejects with a message and leaves nothing, or its
// result is valid and reproduced when written and read again.
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status read_bytes(struct net_topology *topology, const void *data, size_t size_bytes,
				 struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	status = net_topology_read(topology, source, err);
	tr_source_close(source);
	return status;
}

// The text of a topology, to be freed.
static char *write_text(const struct net_topology *topology, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);
	struct tr_error err;

	promise(out);
	promise(net_topology_write(topology, NULL, out, &err) == TR_OK);
	promise(fclose(out) == 0);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct net_topology topology;
	struct net_topology again;
	struct tr_error err = {""};
	size_t one_bytes;
	size_t other_bytes;
	char *one;
	char *other;

	if (read_bytes(&topology, data, size_bytes, &err) != TR_OK) {
		promise(*err.text != '\0' && !topology.cables && !topology.names);
		return 0;
	}
	promise(net_topology_check(&topology, &err) == TR_OK);
	one = write_text(&topology, &one_bytes);
	promise(read_bytes(&again, one, one_bytes, &err) == TR_OK);
	other = write_text(&again, &other_bytes);
	promise(one_bytes == other_bytes && memcmp(one, other, one_bytes) == 0);
	free(one);
	free(other);
	net_topology_clear(&topology);
	net_topology_clear(&again);
	return 0;
}
