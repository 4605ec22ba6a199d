// SPDX-License-Identifier: GPL-3.0-or-later
#include "network_drawing.h"

#include "draw/layout.h"
#include "draw/svg.h"

static enum tr_status lay_out(struct tool *tool, struct draw_picture *picture, struct tr_error *err)
{
	struct tr_error why;

	if (picture->topology->places != NULL || picture->topology->switches == 0)
		return draw_layout_places(picture, err);
	if (draw_layout_graphviz(picture, &why) != TR_OK) {
		tool_warn(tool, "%s; the switches stand in a circle", why.text);
		draw_layout_circle(picture);
	}
	draw_layout_face(picture);
	return TR_OK;
}

enum tr_status network_drawing_write(struct tool *tool, const struct net_topology *topology,
				     const char *title, FILE *out, struct tr_error *err)
{
	struct draw_picture picture;
	enum tr_status status = draw_picture_open(&picture, topology, err);

	if (status == TR_OK)
		status = lay_out(tool, &picture, err);
	if (status == TR_OK)
		status = draw_layout_ports(&picture, err);
	if (status == TR_OK)
		draw_svg(&picture, title, tool_provenance(tool), out);
	draw_picture_close(&picture);
	return status;
}
