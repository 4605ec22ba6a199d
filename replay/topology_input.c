// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_input.h"

#include <string.h>
#include <unistd.h>

#include "net/topologies/generator.h"
#include "net/topology_text.h"

static enum tr_status read_file(struct tool *tool, const char *path, struct net_topology *topology, struct tr_error *err)
{
	struct tr_source *source = tool_open_source(tool, path);
	enum tr_status status;

	if (!source)
		return TR_ERROR;
	status = net_topology_read(topology, source, err);
	tr_source_close(source);
	return status;
}

bool topology_input_open(struct tool *tool, const char *text, struct net_topology *topology)
{
	struct tr_error err = {""};
	enum tr_status status;

	*topology = (struct net_topology){0};
	if (net_generator_find(text))
		status = net_topology_make(topology, text, &err);
	else if (strcmp(text, "-") != 0 && access(text, F_OK) != 0)
		status = tr_fail(&err, "network \"%s\": neither a generator (flitnet --list) nor a file", text);
	else
		status = read_file(tool, text, topology, &err);
	if (*err.text != '\0')
		tool_error(tool, "%s", err.text);
	return status == TR_OK;
}
