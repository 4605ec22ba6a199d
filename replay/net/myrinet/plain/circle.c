// SPDX-License-Identifier: GPL-3.0-or-later
// After a deadlock: worms that wait in a circle, found by a depth-first search over the inputs of switches. A worm needs all the
// outputs that it asks for, and its copies move together, so every circle is one that cannot dissolve.
#include "net/myrinet/plain/plain.h"

// Why the worm keeps its input waiting: the input whose worm has the output that it wants, or the one beyond the output, which
// has stopped it; UINT32_MAX: it does not, or waits for a host.
static uint32_t blocker(const struct myr_run *run, uint32_t number, uint32_t worm)
{
	const uint32_t wanted = plain_wanted(run, number, worm);
	const struct plain_link *output = plain_link(run, wanted);
	uint32_t next = UINT32_MAX;

	if (plain_link(run, number)->state == PLAIN_ASKS)
		next = output->worm == worm ? UINT32_MAX : output->input;
	else if (output->stopped && !myr_run_is_host(run, run->ways[wanted].to))
		next = wanted;
	return next != UINT32_MAX && plain_link(run, next)->state != PLAIN_IDLE ? next : UINT32_MAX;
}

// The first worm of the input that waits for that one.
static uint32_t waiting(const struct myr_run *run, uint32_t number, uint32_t next)
{
	uint32_t worm = plain_link(run, number)->head;

	while (blocker(run, number, worm) != next)
		worm = plain_next_branch(run, plain_link(run, number), worm);
	return worm;
}

// Whether switches have made copies of the worm that are still under way, or will make some.
static bool is_multicast(const struct myr_run *run, uint32_t worm)
{
	if (!run->params->multicast.by_switch || run->lives[worm].copies.count > 0)
		return run->params->multicast.by_switch;
	for (uint32_t i = 0; i < run->link_count; i++) {
		const uint32_t other = plain_link(run, i)->worm;

		if (other != NET_NO_WORM && other != worm && run->lives[other].data == run->lives[worm].data)
			return true;
	}
	return false;
}

// Adds a step, unless the worm beyond the output is the same.
static void add_step(const struct myr_run *run, struct net_circle *circle, uint32_t number, uint32_t next)
{
	const bool queued = plain_link(run, number)->state == PLAIN_FLOWS;
	const uint32_t worm = waiting(run, number, next);
	const struct net_worm *packet = myr_run_worm(run, worm);

	if (queued && plain_link(run, next)->head == worm)
		return;
	plain_of(run)->steps[circle->count++] = (struct net_circle_step){.packet = run->lives[worm].data,
									 .source = packet->source,
									 .destination = packet->destination,
									 .link = plain_wanted(run, number, worm),
									 .queued = queued,
									 .multicast = is_multicast(run, worm)};
}

static void report(const struct myr_run *run, uint32_t first, uint32_t count)
{
	const uint32_t *path = plain_of(run)->touched;
	struct net_circle circle = {.steps = plain_of(run)->steps, .from_ticks = run->totals.end_ticks};

	for (uint32_t i = first; i < count; i++)
		add_step(run, &circle, path[i], path[i + 1 < count ? i + 1 : first]);
	run->setup->circles.found(run->setup->circles.context, &circle);
}

// Visits the input at the link's far end, with depth others on the path to it; true if that closes a circle.
static bool visit(struct myr_run *run, uint32_t number, uint32_t depth)
{
	struct plain_link *link = plain_link(run, number);
	uint32_t *path = plain_of(run)->touched;

	for (uint32_t i = 0; i < depth; i++)
		if (path[i] == number) {
			report(run, i, depth);
			return true;
		}
	if (link->touched)
		return false;
	link->touched = true;
	path[depth] = number;
	for (uint32_t worm = link->head; worm != NET_NO_WORM; worm = plain_next_branch(run, link, worm)) {
		const uint32_t next = blocker(run, number, worm);

		if (next != UINT32_MAX && visit(run, next, depth + 1))
			return true;
	}
	return false;
}

void plain_find_circle(struct myr_run *run)
{
	for (uint32_t i = 0; run->setup->circles.found && i < run->link_count; i++)
		if (!myr_run_is_host(run, run->ways[i].to) && plain_link(run, i)->state == PLAIN_ASKS && visit(run, i, 0))
			return;
}
