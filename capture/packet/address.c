// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "trace/num.h"

#define MAC_BYTES 6u

static bool parse_number(const char *text, uint16_t *number)
{
	uint64_t value;

	if (num_parse_count(text, 0, UINT16_MAX, &value, NULL) != TR_OK)
		return false;
	*number = (uint16_t)value;
	return true;
}

// Six bytes of two digits, parted by colons.
static bool parse_mac(const char *text, uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";

	if (strlen(text) != MAC_BYTES * 3 - 1)
		return false;
	for (size_t i = 0; i < MAC_BYTES; i++, text += 3) {
		const char *high = memchr(digits, text[0] | 0x20, 16);
		const char *low = memchr(digits, text[1] | 0x20, 16);

		if (!high || !low || (i < MAC_BYTES - 1 && text[2] != ':'))
			return false;
		bytes[i] = (uint8_t)((high - digits) << 4 | (low - digits));
	}
	return true;
}

// An IPv4 or IPv6 address of length characters.
static bool parse_ip(const char *text, size_t length, struct pk_address *address)
{
	char part[INET6_ADDRSTRLEN];

	if (length >= sizeof(part))
		return false;
	memcpy(part, text, length);
	part[length] = '\0';
	address->family = PK_IPV4;
	if (inet_pton(AF_INET, part, address->bytes) == 1)
		return true;
	address->family = PK_IPV6;
	return inet_pton(AF_INET6, part, address->bytes) == 1;
}

// "10.0.0.1:5001", "[fe80::1]:5001"
static bool parse_with_port(const char *text, struct pk_address *address)
{
	const char *colon = strrchr(text, ':');
	const bool bracketed = *text == '[';

	if (!colon || !parse_number(colon + 1, &address->port) || !address->port)
		return false;
	if (!bracketed)
		return parse_ip(text, (size_t)(colon - text), address) && address->family == PK_IPV4;
	return colon - text > 2 && colon[-1] == ']' && parse_ip(text + 1, (size_t)(colon - text) - 2, address) &&
	       address->family == PK_IPV6;
}

bool pk_address_parse(const char *text, struct pk_address *address)
{
	uint16_t lid;

	memset(address, 0, sizeof(*address));
	if (parse_ip(text, strlen(text), address))
		return true;
	if (strncmp(text, "lid:", 4) == 0 && parse_number(text + 4, &lid)) {
		address->family = PK_LID;
		address->bytes[0] = (uint8_t)(lid >> 8);
		address->bytes[1] = (uint8_t)lid;
		return true;
	}
	address->family = PK_MAC;
	if (parse_mac(text, address->bytes))
		return true;
	memset(address, 0, sizeof(*address));
	return parse_with_port(text, address);
}

static void format_ip(const struct pk_address *address, char *out)
{
	const bool bracketed = address->port && address->family == PK_IPV6;
	size_t used;

	if (bracketed)
		*out++ = '[';
	// Cannot fail: both families are known and the room is enough.
	(void)inet_ntop(address->family == PK_IPV4 ? AF_INET : AF_INET6, address->bytes, out, INET6_ADDRSTRLEN);
	used = strlen(out);
	if (address->port)
		(void)snprintf(out + used, 8, "%s:%u", bracketed ? "]" : "", address->port);
}

const char *pk_address_format(const struct pk_address *address, char *out)
{
	const uint8_t *at = address->bytes;

	if (address->family == PK_MAC)
		(void)snprintf(out, PK_ADDRESS_TEXT_BYTES, "%02x:%02x:%02x:%02x:%02x:%02x", at[0], at[1], at[2], at[3], at[4],
			       at[5]);
	else if (address->family == PK_LID)
		(void)snprintf(out, PK_ADDRESS_TEXT_BYTES, "lid:%u", pk_be16(at));
	else
		format_ip(address, out);
	return out;
}
