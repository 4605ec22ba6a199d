// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/pcapng_option.h"

bool pk_options_fit(struct pk_bytes *body, bool big_endian)
{
	struct pk_option option;
	enum tr_status status;

	while ((status = pk_option_next(body, big_endian, &option)) == TR_OK)
		;
	return status == TR_END;
}

enum tr_status pk_option_next(struct pk_bytes *body, bool big_endian, struct pk_option *option)
{
	const uint8_t *head;

	if (!body->left)
		return TR_END;
	head = pk_take(body, 4);
	if (!head)
		return TR_ERROR;
	option->code = pk_u16(head, big_endian);
	option->size_bytes = pk_u16(head + 2, big_endian);
	if (option->code == 0) {
		const bool fits = option->size_bytes <= body->left;

		body->left = 0; // what follows the end of the options has no meaning
		return fits ? TR_END : TR_ERROR;
	}
	option->value = pk_take(body, option->size_bytes);
	if (!option->value)
		return TR_ERROR;
	// Blocks end on a boundary of four bytes, so the padding is there.
	return pk_take(body, -(size_t)option->size_bytes & 3u) ? TR_OK : TR_ERROR;
}
