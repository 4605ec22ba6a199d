// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-written frames in hexadecimal, from pieces.
#ifndef UNIT_PACKET_HEX_H
#define UNIT_PACKET_HEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MACS "020000000001020000000002"
#define IP4(total, protocol, fragment) \
	"4500" total "0001" fragment "40" protocol "0000" \
	"0a000001" \
	"0a000002"
#define IP6(length, next) \
	"60000000" length next "40" \
	"fd000000000000000000000000000001" \
	"fd000000000000000000000000000002"
#define TCP(flags) \
	"4e204e2100000001000000025" \
	"0" flags "1000" \
	"00000000"
#define UDP(length) "4e204e21" length "0000"
#define DATA10 "00112233445566778899"

static inline unsigned hex_digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

// The frame's bytes, alone on the heap so that a sanitizer sees one too many.
static inline uint8_t *hex_bytes(const char *hex, uint32_t *size)
{
	uint8_t *bytes = malloc(strlen(hex) / 2 + 1);

	if (!bytes)
		abort();
	*size = (uint32_t)(strlen(hex) / 2);
	for (uint32_t i = 0; i < *size; i++)
		bytes[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
	return bytes;
}

#endif
