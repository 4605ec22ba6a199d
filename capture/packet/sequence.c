// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/sequence.h"

#include <stdlib.h>

#define SEQUENCE_MASK 0xffffffu
#define STEP_BACK_MAX 65536u

enum kind { OTHER, REQUEST, ANSWER };

// Of the reliable connection, also the extended one. Acknowledgements may share a number.
static enum kind kind_of(uint8_t opcode)
{
	const unsigned operation = opcode & 31u;

	if (opcode >> 5 != 0 && opcode >> 5 != 5)
		return OTHER;
	if (operation >= 0x0d && operation <= 0x10)
		return ANSWER;
	return operation == 0x11 || operation == 0x12 ? OTHER : REQUEST;
}

static bool reserve(struct pk_sequences *sequences, uint32_t flow)
{
	uint32_t count = sequences->count ? sequences->count : 64;
	struct pk_sequence *larger;

	if (flow < sequences->count)
		return true;
	while (count <= flow)
		count = count > UINT32_MAX / 2 ? UINT32_MAX : count * 2;
	larger = realloc(sequences->of_flow, count * sizeof(*larger));
	if (!larger) {
		sequences->failed = true;
		return false;
	}
	memset(larger + sequences->count, 0, (count - sequences->count) * sizeof(*larger));
	sequences->of_flow = larger;
	sequences->count = count;
	return true;
}

bool pk_sequence_resent(struct pk_sequences *sequences, uint32_t flow, const struct pk_packet *packet)
{
	const enum kind kind = kind_of(packet->opcode);
	uint32_t *last, back;

	if (kind == OTHER || !reserve(sequences, flow))
		return false;
	last = kind == REQUEST ? &sequences->of_flow[flow].request : &sequences->of_flow[flow].answer;
	back = (*last - 1 - packet->sequence) & SEQUENCE_MASK;
	if (*last && back <= STEP_BACK_MAX)
		return true;
	*last = packet->sequence + 1;
	return false;
}

void pk_sequences_clear(struct pk_sequences *sequences)
{
	free(sequences->of_flow);
	*sequences = (struct pk_sequences){0};
}
