// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run as words of a view (net/view.h): all but what is the same in each run of the
// network, what lasts no longer than a phase, and what has an effect only on a run that has a
// deadlock: when these are looked for next, and since when packets have stood still.
#include "net/lanes/lanes_run.h"

static void lanes_state_list(struct net_view *view, const struct lanes_list *list)
{
	net_view_put(view, list->count);
	for (uint32_t i = 0; i < list->count; i++)
		net_view_put(view, list->items[i]);
}

static void lanes_state_worm(struct net_view *view, const struct lanes_run *run, uint32_t worm)
{
	const struct lanes_life *life = &run->lives[worm];

	net_view_worm(view, &run->net, worm);
	net_view_put(view, life->hops);
	net_view_put(view, life->slot);
}

// Of a ring where it begins does not matter.
static void lanes_state_slot(struct net_view *view, const struct lanes_run *run, uint32_t number)
{
	const struct lanes_slot *slot = &run->slots[number];
	const uint32_t ring = lanes_is_source(run, number) ? 0 : run->sizes.ring;

	net_view_put(view, (uint64_t)slot->out << 32 | slot->holder);
	net_view_put(view, (uint64_t)slot->flits << 32 | slot->room);
	net_view_put(view, (uint64_t)slot->count << 32 | slot->heads);
	if (run->queuing.organisation->divided && slot->heads > 0)
		net_view_put(view, slot->left);
	net_view_put(view, (uint64_t)slot->may << 4 | (uint64_t)slot->begun << 3 |
				   (uint64_t)slot->asks << 2 | (uint64_t)slot->sinks << 1 |
				   (slot->worm != NET_NO_WORM));
	if (slot->asks)
		net_view_put(view, (uint64_t)(run->clock.cycle - slot->asked));
	if (slot->worm != NET_NO_WORM) {
		net_view_put(view, slot->left);
		lanes_state_worm(view, run, slot->worm);
	}
	for (uint32_t i = 0; ring > 0 && i < slot->count; i++)
		lanes_state_worm(view, run,
				 run->rings[(size_t)number * ring + (slot->first + i) % ring]);
}

static void lanes_state_links(struct net_view *view, const struct lanes_run *run)
{
	const uint32_t arbiters = run->sizes.lane_count >> run->sizes.arbiter_shift;

	for (uint32_t i = 0; i < arbiters; i++) {
		const struct lanes_arbiter *arbiter = &run->arbiters[i];

		net_view_put(view, arbiter->ready);
		net_view_put(view, arbiter->free);
		net_view_put(view, (uint64_t)arbiter->last << 1 | arbiter->moves);
		net_view_put(view, arbiter->clear > run->clock.cycle
					   ? (uint64_t)(arbiter->clear - run->clock.cycle)
					   : 0);
	}
	for (uint32_t i = 0; i < arbiters * run->sizes.groups; i++)
		net_view_put(view, (uint64_t)run->groups[i].turn << 32 | run->groups[i].given);
	for (uint32_t i = 0; i < run->sizes.lane_count >> run->sizes.input_shift; i++) {
		net_view_put(view, (uint64_t)run->queuing.inputs[i].winner << 32 |
					   run->queuing.inputs[i].accepted);
		net_view_put(view, (uint64_t)run->queuing.inputs[i].turn << 1 |
					   (run->queuing.inputs[i].taken == run->clock.cycle));
	}
	for (uint32_t i = 0; i < run->net.graph.links; i++)
		net_view_put(view, run->links[i].served);
}

static void lanes_state_queue(struct net_view *view, const struct lanes_run *run,
			      const struct net_worm_list *queue, bool loads)
{
	net_view_put(view, (uint64_t)loads << 32 | queue->count);
	for (uint32_t k = 0, worm = queue->first; k < queue->count; k++) {
		lanes_state_worm(view, run, worm);
		worm = run->net.pool.worms[worm].next;
	}
}

static void lanes_state_nodes(struct net_view *view, const struct lanes_run *run)
{
	for (uint32_t i = 0; i < run->net.graph.nodes; i++) {
		const struct lanes_node *node = &run->nodes[i];

		net_view_put(view, (uint64_t)node->touched << 32 | node->count);
		for (uint32_t k = 0; k < node->count; k++)
			net_view_put(view, node->asking[k]);
	}
	for (uint32_t i = 0; i < run->net.graph.hosts; i++) {
		for (uint32_t class = 0; class < run->sizes.messages; class ++)
			lanes_state_queue(view, run, &run->hosts[i].queues[class],
					  run->hosts[i].loads);
	}
}

// What is due in this cycle and the next ones, and what is to be looked at.
static void lanes_state_work(struct net_view *view, const struct lanes_run *run)
{
	const struct lanes_todo *todo = &run->todo;
	const struct lanes_list *const lists[] = {&todo->moves,	    &todo->sinks,
						  &todo->touched,   &todo->retouched,
						  &todo->nominated, &todo->loads};

	for (uint32_t i = 0; i <= run->sizes.due_mask; i++) {
		const struct lanes_due *due = lanes_due_in(run, i);

		lanes_state_list(view, &due->flits);
		lanes_state_list(view, &due->credits);
		lanes_state_list(view, &due->asks);
		lanes_state_list(view, &due->wakes);
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		lanes_state_list(view, lists[i]);
	net_view_put(view, run->arrived.done_count);
	for (uint32_t i = 0; i < run->arrived.done_count; i++)
		lanes_state_worm(view, run, run->arrived.done[i]);
}

void lanes_state(void *context, struct net_view *view)
{
	const struct lanes_run *run = context;

	net_view_put(view,
		     (uint64_t)(run->net.now_ticks - run->clock.cycle * run->clock.cycle_ticks));
	net_view_put(view, run->clock.begins);
	for (uint32_t i = 0; i < run->sizes.slots; i++)
		lanes_state_slot(view, run, i);
	lanes_state_links(view, run);
	lanes_state_nodes(view, run);
	lanes_state_work(view, run);
}
