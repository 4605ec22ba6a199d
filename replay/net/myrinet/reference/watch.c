// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/reference/reference.h"

#include "net/myrinet/characters.h"

// Counts the character in its worm on the link: routes, and its index in the current run of its
// kind.
static void watch_count(struct reference_view *view, struct myr_character character)
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

// Decodes the character: its value and byte.
static void read_worm(const struct myr_run *run, const struct reference_view *view,
		      struct myr_character character, struct net_character *out)
{
	const struct net_worm *worm = myr_run_worm(run, character.worm);
	const struct myr_life *life = &run->lives[character.worm];

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
	case MYR_TYPE: out->value = view->index; break;
	case MYR_DATA:
		out->value = view->index;
		out->byte = myr_byte_data(run->params->loss.seed, life->data, view->index);
		break;
	case MYR_CRC:
		out->byte = myr_byte_crc(run->params, worm, life->data,
					 worm->route_count - view->routes) ^
			    life->residue;
		break;
	default: out->has_byte = false;
	}
	out->has_value = out->has_byte && character.kind != MYR_CRC;
	out->byte ^= character.flip;
}

void reference_watch(struct myr_run *run, uint32_t number, struct myr_character character)
{
	const struct net_watch *watch = run->net.setup->watch;
	struct reference_view *view = &reference_link(run, number)->view;
	struct net_character out = {.time_ticks = run->net.now_ticks,
				    .link = number,
				    .kind = myr_kind_name((enum myr_kind)character.kind)};

	if (watch->links && !watch->links[number])
		return;
	if (character.worm != NET_NO_WORM)
		watch_count(view, character);
	if (run->net.status != TR_OK || out.time_ticks < watch->from_ticks ||
	    out.time_ticks >= watch->to_ticks)
		return;
	if (character.worm != NET_NO_WORM)
		read_worm(run, view, character, &out);
	run->net.status = watch->see(watch->context, &out, run->net.err);
}
