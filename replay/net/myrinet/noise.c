// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/noise.h"

#include <math.h>
#include <stdio.h>

#include "net/myrinet/crc.h"

#define BITS 8u
#define FAR 1e18

// Whole bits before the next error.
static uint64_t draw_gap(const struct myr_network *net, struct myr_noise *noise)
{
	double rate = num_value(net->params->loss.bit_errors);
	double gap = rate < 1 ? floor(log(tr_random_unit(&noise->random)) / log1p(-rate)) : 0;

	return (uint64_t)(gap < FAR ? gap : FAR);
}

void myr_noise_start(struct myr_network *net)
{
	char link[NET_LINK_NAME_MAX];
	char name[NET_LINK_NAME_MAX + 8];

	if (net->params->loss.bit_errors.num == 0)
		return;
	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		struct myr_noise *noise = &net->parts.noises[i];

		net_link_name(net->setup->topology, i, link, sizeof(link));
		snprintf(name, sizeof(name), "bits %s", link);
		tr_random_open(&noise->random, net->params->loss.seed, name);
		noise->left_bits = draw_gap(net, noise);
	}
}

void myr_noise_pass(struct myr_network *net, const struct myr_link *link,
		    struct myr_character *character)
{
	struct myr_noise *noise = &net->parts.noises[link->number];
	uint64_t bits = BITS; // of the character that are left
	uint8_t flip = 0;

	if (character->kind < MYR_ROUTE || character->kind > MYR_CRC)
		return;
	while (noise->left_bits < bits) {
		bits -= noise->left_bits + 1;
		flip ^= (uint8_t)(1u << bits);
		noise->left_bits = draw_gap(net, noise);
	}
	noise->left_bits -= bits;
	if (flip == 0)
		return;
	character->flip ^= flip;
	myr_life(net, character->worm)->damaged = true;
}

void myr_noise_stripped(struct myr_network *net, struct myr_character character, uint32_t behind)
{
	uint8_t crc = myr_crc8(0, character.flip);

	for (uint32_t i = 0; i < behind; i++)
		crc = myr_crc8(crc, 0);
	myr_life(net, character.worm)->residue ^= crc;
}
