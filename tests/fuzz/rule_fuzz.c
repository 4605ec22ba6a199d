// SPDX-License-Identifier: GPL-3.0-or-later
// The rule of sizes and times on any segments: bytes are conserved, messages are whole, and no more
// of them end at once than it says.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "messages/rule.h"

#define CONVERSATIONS 2u
#define STEP 8u // bytes of input for each segment

struct sums {
	uint64_t in[2], out[2];
};

static void count(struct sums *sums, const struct rule_message *messages, size_t n)
{
	if (n > RULE_ENDED_MAX)
		abort();
	for (size_t i = 0; i < n; i++) {
		const struct rule_message *message = &messages[i];

		if (message->payload_B == 0 || message->segments == 0 || message->direction > 1 ||
		    message->first_ticks > message->end_ticks ||
		    message->begin_ticks > message->first_ticks)
			abort();
		sums->out[message->direction] += message->payload_B +
						 (message->requested ? message->request_B : 0);
		sums->out[!message->direction] += message->requested ? message->answer_B : 0;
	}
}

static void check(const struct sums *sums)
{
	if (sums->in[0] != sums->out[0] || sums->in[1] != sums->out[1])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The first bytes: largest segment and gap told beforehand, lies or not; then segments: how long
// after the last one, which conversation, direction, and size, from 0 to 2^20 B.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rule *rules = calloc(CONVERSATIONS, sizeof(*rules));
	struct rule_message *ended = calloc(RULE_ENDED_MAX, sizeof(*ended));
	struct sums sums[CONVERSATIONS] = {{.in = {0, 0}}};
	struct rule_known known[CONVERSATIONS] = {{.votes = 0}};
	int64_t now = 0;

	if (size < STEP || !rules || !ended) {
		free(rules);
		free(ended);
		return 0;
	}
	for (unsigned i = 0; i < CONVERSATIONS; i++) {
		rule_open(&rules[i], &known[data[5] & 1 ? 0 : i],
			  (uint32_t)(data[0] << 8 | data[1]) << (data[2] & 7),
			  1 + ((int64_t)data[3] << (data[4] & 31)));
	}
	for (size_t at = STEP; at + STEP <= size; at += STEP) {
		const uint8_t *b = data + at;
		const unsigned which = b[0] & 1, direction = b[0] >> 1 & 1;
		const uint32_t payload_B = ((uint32_t)b[1] | (uint32_t)b[2] << 8 |
					    (uint32_t)(b[3] & 15) << 16) >>
					   (b[0] >> 4);

		now += (int64_t)(b[4] | b[5] << 8) << (b[6] & 31);
		sums[which].in[direction] += payload_B;
		count(&sums[which], ended,
		      rule_add(&rules[which], now, direction, payload_B, ended));
		for (unsigned repeat = 0; repeat < (b[7] & 31u); repeat++) {
			now += b[4];
			sums[which].in[direction] += payload_B;
			count(&sums[which], ended,
			      rule_add(&rules[which], now, direction, payload_B, ended));
		}
		if (b[7] == 255) {
			count(&sums[which], ended, rule_finish(&rules[which], ended));
			check(&sums[which]);
		}
	}
	for (unsigned i = 0; i < CONVERSATIONS; i++)
		rule_learn(&rules[i]);
	for (unsigned i = 0; i < CONVERSATIONS; i++) {
		count(&sums[i], ended, rule_finish(&rules[i], ended));
		check(&sums[i]);
	}
	free(rules);
	free(ended);
	return 0;
}
