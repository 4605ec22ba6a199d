// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/utf8.h"

int tr_utf8_length(const unsigned char *text)
{
	unsigned lead = text[0];
	int length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 :
		     lead >= 0xf0 && lead < 0xf5 ? 4 : 0;

	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] >= 0xa0) ||
	    (lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}
