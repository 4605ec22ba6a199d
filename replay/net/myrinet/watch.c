// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/watch.h"

#include "net/myrinet/bytes.h"

// Counts the character among its worm's on the link: routes, and its place among those of its kind
// that stand together.
static void count(struct myr_view *view, struct myr_character character)
{
	bool same = character.worm == view->worm && character.kind == view->kind;

	view->index = same ? view->index + 1 : 0;
	if (character.kind == MYR_ROUTE)
		view->routes = view->index + 1;
	else if (character.kind == MYR_GAP || view->worm != character.worm)
		view->routes = 0;
	view->worm = character.worm;
	view->kind = character.kind;
}

// What the character says, and as which byte.
static void read_worm(const struct myr_network *net, const struct myr_view *view,
		      struct myr_character character, struct net_character *out)
{
	const struct net_worm *worm = myr_worm(net, character.worm);

	out->packet = worm->packet.id;
	out->of_packet = true;
	out->has_byte = true;
	switch ((enum myr_kind)character.kind) {
	case MYR_ROUTE:
		out->value = character.port;
		out->byte = myr_byte_route(character.port);
		break;
	case MYR_FINAL:
		out->value = worm->destination;
		out->byte = myr_byte_final(worm->destination);
		break;
	case MYR_TYPE:
		out->value = view->index;
		break;
	case MYR_DATA:
		out->value = view->index;
		out->byte = myr_byte_data(net->params->loss.seed, out->packet, view->index);
		break;
	case MYR_CRC:
		out->byte = myr_byte_crc(net->params, worm, worm->route_count - view->routes) ^
			    myr_life(net, character.worm)->residue;
		break;
	default: out->has_byte = false;
	}
	out->has_value = out->has_byte && character.kind != MYR_CRC;
	out->byte ^= character.flip;
}

void myr_watch_put(struct myr_network *net, struct myr_link *link, struct myr_character character)
{
	const struct net_watch *watch = net->setup->watch;
	struct net_character out = {.time_ticks = net->events.now_ticks,
				    .link = link->number,
				    .kind = myr_kind_name((enum myr_kind)character.kind)};

	if (watch->links != NULL && !watch->links[link->number])
		return;
	if (character.worm != NET_NO_WORM)
		count(&net->parts.views[link->number], character);
	if (net->status != TR_OK || out.time_ticks < watch->from_ticks ||
	    out.time_ticks >= watch->to_ticks)
		return;
	if (character.worm != NET_NO_WORM)
		read_worm(net, &net->parts.views[link->number], character, &out);
	net->status = watch->see(watch->context, &out, net->err);
}
