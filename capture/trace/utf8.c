// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/utf8.h"

int tr_utf8_length(const unsigned char *text)
{
	unsigned lead = text[0];
	int length = lead < 0x80		   ? 1
		     : lead >= 0xc2 && lead < 0xe0 ? 2
		     : lead >= 0xe0 && lead < 0xf0 ? 3
		     : lead >= 0xf0 && lead < 0xf5 ? 4
						   : 0;

	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] >= 0xa0) || (lead == 0xf0 && text[1] < 0x90) ||
	    (lead == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

uint32_t tr_utf8_decode(const unsigned char *text, int bytes)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = text[0] & first_bits[bytes];

	for (int i = 1; i < bytes; i++)
		character = character << 6 | (text[i] & 0x3fu);
	return character;
}
