// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which topologies are read, each known by its first bytes.
#include <string.h>

#include "net/gm_map.h"
#include "net/topology_text.h"
#include "trace/recognise.h"

#define HEAD_BYTES 64u

static bool is_text(const char *head)
{
	return strncmp(head, NET_TOPOLOGY_MAGIC, strlen(NET_TOPOLOGY_MAGIC)) == 0;
}

static const struct form {
	bool (*is)(const char *head);
	enum tr_status (*read)(struct net_topology *topology, struct tr_source *source, struct tr_error *err);
} forms[] = {
	{is_text, net_topology_read_text},
	{net_gm_map_is, net_gm_map_read},
};

enum tr_status net_topology_read(struct net_topology *topology, struct tr_source *source, struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	char head[HEAD_BYTES + 1] = "";
	const uint8_t *data;
	size_t got;

	*topology = (struct net_topology){0};
	if (tr_source_peek(source, HEAD_BYTES, &data, &got, err) == TR_ERROR)
		return TR_ERROR;
	memcpy(head, data, got < HEAD_BYTES ? got : HEAD_BYTES);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].is(head))
			return forms[i].read(topology, source, err);
	return tr_fail(err, "%s:1: expected a topology (\"%s %s\") or a GM map%s", tr_source_name(source), NET_TOPOLOGY_MAGIC,
		       NET_TOPOLOGY_VERSION, tr_recognise_source(source, hint, sizeof(hint)));
}
