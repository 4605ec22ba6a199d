// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

#include <math.h>
#include <stdio.h>

#include "net/myrinet/characters.h"

#define BITS 8u
#define FAR 1e18

// Whole bits before the next error.
static uint64_t noise_draw_gap(const struct myr_run *run, struct myr_noise *noise)
{
	const double rate = num_value(run->params->loss.bit_errors);
	const double gap = rate < 1 ? floor(log(tr_random_unit(&noise->random)) / log1p(-rate)) : 0;

	return (uint64_t)(gap < FAR ? gap : FAR);
}

void myr_noise_open(struct myr_run *run, uint32_t link)
{
	struct myr_noise *noise = &run->noises[link];
	char name[NET_LINK_NAME_MAX];
	char stream[NET_LINK_NAME_MAX + 8];

	net_link_name(run->net.setup->topology, link, name, sizeof(name));
	snprintf(stream, sizeof(stream), "bits %s", name);
	tr_random_open(&noise->random, run->params->loss.seed, stream);
	noise->next_bit = noise_draw_gap(run, noise);
}

static void noise_step(struct myr_run *run, struct myr_noise *noise)
{
	noise->next_bit += 1 + noise_draw_gap(run, noise);
}

void myr_noise_begin(struct myr_run *run, uint32_t link, uint32_t characters)
{
	struct myr_noise *noise = &run->noises[link];

	noise->first_bit = noise->end_bit;
	noise->end_bit += (uint64_t)characters * BITS;
	while (noise->next_bit < noise->first_bit)
		noise_step(run, noise);
}

uint8_t myr_noise_flip(struct myr_run *run, uint32_t link, uint32_t number)
{
	struct myr_noise *noise = &run->noises[link];
	const uint64_t bit = noise->first_bit + (uint64_t)number * BITS;
	uint8_t flip = 0;

	while (noise->next_bit < bit)
		noise_step(run, noise);
	for (; noise->next_bit < bit + BITS; noise_step(run, noise))
		flip ^= (uint8_t)(1u << (BITS - 1 - (noise->next_bit - bit)));
	return flip;
}

uint32_t myr_noise_next(const struct myr_run *run, uint32_t link)
{
	const struct myr_noise *noise = &run->noises[link];

	return noise->next_bit < noise->end_bit
		       ? (uint32_t)((noise->next_bit - noise->first_bit) / BITS)
		       : UINT32_MAX;
}

uint8_t myr_noise_residue(uint8_t flip, uint32_t behind)
{
	uint8_t crc = myr_crc8(0, flip);

	for (uint32_t i = 0; i < behind; i++)
		crc = myr_crc8(crc, 0);
	return crc;
}
