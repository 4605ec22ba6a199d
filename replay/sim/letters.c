// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/letters.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"

static size_t ranks_aligned(size_t count)
{
	return (count + 7) / 8 * 8;
}

bool sim_ranks_open(struct sim_ranks *ranks, const struct sim_post *post)
{
	*ranks = (struct sim_ranks){.post = *post,
				    .out = calloc(post->count, sizeof(*ranks->out)),
				    .in = calloc(post->count, sizeof(*ranks->in))};
	return ranks->out && ranks->in;
}

void sim_ranks_close(struct sim_ranks *ranks)
{
	for (uint32_t i = 0; i < ranks->post.count; i++) {
		if (ranks->out)
			free(ranks->out[i].bytes);
		if (ranks->in)
			free(ranks->in[i].bytes);
	}
	free(ranks->out);
	free(ranks->in);
	if (ranks->post.close)
		ranks->post.close(ranks->post.state);
	*ranks = (struct sim_ranks){0};
}

void *sim_ranks_add(struct sim_ranks *ranks, uint32_t to, size_t count)
{
	struct sim_letter *letter = &ranks->out[to];
	const uint64_t end = letter->count + ranks_aligned(count);
	void *added;

	if (ranks->broken || !GROW_TO(letter->bytes, letter->room, end)) {
		ranks->broken = true;
		return NULL;
	}
	added = letter->bytes + letter->count;
	if (count % 8 != 0)
		memset(letter->bytes + end - 8, 0, 8);
	letter->count = end;
	return added;
}

void sim_ranks_put(struct sim_ranks *ranks, uint32_t to, const void *bytes, size_t count)
{
	void *added = sim_ranks_add(ranks, to, count);

	if (added && count > 0)
		memcpy(added, bytes, count);
}

void sim_ranks_send(struct sim_ranks *ranks, uint32_t to)
{
	const struct sim_letter *letter = &ranks->out[to];

	ranks->post.send(ranks->post.state, to, letter->bytes, ranks->broken ? 0 : letter->count);
}

void sim_ranks_settle(struct sim_ranks *ranks)
{
	ranks->post.settle(ranks->post.state);
	for (uint32_t i = 0; i < ranks->post.count; i++)
		ranks->out[i].count = 0;
}

bool sim_ranks_receive(struct sim_ranks *ranks, uint32_t from)
{
	const size_t count = ranks->post.wait(ranks->post.state, from);
	struct sim_letter *letter = &ranks->in[from];

	letter->count = letter->read = 0;
	if (count > 0 && !GROW_TO(letter->bytes, letter->room, count)) {
		ranks->broken = true;
		ranks->post.take(ranks->post.state, NULL);
		return false;
	}
	ranks->post.take(ranks->post.state, letter->bytes);
	letter->count = count;
	return count > 0;
}

const void *sim_ranks_get(struct sim_ranks *ranks, uint32_t from, size_t count)
{
	struct sim_letter *letter = &ranks->in[from];
	const void *bytes = letter->bytes + letter->read;

	if (ranks_aligned(count) > letter->count - letter->read)
		return NULL;
	letter->read += ranks_aligned(count);
	return bytes;
}

bool sim_ranks_read(const struct sim_ranks *ranks, uint32_t from)
{
	return ranks->in[from].read >= ranks->in[from].count;
}

void sim_ranks_order(struct sim_ranks *ranks, enum sim_order order)
{
	const uint64_t word = order;

	for (uint32_t i = 1; i < ranks->post.count; i++)
		sim_ranks_put(ranks, i, &word, sizeof(word));
}

void sim_ranks_send_all(struct sim_ranks *ranks)
{
	for (uint32_t i = 0; i < ranks->post.count; i++)
		if (i != ranks->post.rank)
			sim_ranks_send(ranks, i);
}

bool sim_ranks_send_order(struct sim_ranks *ranks)
{
	if (!ranks->over)
		sim_ranks_send_all(ranks);
	ranks->over = ranks->over || ranks->broken;
	return !ranks->over;
}

bool sim_ranks_tell(struct sim_ranks *ranks, enum sim_order order, const void *bytes, size_t count)
{
	sim_ranks_order(ranks, order);
	for (uint32_t i = 1; i < ranks->post.count; i++)
		sim_ranks_put(ranks, i, bytes, count);
	return sim_ranks_send_order(ranks);
}

void sim_ranks_end(struct sim_ranks *ranks, int status)
{
	const uint64_t word = (uint64_t)status;

	(void)sim_ranks_tell(ranks, SIM_ORDER_OVER, &word, sizeof(word));
	sim_ranks_settle(ranks);
}

enum sim_order sim_ranks_hear(struct sim_ranks *ranks)
{
	const uint64_t *word = NULL, *status = NULL;

	if (sim_ranks_receive(ranks, 0))
		word = sim_ranks_get(ranks, 0, sizeof(*word));
	if (word && *word != SIM_ORDER_OVER)
		return (enum sim_order) * word;
	if (word)
		status = sim_ranks_get(ranks, 0, sizeof(*status));
	ranks->status = status ? (int)*status : 2;
	ranks->over = true;
	return SIM_ORDER_OVER;
}

void sim_ranks_refuse(struct sim_ranks *ranks, const char *why, size_t why_bytes)
{
	const uint64_t ready = 0;

	while (!ranks->over) {
		if (ranks->owes) {
			sim_ranks_put(ranks, 0, &ready, sizeof(ready));
			sim_ranks_put(ranks, 0, why, why_bytes);
			sim_ranks_send(ranks, 0);
			sim_ranks_settle(ranks);
		}
		ranks->owes = sim_ranks_hear(ranks) == SIM_ORDER_PART;
	}
}
