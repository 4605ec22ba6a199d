// SPDX-License-Identifier: GPL-3.0-or-later
// What a packet is made of, character by character: [GAP] route ... [final] type ... data ... [CRC],
// and the character that ends it. As it leaves its source; each switch takes the first route
// character away (and, where a GAP announces the worm, makes a new one).
// Sources: Yates, AFIT/GCS/ENG/97D-20 (1997), chapter 3: GAP, route, final, data, trailer. George and
// VanLoon, eq. 2: route, 4 type, P data, CRC, GAP: P + 7 with one switch.
#ifndef NET_MYRINET_FORMAT_H
#define NET_MYRINET_FORMAT_H

#include "net/myrinet/character.h"
#include "net/myrinet/params.h"
#include "net/worm.h"

// The kind of the character that ends every worm.
static inline enum myr_kind myr_format_tail(const struct myr_format_params *format)
{
	return format->gap_after ? MYR_GAP : MYR_TRAILER;
}

// Type, data and CRC characters of a packet of size_bytes.
uint32_t myr_format_body(const struct myr_format_params *format, uint32_t size_bytes);

// All characters of a packet as it leaves its source, over so many switches.
uint32_t myr_format_length(const struct myr_format_params *format, uint32_t switches, uint32_t size_bytes);

// Character number position (below its length) of the worm called number.
struct myr_character myr_format_character(const struct myr_format_params *format, const struct net_worm *worm, uint32_t number,
					  uint32_t position);

#endif
