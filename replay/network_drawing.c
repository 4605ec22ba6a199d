// SPDX-License-Identifier: GPL-3.0-or-later
#include "network_drawing.h"

#include "draw/layout.h"
#include "draw/svg.h"
#include "link_load.h"

static enum tr_status lay_out(struct tool *tool, struct draw_picture *picture, struct tr_error *err)
{
	struct tr_error why;

	if (picture->topology->places || picture->topology->switches == 0)
		return draw_layout_places(picture, err);
	if (draw_layout_graphviz(picture, &why) != TR_OK) {
		tool_warn(tool, "%s; the switches stand in a circle", why.text);
		draw_layout_circle(picture);
	}
	draw_layout_face(picture);
	return TR_OK;
}

static enum tr_status prepare(struct tool *tool, struct draw_picture *picture, const struct net_topology *topology,
			      struct tr_error *err)
{
	if (draw_picture_open(picture, topology, err) != TR_OK || lay_out(tool, picture, err) != TR_OK)
		return TR_ERROR;
	return draw_layout_ports(picture, err);
}

// The load of the links, empty where none is asked for.
static bool read_load(struct tool *tool, const char *path, const struct net_topology *topology, struct link_load *load)
{
	struct tr_reader *in;
	struct tr_error err;

	*load = (struct link_load){.busy = NULL};
	if (!path)
		return true;
	in = tool_open_input(tool, path);
	if (!in)
		return false;
	if (link_load_read(load, topology, in, &err) != TR_OK && *err.text != '\0')
		tool_error(tool, "%s", err.text);
	tool_close_input(tool, in);
	return load->busy;
}

bool network_drawing_write(struct tool *tool, const struct net_topology *topology, const struct network_drawing *drawing,
			   const char *path)
{
	struct draw_picture picture = {.topology = NULL};
	struct link_load load;
	struct tr_error err;
	FILE *out = NULL;

	if (!read_load(tool, drawing->links, topology, &load))
		return false;
	if (prepare(tool, &picture, topology, &err) != TR_OK)
		tool_error(tool, "%s: %s", drawing->title, err.text);
	else
		out = tool_printable_output(tool, path);
	if (out)
		draw_svg(&picture, load.busy, drawing->title, tool_provenance(tool), out);
	draw_picture_close(&picture);
	link_load_clear(&load);
	return out;
}
