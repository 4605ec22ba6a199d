// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/format.h"

uint32_t myr_format_body(const struct myr_format_params *format, uint32_t size_bytes)
{
	return (uint32_t)format->type_characters + size_bytes + (format->crc ? 1 : 0);
}

uint32_t myr_format_length(const struct myr_format_params *format, uint32_t switches, uint32_t size_bytes)
{
	return (format->gap_after ? 0 : 1) + switches + (format->no_final ? 0 : 1) + myr_format_body(format, size_bytes) + 1;
}

struct myr_character myr_format_character(const struct myr_format_params *format, const struct net_worm *worm, uint32_t number,
					  uint32_t position)
{
	const struct {
		enum myr_kind kind;
		uint32_t count;
	} parts[] = {
		{MYR_GAP, format->gap_after ? 0 : 1},  {MYR_ROUTE, worm->route_count},
		{MYR_FINAL, format->no_final ? 0 : 1}, {MYR_TYPE, (uint32_t)format->type_characters},
		{MYR_DATA, worm->size_bytes},	       {MYR_CRC, format->crc ? 1 : 0},
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
