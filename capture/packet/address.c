// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"

#include <arpa/inet.h>
#include <string.h>

bool pk_address_parse(const char *text, struct pk_address *address)
{
	memset(address, 0, sizeof *address);
	address->family = 4;
	if (inet_pton(AF_INET, text, address->bytes) == 1)
		return true;
	address->family = 6;
	return inet_pton(AF_INET6, text, address->bytes) == 1;
}

const char *pk_address_format(const struct pk_address *address, char *out)
{
	// Cannot fail: both families are known and the room is enough.
	(void)inet_ntop(address->family == 4 ? AF_INET : AF_INET6, address->bytes, out,
			PK_ADDRESS_TEXT_BYTES);
	return out;
}
