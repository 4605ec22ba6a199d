// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "messages/iterations.h"
#include "timeline/run_over_time.h"

// Those between the same places are alike, whatever their tags.
static struct iteration_message as_iteration_message(const struct timeline_message *message)
{
	return (struct iteration_message){message->created_ticks, message->end_ticks,
					  1 + ((uint64_t)message->from << 32 | message->to)};
}

enum tr_status timeline_find_iteration(struct timeline *timeline, struct tr_error *err)
{
	const struct timeline_messages *all = timeline_arrows(timeline);
	struct iteration_message *messages = calloc(all->count + 1, sizeof(*messages));
	struct iterations found = {.begins = NULL};
	enum tr_status status = TR_OK;

	if (!messages)
		return tr_no_memory(err, "the messages of the timeline");
	for (size_t i = 0; i < all->count; i++)
		messages[i] = as_iteration_message(&all->items[i]);
	if (all->count > 0)
		status = iterations_find(messages, all->count, 0, &found, err);
	if (status == TR_OK && all->count > 0) {
		timeline->iteration.repeats = iterations_repeat(&found);
		timeline->iteration.begin_ticks = messages[found.begins[found.typical]].begin_ticks;
		timeline->iteration.end_ticks =
			found.typical + 1 < found.count
				? messages[found.begins[found.typical + 1]].begin_ticks
				: timeline->end_ticks;
		timeline->iteration.number = found.typical + 1;
		timeline->iteration.count = found.count;
	}
	iterations_clear(&found);
	free(messages);
	return status;
}
