// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/attempt.h"

#include "net/myrinet/runs/plan.h"

// When the event was set, and when the character is there. set_ticks is RUN_NEVER where that is not
// known yet.
struct want {
	int64_t set_ticks;
	int64_t ready_ticks;
};

static struct want want_of_output(const struct run_net *runs, const struct run_link *link,
				  uint32_t index, bool held)
{
	const struct run_sender *sender = &link->sender;
	const struct run_link *input = sender->input;
	int64_t came;

	if (index - sender->base < runs->lead)
		return (struct want){sender->ready_ticks, sender->ready_ticks};
	if (held)
		return (struct want){sender->held_ticks,
				     sender->held_ticks + link->conversion_ticks};
	if (run_ahead(input->sent.end, index + sender->offset) <= 0)
		return (struct want){RUN_NEVER, RUN_NEVER};
	came = run_start(&input->sent, index + sender->offset) + input->delay_ticks;
	return (struct want){run_later(came, sender->ready_ticks),
			     came + runs->net.times.path_ticks};
}

static struct want want_of(const struct run_net *runs, const struct run_link *link, uint32_t index,
			   bool held)
{
	const struct run_sender *sender = &link->sender;
	int64_t before = run_start_before(&link->sent, index);
	struct want want = {sender->begun_ticks, 0};

	if (link->from != NULL)
		want.ready_ticks = run_plan_made_ticks(runs, link, index);
	else
		want = want_of_output(runs, link, index, held);
	if (index != sender->base)
		want.set_ticks = run_later(want.set_ticks, before);
	want.ready_ticks = run_later(run_later(want.ready_ticks, want.set_ticks),
				     before + link->character_ticks);
	return want;
}

// The event for a removed worm's character has found the link busy, and is set again for when it is
// free.
static void renew_stale(struct run_link *link, int64_t now_ticks)
{
	int64_t end = link->control_end_ticks;

	if (link->stale_ticks < now_ticks && link->stale_ticks < end &&
	    link->stale_ticks >= end - link->character_ticks)
		link->stale_ticks = end;
}

// Whether the attempt for a worm that was removed found the output taken by this one, and stopped, before the worm had a
// character to send: then the link counts as blocked from there on.
static bool is_found_stopped(const struct run_link *link, uint32_t index, int64_t now_ticks)
{
	const struct run_sender *sender = &link->sender;

	return link->from == NULL && index == sender->base && link->stale_ticks <= now_ticks &&
	       link->stale_ticks >= sender->begun_ticks + (link->begun_in != 0) &&
	       link->stop_ticks <= link->stale_ticks;
}

static void note(const struct run_net *runs, struct run_link *link, uint32_t index,
		 int64_t now_ticks, int64_t held_from_ticks, bool stopped)
{
	struct run_sender *sender = &link->sender;
	struct run_attempt *attempt = &sender->attempt;
	bool held = index - sender->base == sender->length - 1 && sender->held_ticks >= 0 &&
		    sender->held_ticks < held_from_ticks;
	// What is set for this tick has been by the time of the timeouts.
	const int64_t pending_ticks = now_ticks + (SIM_KEY_PHASE(runs->key) == MYR_TIMEOUT);
	struct want want;
	bool stale, found_stopped;

	if (attempt->set && attempt->index == index && attempt->held == held &&
	    (stopped || attempt->ticks >= pending_ticks))
		return;
	attempt->set = false;
	if (sender->worm == NET_NO_WORM || index - sender->base >= sender->length)
		return;
	want = want_of(runs, link, index, held);
	found_stopped = stopped && is_found_stopped(link, index, now_ticks);
	if (want.set_ticks > now_ticks && !found_stopped)
		return;
	if (!stopped && index == sender->base && link->stale_ticks >= want.set_ticks)
		renew_stale(link, now_ticks);
	stale = index == sender->base && link->stale_ticks >= want.set_ticks + (link->begun_in != 0) &&
		(stopped || link->stale_ticks >= pending_ticks);
	*attempt = (struct run_attempt){
		.ticks = stale || found_stopped ? link->stale_ticks :
				 run_later(want.ready_ticks, link->control_end_ticks),
		.index = index, .held = held, .set = true};
}

void run_attempt_note(const struct run_net *runs, struct run_link *link, uint32_t index,
		      int64_t now_ticks, int64_t held_from_ticks)
{
	if (link->stop_unnoted && run_is_stopped(link, now_ticks)) {
		link->stop_unnoted = false;
		note(runs, link, link->sent.end, link->stop_ticks, link->stop_ticks, false);
	}
	note(runs, link, index, now_ticks, held_from_ticks, run_is_stopped(link, now_ticks));
}

int64_t run_attempt_ticks(const struct run_net *runs, struct run_link *link, int64_t now_ticks)
{
	run_attempt_note(runs, link, link->sent.end, now_ticks, RUN_NEVER);
	return link->sender.attempt.set ? link->sender.attempt.ticks : RUN_NEVER;
}

int64_t run_attempt_last(const struct run_link *link)
{
	const struct run_link *input = link->sender.input;
	int64_t first = link->sender.attempt.ticks;
	int64_t end = link->control_end_ticks;
	int64_t after = run_later(first, end - link->character_ticks);
	uint32_t next;

	if (input == NULL)
		return first;
	next = run_from(&input->sent, after + 1 - input->delay_ticks);
	if (run_ahead(input->sent.end, next) > 0 &&
	    run_start(&input->sent, next) + input->delay_ticks < end)
		return run_later(first, end);
	return first;
}
