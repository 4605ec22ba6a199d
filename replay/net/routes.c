// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes.h"

uint32_t net_routes_get(const struct net_routes *routes, uint32_t source, uint32_t destination, uint16_t *ports)
{
	return routes->form->get(routes->state, source, destination, ports);
}

void net_routes_clear(struct net_routes *routes)
{
	if (routes->form)
		routes->form->clear(routes->state);
	*routes = (struct net_routes){0};
}
