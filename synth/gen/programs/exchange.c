// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/exchange.h"

static uint32_t rank_of(const struct exchange *exchange, uint64_t member)
{
	return exchange->first + (uint32_t)(member % exchange->members) * exchange->stride;
}

void exchange_all(struct sequence *sequence, const struct exchange *exchange)
{
	sequence_together(sequence);
	for (uint64_t step = 1; step < exchange->members; step++) {
		sequence_branch(sequence);
		sequence_send(sequence, rank_of(exchange, exchange->own + step), exchange->bytes, exchange->tag);
		sequence_branch(sequence);
		sequence_recv(sequence, rank_of(exchange, exchange->own + exchange->members - step), exchange->bytes,
			      exchange->tag);
	}
	sequence_meet(sequence);
}
