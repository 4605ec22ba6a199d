// SPDX-License-Identifier: GPL-3.0-or-later
// The block matrix: how many nodes each class has, which ones, and the traffic between classes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/client_server/client_server.h"

// Gives a remaining node to the class with the largest remainder, the first of equal ones.
static void give_one(struct client_server *model, double *remainders)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t c = 0; c < model->class_count; c++)
		if (remainders[c] >= 0 && (best == UINT32_MAX || remainders[c] > remainders[best]))
			best = c;
	model->classes[best].nodes++;
	remainders[best] = -1;
}

enum tr_status client_server_scale(struct client_server *model, uint64_t nodes,
				   struct tr_error *err)
{
	uint64_t single = 0, given = 0;
	double *remainders;

	if (nodes == model->nodes)
		return TR_OK;
	if (model->placed)
		return tr_fail(err, "the key at fixes %llu nodes, so the model cannot have %llu",
			       (unsigned long long)model->nodes, (unsigned long long)nodes);
	for (uint32_t c = 0; c < model->class_count; c++)
		single += model->classes[c].nodes == 1;
	if (nodes < 2 || nodes > MODEL_NODES_MAX || single == model->nodes || nodes <= single)
		return tr_fail(err, "%llu nodes cannot be scaled to %llu",
			       (unsigned long long)model->nodes, (unsigned long long)nodes);
	remainders = calloc(model->class_count, sizeof(*remainders));
	if (!remainders)
		return tr_no_memory(err, "%u classes", model->class_count);
	for (uint32_t c = 0; c < model->class_count; c++) {
		struct client_class *class = &model->classes[c];
		const double wanted = (double)class->nodes * (double)(nodes - single) /
				      (double)(model->nodes - single);

		remainders[c] = class->nodes == 1 ? -1 : wanted - floor(wanted);
		class->nodes = class->nodes == 1 ? 1 : (uint64_t)wanted;
		given += class->nodes;
	}
	for (; given < nodes; given++)
		give_one(model, remainders);
	free(remainders);
	model->nodes = nodes;
	for (uint32_t c = 0; c < model->class_count; c++)
		if (model->classes[c].nodes == 0)
			return tr_fail(err, "with %llu nodes none is left for [%s]",
				       (unsigned long long)nodes, model->classes[c].name);
	return TR_OK;
}

void client_server_place(const struct client_server *model, uint32_t *class_of_node)
{
	uint32_t node = 0;

	for (uint64_t i = 0; i < model->nodes; i++)
		class_of_node[i] = UINT32_MAX;
	for (uint32_t c = 0; c < model->class_count; c++)
		for (size_t i = 0; i < model->classes[c].at_count; i++)
			class_of_node[model->classes[c].at[i]] = c;
	for (uint32_t c = 0; c < model->class_count; c++)
		for (uint64_t left = model->classes[c].at ? 0 : model->classes[c].nodes; left > 0;
		     node++)
			if (class_of_node[node] == UINT32_MAX) {
				class_of_node[node] = c;
				left--;
			}
}

double client_server_share(const struct client_server *model, uint32_t class, uint32_t target)
{
	const struct client_class *from = &model->classes[class];
	double share = 0;

	for (size_t i = 0; i < from->target_count; i++) {
		if (from->targets[i].class == CLIENT_SERVER_ALL)
			share += from->targets[i].share / (double)(model->nodes - 1);
		else if (from->targets[i].class == target)
			share += from->targets[i].share /
				 (double)(model->classes[target].nodes - (target == class));
	}
	return share;
}

// Seconds that a message of the bins takes on a link of the rate.
static double transfer_s(const struct client_server *model, const struct size_bin *bins,
			 size_t count, double rate_bps)
{
	return 8 * (size_bins_mean_B(bins, count) + model->header_B) / rate_bps;
}

// Mean seconds that a node of the class, which replies, is busy with a request.
static double client_server_answer_s(const struct client_server *model,
				     const struct client_class *server)
{
	return server->service_s +
	       transfer_s(model, server->reply_bins, server->reply_bin_count, server->rate_bps);
}

// Packets per second, without replies, from all nodes of a class to each node of the target class.
static double arrivals(const struct client_server *model, uint32_t class, uint32_t target)
{
	return model->classes[class].packets_per_s * client_server_share(model, class, target) *
	       (double)(model->classes[class].nodes - (class == target));
}

// Utilisation of a node of the server class by classes with a load, which do not wait.
static double busy_with_loads(const struct client_server *model, uint32_t server)
{
	double asked = 0;

	for (uint32_t c = 0; c < model->class_count; c++)
		if (!isnan(model->classes[c].load))
			asked += arrivals(model, c, server);
	return asked * client_server_answer_s(model, &model->classes[server]);
}

// Requests of thinking nodes of a class, or of all, at one server: mean number there, and
// utilisation.
struct presence {
	double waiting, busy;
};

static struct presence presence(const struct client_server *model, uint32_t class, uint32_t server,
				const double *waits)
{
	const double asked = isnan(model->classes[class].load) ? arrivals(model, class, server) : 0;

	return (struct presence){asked * waits[class * model->class_count + server],
				 asked * client_server_answer_s(model, &model->classes[server])};
}

// Mean residual time of the reply in progress when a request arrives (Kleinrock, Queueing systems
// 1, 1975).
static double residual_s(const struct client_server *model, const struct client_class *server)
{
	const double answer_s = client_server_answer_s(model, server),
		     byte_s = 8 / server->rate_bps;
	const double variance = server->service_s * server->service_s +
				byte_s * byte_s *
					size_bins_variance_B2(server->reply_bins,
							      server->reply_bin_count);

	return (answer_s + variance / answer_s) / 2;
}

// Sets how long a node of each thinking class waits for a node of the server class, on average: for
// the replies to those before it (not itself), and its own.
static void find_waits(const struct client_server *model, uint32_t server, double *waits)
{
	const double answer_s = client_server_answer_s(model, &model->classes[server]);
	const double rest_s = residual_s(model, &model->classes[server]);
	const double free = 1 - fmin(busy_with_loads(model, server), 0.999999);
	struct presence all = {0, 0};

	for (uint32_t c = 0; c < model->class_count; c++) {
		const struct presence one = presence(model, c, server, waits);

		all.waiting += one.waiting;
		all.busy += one.busy;
	}
	for (uint32_t c = 0; c < model->class_count; c++) {
		const struct presence own = presence(model, c, server, waits);
		const double waiting = all.waiting - own.waiting / (double)model->classes[c].nodes;
		const double busy = fmin(fmin(1, waiting),
					 all.busy - own.busy / (double)model->classes[c].nodes);

		if (isnan(model->classes[c].load))
			waits[c * model->class_count + server] = (answer_s * (1 + waiting - busy) +
								  rest_s * busy) /
								 free;
	}
}

#define ROUNDS_MAX 1000

// One round of the fixed point. Returns the largest relative change of a rate.
static double client_server_matrix_improve(struct client_server *model, double *waits)
{
	const uint32_t count = model->class_count;
	double change = 0;

	for (uint32_t s = 0; s < count; s++)
		if (model->classes[s].reply_bins)
			find_waits(model, s, waits);
	for (uint32_t c = 0; c < count; c++) {
		struct client_class *class = &model->classes[c];
		double cycle_s = class->think_s +
				 transfer_s(model, class->bins, class->bin_count, class->rate_bps);

		if (!isnan(class->load))
			continue;
		for (uint32_t s = 0; s < count; s++)
			cycle_s += waits[c * count + s] * client_server_share(model, c, s) *
				   (double)(model->classes[s].nodes - (c == s));
		change = fmax(change, fabs(1 / cycle_s / class->packets_per_s - 1));
		class->packets_per_s = 1 / cycle_s;
	}
	return change;
}

void client_server_solve(struct client_server *model)
{
	const uint32_t count = model->class_count;
	double *waits = calloc((size_t)count * count, sizeof(*waits));

	for (uint32_t c = 0; c < count; c++) {
		struct client_class *class = &model->classes[c];
		const double mean_B = size_bins_mean_B(class->bins, class->bin_count);

		class->packets_per_s = !isnan(class->load)
					       ? class->load * class->rate_bps / (8 * mean_B)
					       : 1 / (class->think_s + transfer_s(model,
										  class->bins,
										  class->bin_count,
										  class->rate_bps));
	}
	for (int round = 0; waits && round < ROUNDS_MAX; round++)
		if (client_server_matrix_improve(model, waits) < 1e-9)
			break;
	free(waits);
}

double client_server_asked(const struct client_server *model, uint32_t target)
{
	double asked = 0;

	for (uint32_t c = 0; c < model->class_count; c++)
		asked += model->classes[target].reply_bins ? arrivals(model, c, target) : 0;
	return asked;
}

enum tr_status client_server_check(const struct client_server *model, struct tr_error *err)
{
	for (uint32_t c = 0; c < model->class_count; c++)
		if (model->classes[c].reply_bins && busy_with_loads(model, c) >= 1)
			return tr_fail(err,
				       "a node of [%s] gets %.4g times the load that it can answer",
				       model->classes[c].name, busy_with_loads(model, c));
	return TR_OK;
}
