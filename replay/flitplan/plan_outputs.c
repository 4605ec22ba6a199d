// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a plan is kept in.
#include <stdlib.h>
#include <string.h>

#include "draw/paper.h"
#include "draw/picture.h"
#include "file/outfile.h"
#include "flitplan.h"
#include "input/node_map.h"
#include "net/routes/routes_forms.h"
#include "net/topology/topology_text.h"

// What the files are made of.
struct product {
	struct tool *tool;
	const struct plan *plan;
	const char *map; // as given
	const double *before;
	struct net_topology topology;
	const struct plan_outputs *outputs;
};

static enum tr_status put_network(const struct product *product, FILE *out, struct tr_error *err)
{
	return net_topology_write(&product->topology, tool_provenance(product->tool), out, err);
}

static enum tr_status put_routes(const struct product *product, FILE *out, struct tr_error *err)
{
	struct net_routes routes = {0};
	enum tr_status status = plan_net_routes(product->plan, &product->topology, &routes, err);

	if (status == TR_OK)
		status = net_routes_write(&routes, &product->topology, NET_ROUTES_TEXT,
					  tool_provenance(product->tool), out, err);
	net_routes_clear(&routes);
	return status;
}

// Addresses as they were given, else the names that nodes have in traces of models; the group is
// the switch.
static enum tr_status put_map(const struct product *product, FILE *out, struct tr_error *err)
{
	const struct plan *plan = product->plan;
	struct node_map map = {0};
	enum tr_status status = node_map_open(&map, product->map, plan->given, err);
	char name[NET_NAME_MAX + 16];

	for (uint32_t i = 0; status == TR_OK && i < plan->nodes; i++) {
		const char *address = plan->given->names ? plan->given->names[i] : NULL;
		char usual[32];

		(void)snprintf(usual, sizeof(usual), "node%u", i);
		for (uint32_t l = 0; node_map_is_file(product->map) && l < map.line_count; l++)
			if (map.lines[l].host == i)
				address = map.lines[l].address;
		fprintf(out, "%s %u %s\n", address ? address : usual, i,
			plan_switch_name(plan, plan->at[i], name, sizeof(name)));
	}
	node_map_close(&map);
	return status;
}

static enum tr_status put_drawing(const struct product *product,
				  const struct net_topology *topology, const double *shares,
				  const char *title, const char *path, FILE *out,
				  struct tr_error *err)
{
	struct draw_picture picture = {.topology = NULL};
	struct draw_paper paper = {.svg = NULL};
	enum tr_status status = draw_picture_open(&picture, topology, err);

	if (status == TR_OK)
		status = draw_layout(&picture, err);
	if (status == TR_OK)
		status = draw_paper_open(&paper, path, out, err);
	if (status == TR_OK)
		draw_svg(&picture, shares, title, tool_provenance(product->tool), paper.svg);
	status = draw_paper_close(&paper, status == TR_OK, err);
	draw_picture_close(&picture);
	return status;
}

static enum tr_status draw_after(const struct product *product, FILE *out, struct tr_error *err)
{
	const struct plan *plan = product->plan;
	double *shares = calloc(2 * product->topology.cable_count + 1, sizeof(*shares));
	enum tr_status status;

	for (uint32_t k = 0; shares && k < plan_channels(plan); k++) // cables of nodes come first
		shares[2 * (size_t)plan->nodes + k] = plan_utilisation(plan, k);
	status = shares ? put_drawing(product, &product->topology, shares, "after",
				      product->outputs->drawing, out, err)
			: tr_no_memory(err, "a drawing");
	free(shares);
	return status;
}

static enum tr_status draw_before(const struct product *product, FILE *out, struct tr_error *err)
{
	const struct plan *plan = product->plan;
	double *shares = calloc(2 * plan->given->cable_count + 1, sizeof(*shares));
	enum tr_status status;

	for (uint32_t c = 0; shares && c < plan->cable_count; c++)
		for (unsigned way = 0; way < 2 && plan->cables[c].given != SIZE_MAX; way++)
			shares[2 * plan->cables[c].given + way] = product->before[2 * c + way];
	status = shares ? put_drawing(product, plan->given, shares, "before",
				      product->outputs->drawing_before, out, err)
			: tr_no_memory(err, "a drawing");
	free(shares);
	return status;
}

static bool plan_outputs_write_one(const struct product *product, const char *path,
				   enum tr_status (*put)(const struct product *product, FILE *out,
							 struct tr_error *err))
{
	const struct tr_outfile_options options = {.files = tool_files(product->tool)};
	struct tr_outfile *file = NULL;
	struct tr_error err = {""}, why;
	enum tr_status status;
	FILE *out;

	if (!path)
		return true;
	status = tr_outfile_open(&file, path, &options, &err);
	if (status == TR_OK) {
		tool_tell_exposed(product->tool, path, tr_outfile_is_exposed(file));
		out = tr_outfile_stream(file);
		status = out ? put(product, out, &err) : tr_no_memory(&err, "%s", path);
	}
	if (tr_outfile_close(file, status == TR_OK, &why) != TR_OK && status == TR_OK)
		status = tr_fail_for(&err, &why, "%s", why.text);
	if (status != TR_OK)
		tool_error(product->tool, "%s", err.text);
	return status == TR_OK;
}

// The network is the program's one main output, which may be the standard output.
static bool plan_outputs_write_network(const struct product *product, const char *path)
{
	FILE *out = path ? tool_printable_output(product->tool, path) : NULL;
	struct tr_error err;

	if (!path || (out && put_network(product, out, &err) == TR_OK))
		return true;
	if (out)
		tool_error(product->tool, "%s", err.text);
	return false;
}

bool plan_outputs_write(struct tool *tool, const struct plan_outputs *outputs,
			const struct plan *plan, const char *map, const double *before)
{
	struct product product = {
		.tool = tool, .plan = plan, .map = map, .before = before, .outputs = outputs};
	struct tr_error err;
	bool done = false;

	if (plan_topology(plan, &product.topology, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		done = plan_outputs_write_network(&product, outputs->network) &&
		       plan_outputs_write_one(&product, outputs->routes, put_routes) &&
		       plan_outputs_write_one(&product, outputs->map, put_map) &&
		       plan_outputs_write_one(&product, outputs->drawing_before, draw_before) &&
		       plan_outputs_write_one(&product, outputs->drawing, draw_after);
	net_topology_clear(&product.topology);
	return done;
}
