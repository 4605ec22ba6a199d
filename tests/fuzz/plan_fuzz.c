// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic of a plan from any bytes: a table of pairs with, maybe, one of nodes before it. What
// is refused is refused with words; what is taken is planned on a ring of three switches, and no
// step makes the busiest channel busier.
#include <stdlib.h>
#include <string.h>

#include "flitplan/flitplan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void take_steps(struct plan *plan)
{
	struct tr_error err = {""};
	const double most = plan_score(plan).most;
	uint32_t changed;

	promise(plan_place(plan, 0, 1, &err) == TR_OK);
	promise(plan_score(plan).most <= most * (1 + 1e-9));
	promise(plan_reroute(plan, 0, &changed, &err) == TR_OK);
	promise(plan_relieve(plan, 0, &changed, &err) == TR_OK);
	promise(plan_score(plan).most <= most * (1 + 1e-9));
}

static void plan_for(const struct net_topology *topology, const struct plan_traffic *traffic)
{
	const struct plan_setup setup = {.topology = topology,
					 .traffic = traffic->bytes,
					 .unit_Bps = 1,
					 .servers = traffic->servers,
					 .link_rate_Bps = 1e6,
					 .rule = "updown"};
	struct tr_error err = {""};
	struct plan plan;

	if (plan_open(&plan, &setup, &err) == TR_OK)
		take_steps(&plan);
	else
		promise(*err.text != '\0');
	plan_close(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	const struct opt_list servers = {.words = NULL};
	const struct plan_traffic_request request = {.map = "ids", .servers = &servers};
	struct plan_text text = {.text = strndup((const char *)data, size_bytes),
				 .name = strdup("fuzz")};
	struct net_topology topology;
	struct plan_traffic traffic;
	struct plan_names names;
	struct tr_error err = {""};
	double skipped;

	promise(text.text && text.name);
	text.bytes = strlen(text.text);
	plan_text_look(&text);
	promise(plan_names_find(&text, &names, &err) == TR_OK || *err.text != '\0');
	plan_names_close(&names);
	promise(net_topology_make(&topology, "ring:3,hosts=2", &err) == TR_OK);
	*err.text = '\0';
	if (plan_traffic_read(&text, &request, &topology, &traffic, &skipped, &err) == TR_OK)
		plan_for(&topology, &traffic);
	else
		promise(*err.text != '\0');
	plan_traffic_close(&traffic);
	net_topology_clear(&topology);
	plan_text_close(&text);
	return 0;
}
