// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_priority.h"

#define WEIGHT_MAX 1024u

enum tr_status ethernet_priorities_read(struct ethernet_priorities *priorities,
					const struct ethernet_priority_params *params,
					const struct net_topology *topology, struct tr_error *err)
{
	const char *text = params->weights;
	char word[NET_PRIORITY_WORD_MAX];
	uint64_t number;
	bool ok = true;

	if (net_priorities_read(&priorities->rules, "ethernet", params->of, topology, err) != TR_OK)
		return TR_ERROR;
	priorities->used = priorities->rules.used;
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++)
		priorities->weights[i] = 1;
	while (net_priorities_item(&text, word, WEIGHT_MAX, &number, &ok)) {
		const char *at = word;
		uint64_t priority = 0;

		ok = net_priorities_number(&at, ETHERNET_PRIORITIES - 1, &priority) &&
		     *at == '\0' && number > 0;
		if (ok)
			priorities->weights[priority] = number;
	}
	return ok ? TR_OK
		  : tr_fail(err,
			    "ethernet: weights: expected PRIORITY:WEIGHT, as in 3:4/0:1, of "
			    "priorities 0 to %u and weights 1 to %u",
			    ETHERNET_PRIORITIES - 1, WEIGHT_MAX);
}

uint32_t ethernet_turns_take(struct ethernet_turns *turns,
			     const struct ethernet_priorities *priorities, uint64_t most_B,
			     const uint32_t *first_B, unsigned ready, unsigned waiting)
{
	for (;;) {
		const uint32_t at = turns->turn;
		const uint64_t saved_B = (waiting >> at & 1) != 0 ? first_B[at] - 1 : 0;

		if ((ready >> at & 1) != 0) {
			if (!turns->visited)
				turns->deficit_B[at] += priorities->weights[at] * most_B;
			turns->visited = true;
			if (turns->deficit_B[at] >= first_B[at]) {
				turns->deficit_B[at] -= first_B[at];
				return at;
			}
		} else if (turns->deficit_B[at] > saved_B) {
			turns->deficit_B[at] = saved_B;
		}
		turns->turn = (uint8_t)((at + 1) % ETHERNET_PRIORITIES);
		turns->visited = false;
	}
}
