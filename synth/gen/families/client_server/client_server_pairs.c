// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic matrix of clients and servers, node by node.
#include <stdlib.h>
#include <string.h>

#include "gen/families/client_server/client_server.h"
#include "gen/pairs.h"

// Of each node of a class to each other node of a class.
static double unasked_Bps(const struct client_server *model, uint32_t class, uint32_t target)
{
	const struct client_class *from = &model->classes[class];

	return from->packets_per_s * client_server_share(model, class, target) *
	       (size_bins_mean_B(from->bins, from->bin_count) + model->header_B);
}

// What the class answers to the target's requests.
static double answers_Bps(const struct client_server *model, uint32_t class, uint32_t target)
{
	const struct client_class *server = &model->classes[class];

	if (!server->reply_bins)
		return 0;
	return model->classes[target].packets_per_s * client_server_share(model, target, class) *
	       (size_bins_mean_B(server->reply_bins, server->reply_bin_count) + model->header_B);
}

static void client_server_pairs_fill(const struct client_server *model,
				     const uint32_t *class_of_node, struct pairs *out)
{
	const uint32_t classes = model->class_count;

	for (uint32_t a = 0; a < classes; a++)
		for (uint32_t b = 0; b < classes; b++) {
			const double Bps = unasked_Bps(model, a, b) + answers_Bps(model, a, b);

			for (uint32_t i = 0; i < out->nodes; i++)
				for (uint32_t j = 0; class_of_node[i] == a && j < out->nodes; j++)
					if (i != j && class_of_node[j] == b)
						out->wire_Bps[(size_t)i * out->nodes + j] = Bps;
		}
	for (uint32_t i = 0; i < out->nodes; i++) {
		const struct client_class *class = &model->classes[class_of_node[i]];

		out->classes[i] = class->name;
		out->rates_bps[i] = class->rate_bps;
		out->servers[i] = class->reply_bins || strncmp(class->name, "server", 6) == 0;
	}
}

enum tr_status client_server_pairs(const struct model *text, struct pairs *out,
				   struct tr_error *err)
{
	struct client_server model;
	uint32_t *class_of_node = NULL;
	enum tr_status status;

	*out = (struct pairs){.nodes = 0};
	if (client_server_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	client_server_solve(&model);
	status = client_server_check(&model, err);
	if (status == TR_OK)
		status = pairs_open(out, model.nodes, err);
	if (status == TR_OK && !(class_of_node = calloc(model.nodes + 1, sizeof(*class_of_node))))
		status = tr_no_memory(err, "the classes of the nodes");
	if (status == TR_OK) {
		client_server_place(&model, class_of_node);
		client_server_pairs_fill(&model, class_of_node,
					 out); // names are lent from the text
	}
	free(class_of_node);
	client_server_clear(&model);
	return status;
}
