// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a switch's outputs serve its inputs: the Round Robin String of the Yates
// thesis.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "net/myrinet/order.h"

#include "net/topology.h"

#define YATES_ORDER "65743021"
#define YATES_PORTS 8u

// The next port of text, whose form is digits, or numbers with dashes; moves *text behind it.
static bool next_port(const char **text, bool dashes, uint32_t *port)
{
	const char *at = *text;

	if (!isdigit((unsigned char)*at))
		return false;
	*port = 0;
	do
		*port = *port * 10 + (uint32_t)(*at++ - '0');
	while (dashes && isdigit((unsigned char)*at) && *port <= NET_PORTS_MAX);
	if (dashes && *at == '-' && isdigit((unsigned char)at[1]))
		at++;
	*text = at;
	return true;
}

enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text, struct tr_error *err)
{
	const bool usual = *text == '\0';
	const char *at = usual && ports == YATES_PORTS ? YATES_ORDER : text;
	bool dashes = strchr(at, '-');
	bool seen[NET_PORTS_MAX] = {false};
	uint32_t port;

	for (uint32_t i = 0; i < ports; i++) {
		if (usual && ports != YATES_PORTS)
			port = i;
		else if (!next_port(&at, dashes, &port) || port >= ports || seen[port])
			return tr_fail(err, "order \"%s\": expected each of the ports 0 to %u once", text, ports - 1);
		seen[port] = true;
		order[i] = (uint16_t)port;
	}
	if (*at != '\0')
		return tr_fail(err, "order \"%s\": expected each of the ports 0 to %u once", text, ports - 1);
	return TR_OK;
}
