// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/picture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHIP_PADDING 10.0
#define NUMBER_PADDING 8.0
#define NUMBER_HEIGHT 14.0
#define BOX_SIZE 8.0
#define NO_CARD UINT32_MAX

// The card of each node: its own, its switch's, or none yet.
static uint32_t *find_cards(struct draw_picture *picture)
{
	const struct net_topology *topology = picture->topology;
	const uint32_t nodes = topology->hosts + topology->switches;
	uint32_t *card_of = calloc((size_t)nodes + 1, sizeof(*card_of));

	if (!card_of)
		return NULL;
	memset(card_of, 0xff, nodes * sizeof(*card_of));
	for (uint32_t i = 0; i < topology->switches; i++)
		card_of[topology->hosts + i] = picture->card_count++;
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i].ends;

		for (size_t e = 0; e < 2; e++)
			if (ends[e].node < topology->hosts)
				card_of[ends[e].node] = ends[1 - e].node < topology->hosts
								? picture->card_count++
								: card_of[ends[1 - e].node];
	}
	return card_of;
}

static bool is_host_cable(const struct net_topology *topology, const struct net_cable *cable)
{
	return (cable->ends[0].node < topology->hosts) != (cable->ends[1].node < topology->hosts);
}

static void sort_in_hosts(struct draw_picture *picture)
{
	const struct net_topology *topology = picture->topology;
	uint32_t place = 0;

	for (uint32_t i = 0; i < picture->card_count; i++) {
		picture->cards[i].first_host = place;
		place += picture->cards[i].host_count;
		picture->cards[i].host_count = 0;
	}
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];
		const size_t at = cable->ends[0].node < topology->hosts ? 0 : 1;
		struct draw_card *card;
		uint32_t put;

		if (!is_host_cable(topology, cable))
			continue;
		card = &picture->cards[cable->ends[1 - at].node - topology->hosts];
		for (put = card->first_host + card->host_count++;
		     put > card->first_host &&
		     picture->hosts[put - 1].port > cable->ends[1 - at].port;
		     put--)
			picture->hosts[put] = picture->hosts[put - 1];
		picture->hosts[put] = (struct draw_host){
			cable->ends[at].node, cable->ends[1 - at].port, (uint32_t)(2 * i + at)};
	}
}

static void add_wires(struct draw_picture *picture, const uint32_t *card_of)
{
	const struct net_topology *topology = picture->topology;

	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];
		struct draw_wire *wire = &picture->wires[picture->wire_count];

		if (is_host_cable(topology, cable)) {
			picture->cards[card_of[cable->ends[0].node]].host_count++;
			continue;
		}
		picture->wire_count++;
		wire->cable = i;
		for (size_t e = 0; e < 2; e++) {
			wire->ends[e] = (struct draw_end){.card = card_of[cable->ends[e].node],
							  .port = cable->ends[e].port};
			picture->cards[wire->ends[e].card].wires++;
		}
	}
}

static double text_width(const struct net_topology *topology, uint32_t node, double letter)
{
	char name[DRAW_NAME_ROOM];

	return letter * (double)strlen(net_topology_name(topology, node, name, sizeof(name)));
}

const char *draw_number(const struct net_topology *topology, uint32_t node,
			char out[DRAW_NAME_ROOM])
{
	const char *name = net_topology_name(topology, node, out, DRAW_NAME_ROOM);
	size_t at = strlen(name);

	while (at > 0 && isdigit((unsigned char)name[at - 1]))
		at--;
	return name[at] == '\0' ? name : name + at;
}

static void size_with_chips(const struct draw_picture *picture, struct draw_card *card)
{
	card->columns = (uint32_t)ceil(sqrt(card->host_count / 1.5));
	card->chip_width = 0;
	for (uint32_t i = 0; i < card->host_count; i++) {
		const double width = CHIP_PADDING + 3 * DRAW_LETTER +
				     text_width(picture->topology,
						picture->hosts[card->first_host + i].node,
						DRAW_LETTER);

		card->chip_width = fmax(card->chip_width, width);
	}
	card->width = fmax(card->width, 2 * DRAW_EDGE + card->columns * card->chip_width);
	card->height += DRAW_CHIP * ((card->host_count + card->columns - 1) / card->columns);
}

static void size_card(const struct draw_picture *picture, struct draw_card *card)
{
	char number[DRAW_NAME_ROOM];

	if (picture->detail == DRAW_BOXES) {
		card->width = card->height = BOX_SIZE;
		return;
	}
	if (picture->detail == DRAW_NUMBERS) {
		card->width = NUMBER_PADDING +
			      DRAW_LETTER * (double)strlen(draw_number(picture->topology,
								       card->node, number));
		card->height = NUMBER_HEIGHT;
		return;
	}
	card->width = 2 * DRAW_EDGE + text_width(picture->topology, card->node, DRAW_CAPITAL);
	card->height = 2 * DRAW_EDGE + DRAW_TITLE;
	if (card->host_count > 0 && picture->detail == DRAW_CHIPS)
		size_with_chips(picture, card);
	else if (card->host_count > 0)
		card->height += DRAW_CHIP;
}

void draw_picture_size(struct draw_picture *picture, enum draw_detail detail)
{
	static const double bows[] = {
		[DRAW_CHIPS] = 1, [DRAW_COUNTS] = 1, [DRAW_NUMBERS] = 0.5, [DRAW_BOXES] = 0.3};

	picture->detail = detail;
	for (uint32_t i = 0; i < picture->card_count; i++)
		size_card(picture, &picture->cards[i]);
	for (size_t i = 0; i < picture->wire_count; i++)
		picture->wires[i].bow = bows[detail];
}

void draw_box_include(struct draw_box *box, double left, double top, double right, double bottom)
{
	box->left = fmin(box->left, left);
	box->top = fmin(box->top, top);
	box->right = fmax(box->right, right);
	box->bottom = fmax(box->bottom, bottom);
}

void draw_box_include_card(struct draw_box *box, const struct draw_card *card)
{
	draw_box_include(box, card->x - card->width / 2, card->y - card->height / 2,
			 card->x + card->width / 2, card->y + card->height / 2);
}

struct draw_box draw_box_of(const struct draw_picture *picture)
{
	struct draw_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};

	for (uint32_t i = 0; i < picture->card_count; i++)
		draw_box_include_card(&box, &picture->cards[i]);
	for (size_t i = 0; i < picture->wire_count; i++) {
		const struct draw_wire *wire = &picture->wires[i];
		const struct draw_end *end = &wire->ends[0];

		if (!wire->bowed)
			continue;
		if (end->side == DRAW_TOP)
			draw_box_include(&box, end->x, end->y - draw_bow(wire), end->x, end->y);
		else
			draw_box_include(&box, end->x, end->y, end->x + draw_bow(wire), end->y);
	}
	return box;
}

// The node of each card.
static void name_cards(struct draw_picture *picture, const uint32_t *card_of)
{
	const struct net_topology *topology = picture->topology;

	for (uint32_t node = topology->hosts; node < topology->hosts + topology->switches; node++)
		picture->cards[card_of[node]].node = node;
	for (uint32_t host = 0; host < topology->hosts; host++)
		if (card_of[host] >= topology->switches && card_of[host] != NO_CARD)
			picture->cards[card_of[host]].node = host;
}

enum tr_status draw_picture_open(struct draw_picture *picture, const struct net_topology *topology,
				 struct tr_error *err)
{
	uint32_t *card_of;

	*picture = (struct draw_picture){.topology = topology};
	card_of = find_cards(picture);
	picture->cards = calloc((size_t)picture->card_count + 1, sizeof(*picture->cards));
	picture->hosts = calloc((size_t)topology->hosts + 1, sizeof(*picture->hosts));
	picture->wires = calloc(topology->cable_count + 1, sizeof(*picture->wires));
	if (!card_of || !picture->cards || !picture->hosts || !picture->wires) {
		free(card_of);
		return tr_no_memory(err, "a drawing");
	}
	name_cards(picture, card_of);
	add_wires(picture, card_of);
	sort_in_hosts(picture);
	free(card_of);
	return TR_OK;
}

void draw_picture_close(struct draw_picture *picture)
{
	free(picture->cards);
	free(picture->hosts);
	free(picture->wires);
	free(picture->places);
	free(picture->blocks);
	*picture = (struct draw_picture){.topology = NULL};
}
