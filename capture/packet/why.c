// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/why.h"

#include <stdio.h>

enum number_form { NO_NUMBER, DECIMAL, HEXADECIMAL };

static const struct {
	const char *key;
	enum number_form form;
} reasons[] = {
	[PK_DECODED] = {"decoded", NO_NUMBER},
	[PK_ARP] = {"arp", NO_NUMBER},
	[PK_ETHERTYPE] = {"ethertype", HEXADECIMAL},
	[PK_LLC] = {"llc", NO_NUMBER},
	[PK_PPP] = {"ppp", HEXADECIMAL},
	[PK_FAMILY] = {"family", DECIMAL},
	[PK_LINK] = {"link", DECIMAL},
	[PK_CUT] = {"cut_header", NO_NUMBER},
	[PK_SHORT] = {"short_header", NO_NUMBER},
	[PK_BAD_HEADER] = {"bad_header", NO_NUMBER},
	[PK_BAD_LENGTH] = {"bad_length", NO_NUMBER},
	[PK_TIME] = {"time", NO_NUMBER},
};

const char *pk_why_key(uint32_t why, char *out)
{
	const unsigned reason = why >> 16;
	const unsigned number = why & 0xffff;

	if (reasons[reason].form == DECIMAL)
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s_%u", reasons[reason].key, number);
	else if (reasons[reason].form == HEXADECIMAL)
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s_0x%04x", reasons[reason].key, number);
	else
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s", reasons[reason].key);
	return out;
}
