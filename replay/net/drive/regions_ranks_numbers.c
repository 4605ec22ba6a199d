// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of packets in ranks above 0: one of the rank's own for each packet that it has or had,
// until rank 0 says that the packet has ended. So what is kept of packets lies together.
#include <stdlib.h>

#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"
#include "value/grow.h"

enum tr_status net_ranks_numbers_open(struct net_drive *drive)
{
	struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;
	const size_t count = (size_t)drive->pool.capacity + 1;

	numbers->spare = NET_NO_WORM;
	numbers->here = calloc(count, sizeof(*numbers->here));
	numbers->there = calloc(count, sizeof(*numbers->there));
	return numbers->here && numbers->there ? TR_OK
					       : tr_no_memory(drive->err, "the packets of a rank");
}

void net_ranks_numbers_close(struct net_ranks_numbers *numbers)
{
	free(numbers->here);
	free(numbers->there);
	free(numbers->ended);
}

uint32_t net_ranks_here(struct net_drive *drive, uint32_t number)
{
	struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;
	uint32_t worm = numbers->spare;

	if (!numbers->here)
		return number;
	if (numbers->here[number] > 0)
		return numbers->here[number] - 1;
	if (worm != NET_NO_WORM)
		numbers->spare = numbers->there[worm];
	else
		worm = numbers->used++;
	numbers->here[number] = worm + 1;
	numbers->there[worm] = number;
	return worm;
}

uint32_t net_ranks_there(const struct net_drive *drive, uint32_t worm)
{
	const struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;

	return numbers->there ? numbers->there[worm] : worm;
}

// ---- packets that have ended

void net_ranks_reuse(struct net_drive *drive, uint32_t worm)
{
	struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;

	if (!drive->setup->ranks)
		return;
	if (GROW(numbers->ended, numbers->room, numbers->count))
		numbers->ended[numbers->count++] = worm;
	else
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for packets that have ended");
}

void net_ranks_put_ended(struct net_drive *drive)
{
	struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint64_t count = numbers->count;

	for (uint32_t to = 1; to < ranks->post.count; to++) {
		sim_ranks_put(ranks, to, &count, sizeof(count));
		sim_ranks_put(ranks, to, numbers->ended, count * sizeof(*numbers->ended));
	}
	numbers->count = 0;
}

void net_ranks_take_ended(struct net_drive *drive)
{
	struct net_ranks_numbers *numbers = &drive->cut.regions->own.numbers;
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint64_t *count = sim_ranks_get(ranks, 0, sizeof(*count));
	const uint32_t *ended = count ? sim_ranks_get(ranks, 0, *count * sizeof(*ended)) : NULL;

	for (uint64_t i = 0; ended && i < *count; i++) {
		const uint32_t worm = numbers->here[ended[i]];

		if (worm == 0)
			continue;
		numbers->here[ended[i]] = 0;
		numbers->there[worm - 1] = numbers->spare;
		numbers->spare = worm - 1;
	}
}
