// SPDX-License-Identifier: GPL-3.0-or-later
// Choices of a rule that says what worms may do at one input: to each switch with hosts, from where
// they begin to wherever that leads them.
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"

struct choices_following {
	struct net_choices *choices;
	const struct net_choice_finder *finder;
	void *work;
	uint32_t *queue; // of inputs
	uint32_t count;
	bool *met; // by input
};

// Puts the options of an input, and notes where they lead.
static enum tr_status choices_follow_input(struct choices_following *following, uint32_t input,
					   uint32_t to, struct tr_error *err)
{
	struct net_option options[NET_PORTS_MAX];
	const struct net_input what = net_choices_what(following->choices, input);
	const uint32_t found = following->finder->find(following->work, what, to, options);

	for (uint32_t i = 0; i < found; i++) {
		const uint32_t next = net_choices_next(following->choices, what.at, options[i]);

		if (following->met[next] || net_choices_what(following->choices, next).at == to)
			continue;
		following->met[next] = true;
		following->queue[following->count++] = next;
	}
	return found == 0 ? TR_OK
			  : net_choices_put(following->choices, input, to, options, found, err);
}

static enum tr_status choices_follow_to(struct choices_following *following, uint32_t to,
					struct tr_error *err)
{
	const uint32_t inputs = net_choices_inputs(following->choices);
	enum tr_status status = TR_OK;

	memset(following->met, 0, inputs * sizeof(*following->met));
	following->count = 0;
	if (following->finder->begin)
		following->finder->begin(following->work, to);
	for (uint32_t at = 0; at < net_graph_switches(net_choices_graph(following->choices)); at++)
		if (at != to)
			following->queue[following->count++] = net_choices_host_input(at);
	for (uint32_t i = 0; i < following->count && status == TR_OK; i++)
		status = choices_follow_input(following, following->queue[i], to, err);
	return status;
}

enum tr_status net_choices_follow(struct net_routes *routes, struct net_choices *choices,
				  const struct net_choice_finder *finder, void *work,
				  struct tr_error *err)
{
	const size_t inputs = choices ? net_choices_inputs(choices) : 0;
	struct choices_following following = {choices, finder, work,
					      .queue = calloc(inputs + 1, sizeof(*following.queue)),
					      .met = calloc(inputs + 1, sizeof(*following.met))};
	enum tr_status status = choices ? TR_OK : TR_ERROR;

	*routes = (struct net_routes){0};
	if (status == TR_OK && (!following.queue || !following.met))
		status = tr_no_memory(err, "the choices of routes");
	for (uint32_t to = 0;
	     status == TR_OK && to < net_graph_switches(net_choices_graph(choices)); to++)
		if (net_choices_has_hosts(choices, to))
			status = choices_follow_to(&following, to, err);
	free(following.queue);
	free(following.met);
	if (status == TR_OK)
		return net_choices_routes(routes, choices, err);
	net_choices_close(choices);
	return TR_ERROR;
}
