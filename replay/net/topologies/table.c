// SPDX-License-Identifier: GPL-3.0-or-later
// The generators.
#include <string.h>

#include "net/topologies/generator.h"

const struct net_generator *const net_generators[] = {
	&net_direct,
	&net_switch,
	&net_line,
	&net_ring,
	&net_mesh,
	&net_torus,
	&net_hypercube,
	&net_fattree,
	&net_clos,
	&net_random_regular,
	&net_random_irregular,
	&net_triangle16,
	&net_triangle18,
	&net_george96,
	&net_yates16a,
	&net_yates16b,
	&net_yates16,
	&net_yates32x6,
	&net_yates32,
	&net_yates64,
	&net_yates128,
	NULL,
};

const struct net_generator *net_generator_find(const char *text)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; net_generators[i]; i++)
		if (strlen(net_generators[i]->name) == length && memcmp(net_generators[i]->name, text, length) == 0)
			return net_generators[i];
	return NULL;
}

enum tr_status net_topology_make(struct net_topology *topology, const char *text, struct tr_error *err)
{
	const struct net_generator *generator = net_generator_find(text);
	const char *colon = strchr(text, ':');
	struct tr_error why;
	struct net_args args;
	enum tr_status status;

	*topology = (struct net_topology){0};
	if (!generator)
		return tr_fail(err,
			       "network \"%s\": no generator is called so (flitnet --list has "
			       "them)",
			       text);
	net_args_open(&args, colon ? colon + 1 : NULL);
	status = generator->make(topology, &args, &why);
	net_args_clear(&args);
	if (status == TR_OK)
		return TR_OK;
	net_topology_clear(topology);
	return tr_fail(err, "network \"%s\" (%s%s%s): %s", text, generator->name, *generator->arguments != '\0' ? ":" : "",
		       generator->arguments, why.text);
}
