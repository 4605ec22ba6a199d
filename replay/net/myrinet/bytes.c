// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/bytes.h"

#include "net/myrinet/crc.h"
#include "trace/philox.h"
#include "trace/random.h"

#define BLOCK_BYTES 16u

uint8_t myr_byte_data(uint64_t seed, uint64_t id, uint32_t index)
{
	const uint32_t counter[4] = {index / BLOCK_BYTES, (uint32_t)id, (uint32_t)(id >> 32), 0};
	uint32_t place = index % BLOCK_BYTES;
	struct tr_random stream;
	uint32_t block[4];

	tr_random_open(&stream, seed, "payload");
	philox_block(counter, stream.key, block);
	return (uint8_t)(block[place / 4] >> 8 * (place % 4));
}

uint8_t myr_byte_crc(const struct myr_params *params, const struct net_worm *worm, uint32_t hops)
{
	uint8_t crc = 0;

	for (uint32_t i = hops; i < worm->route_count; i++)
		crc = myr_crc8(crc, myr_byte_route(worm->route[i]));
	if (!params->format.no_final)
		crc = myr_crc8(crc, myr_byte_final(worm->destination));
	for (uint64_t i = 0; i < params->format.type_characters; i++)
		crc = myr_crc8(crc, 0);
	for (uint32_t i = 0; i < worm->size_bytes; i++)
		crc = myr_crc8(crc, myr_byte_data(params->loss.seed, worm->packet.id, i));
	return crc;
}
