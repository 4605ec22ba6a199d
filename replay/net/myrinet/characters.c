// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/characters.h"

#include "value/philox.h"
#include "value/random.h"

uint32_t myr_format_body(const struct myr_format_params *format, uint32_t size_bytes)
{
	return (uint32_t)format->type_characters + size_bytes + (format->crc ? 1 : 0);
}

uint32_t myr_format_length(const struct myr_format_params *format, uint32_t switches,
			   uint32_t size_bytes)
{
	return (format->gap_after ? 0 : 1) + switches + (format->no_final ? 0 : 1) +
	       myr_format_body(format, size_bytes) + 1;
}

struct myr_character myr_format_character(const struct myr_format_params *format,
					  const struct net_worm *worm, uint32_t number,
					  uint32_t position)
{
	const struct {
		enum myr_kind kind;
		uint32_t count;
	} parts[] = {
		{MYR_GAP, format->gap_after ? 0 : 1},
		{MYR_ROUTE, worm->route_count},
		{MYR_FINAL, format->no_final ? 0 : 1},
		{MYR_TYPE, (uint32_t)format->type_characters},
		{MYR_DATA, worm->size_bytes},
		{MYR_CRC, format->crc ? 1 : 0},
	};
	struct myr_character character = {.worm = number, .kind = (uint8_t)myr_format_tail(format)};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (position < parts[i].count) {
			character.kind = (uint8_t)parts[i].kind;
			break;
		}
		position -= parts[i].count;
	}
	if (character.kind == MYR_ROUTE)
		character.port = worm->route[position];
	return character;
}

const char *myr_kind_name(enum myr_kind kind)
{
	static const char *const names[MYR_KINDS] = {
		[MYR_GAP] = "GAP",	   [MYR_ROUTE] = "route", [MYR_FINAL] = "final",
		[MYR_TYPE] = "type",	   [MYR_DATA] = "data",	  [MYR_CRC] = "CRC",
		[MYR_TRAILER] = "trailer", [MYR_STOP] = "STOP",	  [MYR_GO] = "GO",
		[MYR_BEAT] = "BEAT",	   [MYR_RESET] = "RESET", [MYR_VOID] = "void",
	};

	return names[kind];
}

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

uint8_t myr_byte_crc(const struct myr_params *params, const struct net_worm *worm, uint64_t id,
		     uint32_t hops)
{
	uint8_t crc = 0;

	for (uint32_t i = hops; i < worm->route_count; i++)
		crc = myr_crc8(crc, myr_byte_route(worm->route[i]));
	if (!params->format.no_final)
		crc = myr_crc8(crc, myr_byte_final(worm->destination));
	for (uint64_t i = 0; i < params->format.type_characters; i++)
		crc = myr_crc8(crc, 0);
	for (uint32_t i = 0; i < worm->size_bytes; i++)
		crc = myr_crc8(crc, myr_byte_data(params->loss.seed, id, i));
	return crc;
}
