// SPDX-License-Identifier: GPL-3.0-or-later
// The CRC-8 of a packet: x^8 + x^2 + x + 1, register 0 at the start, most significant bit first
// (Myrinet's, as of ATM's header without its final constant). Known: 0xF4 over "123456789".
#ifndef NET_MYRINET_CRC_H
#define NET_MYRINET_CRC_H

#include <stdint.h>

// The register after one more byte. It is linear: the registers over two packets differ by the
// register over their difference, so a receiver finds damage from the damage alone.
static inline uint8_t myr_crc8(uint8_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0x07 : 0));
	return crc;
}

#endif
