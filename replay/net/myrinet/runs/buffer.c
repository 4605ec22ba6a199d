// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/buffer.h"

#include "net/myrinet/runs/glance.h"
#include "net/myrinet/runs/meter.h"

static void add_single(struct run_buffer *buffer, int64_t ticks, uint32_t index)
{
	struct run_view *view = &buffer->takes.views[1];

	buffer->singles[view->count++] = (struct run){ticks, index, 1};
	view->end = index + 1;
}

static int64_t arrival(const struct run_link *link, uint32_t index)
{
	return run_start(&link->sent, index) + link->delay_ticks;
}

// The next worm's characters up to the route character leave as they come once left_ticks is over.
static void add_head(const struct run_net *runs, const struct run_link *link,
		     const struct run_segment *next, int64_t left_ticks, struct run_buffer *buffer)
{
	for (uint32_t i = 0; i <= runs->lead; i++)
		if (run_ahead(link->sent.end, next->base + i) > 0)
			add_single(buffer, run_later(arrival(link, next->base + i), left_ticks),
				   next->base + i);
}

// The output's runs, then what is held.
static void add_flow(const struct run_net *runs, const struct run_link *link,
		     struct run_buffer *buffer)
{
	const struct run_link *out = link->input.output;
	const struct run_sender *sender = &out->sender;
	uint32_t tail = sender->base + sender->length - 1;
	uint32_t end = run_ahead(out->sent.end, tail) > 0 ? tail : out->sent.end;

	buffer->takes.views[0] = (struct run_view){
		.items = out->sent.items, .count = out->sent.count, .offset = sender->offset,
		.start = buffer->takes.taken, .end = end + sender->offset};
	if (out->sent.count == 0 && run_ahead(end + sender->offset, buffer->takes.taken) > 0)
		buffer->takes.taken = end + sender->offset; // their runs are forgotten
	if (sender->held_ticks < 0)
		return;
	add_single(buffer, sender->held_ticks, tail + sender->offset);
	if (link->segments.count > 1)
		add_head(runs, link, run_segment_at(link, 1), sender->held_ticks, buffer);
}

static void view_switch(const struct run_net *runs, const struct run_link *link,
			struct run_buffer *buffer)
{
	const struct run_segment *first = run_segment_at(link, 0);

	if (link->segments.count == 0) {
		buffer->takes.taken = link->sent.end;
	} else if (link->input.state == RUN_INPUT_IDLE) {
		buffer->takes.taken = first->base;
		add_head(runs, link, first, link->input.idle_ticks, buffer);
	} else {
		buffer->takes.taken = run_behind_route(runs, first);
		if (link->input.state == RUN_INPUT_FLOWS)
			add_flow(runs, link, buffer);
	}
	buffer->takes.views[1].items = buffer->singles;
	if (buffer->takes.views[1].count > 0)
		buffer->takes.views[1].start = buffer->singles[0].index;
}

void run_buffer_view(const struct run_net *runs, const struct run_link *link,
		     struct run_buffer *buffer)
{
	const struct run_list *sent = &link->sent;

	*buffer = (struct run_buffer){
		.arrivals = {.items = sent->items, .count = sent->count, .end = sent->end,
			     .shift_ticks = link->delay_ticks,
			     .start = sent->count > 0 ? sent->items[0].index : sent->end}};
	if (link->sink == NULL) {
		view_switch(runs, link, buffer);
		return;
	}
	buffer->takes.views[0] = (struct run_view){
		.items = link->sink->drained.items, .count = link->sink->drained.count,
		.end = link->sink->drained.end};
	buffer->takes.taken = buffer->takes.views[0].end;
	if (link->sink->drained.count > 0)
		buffer->takes.views[0].start = link->sink->drained.items[0].index;
}

static void note_peak(struct run_net *runs, const struct run_link *link, uint32_t peak)
{
	if (peak > runs->net.totals.slack_peak)
		runs->net.totals.slack_peak = peak;
	if (peak > runs->net.times.slack_size)
		myr_fail(&runs->net, "the slack buffer at the end of link %u overflows: "
			 "the region above the STOP line is too small", link->number);
}

// Whether the peak of the time until before_ticks is none that counts.
static bool no_new_peak(const struct run_net *runs, const struct run_link *link,
			int64_t before_ticks)
{
	uint32_t peak = runs->net.totals.slack_peak;

	return before_ticks <= link->slack.peaked_ticks || run_most_held(link) <= (int64_t)peak ||
	       peak >= runs->most ||
	       (!link->slack.peaking && peak >= runs->net.times.stop_line) ||
	       (link->slack.peaking && !link->slack.untold && peak >= link->slack.peak_most) ||
	       run_glance_stayed_below(runs, link, peak + 1);
}

// The area up to before_ticks, the peak up to peak_before_ticks.
static void settle(struct run_net *runs, struct run_link *link, int64_t before_ticks,
		   int64_t peak_before_ticks)
{
	int64_t from = link->slack.settled_ticks;
	bool known = runs->meters == NULL && no_new_peak(runs, link, peak_before_ticks);
	struct run_buffer buffer;
	uint32_t peak;

	link->slack.settled_ticks = before_ticks;
	link->slack.peaking = link->slack.stop_due;
	if (!link->slack.peaking) {
		link->slack.untold = false;
		link->slack.peak_most = 0;
	}
	link->slack.peaked_ticks = run_later(link->slack.peaked_ticks, peak_before_ticks);
	if (known)
		return;
	run_buffer_view(runs, link, &buffer);
	peak = run_peak(&buffer.arrivals, &buffer.takes, from, peak_before_ticks);
	note_peak(runs, link, peak);
	if (runs->meters != NULL)
		run_meter_add(&runs->meters[link->number], peak,
			      run_area(&buffer.arrivals, &buffer.takes, from, before_ticks));
}

void run_buffer_settle(struct run_net *runs, struct run_link *link, int64_t before_ticks)
{
	if (before_ticks > link->slack.settled_ticks)
		settle(runs, link, before_ticks, before_ticks);
}

void run_buffer_settle_now(struct run_net *runs, struct run_link *link)
{
	settle(runs, link, runs->net.events.now_ticks, runs->net.events.now_ticks + 1);
}

uint32_t run_buffer_occupancy(const struct run_net *runs, const struct run_link *link,
			      int64_t ticks)
{
	struct run_buffer buffer;

	run_buffer_view(runs, link, &buffer);
	return run_occupancy(&buffer.arrivals, &buffer.takes, ticks);
}

// Number of the first character that has not left the buffer before this tick.
static uint32_t taken(const struct run_net *runs, const struct run_link *link)
{
	int64_t now = runs->net.events.now_ticks;
	const struct run_link *out = link->input.output;
	uint32_t index;
	uint32_t tail;

	if (link->sink != NULL)
		return run_from(&link->sink->drained, now);
	if (link->segments.count == 0)
		return link->sent.end;
	if (link->input.state == RUN_INPUT_IDLE)
		return run_segment_at(link, 0)->base;
	if (link->input.state == RUN_INPUT_WAITS)
		return run_behind_route(runs, run_segment_at(link, 0));
	index = run_from(&out->sent, now);
	tail = out->sender.base + out->sender.length - 1;
	if (run_ahead(out->sender.base + runs->lead, index) > 0)
		index = out->sender.base + runs->lead;
	return (run_ahead(index, tail) > 0 ? tail : index) + out->sender.offset;
}

void run_buffer_forget(struct run_net *runs, struct run_link *link)
{
	int64_t now = runs->net.events.now_ticks;

	if (now > runs->net.stop_ticks) // characters that do not come are taken back yet
		now = runs->net.stop_ticks;
	run_meter_catch_up(runs, now);
	if (link->sender.input != NULL && link->sender.input->input.state == RUN_INPUT_FLOWS &&
	    link->sender.input->input.output == link)
		run_buffer_settle(runs, link->sender.input, now);
	run_buffer_settle(runs, link, now);
	run_trim(&link->sent, taken(runs, link));
}

uint32_t run_buffer_arrived(const struct run_net *runs, const struct run_link *link)
{
	return run_from(&link->sent, runs->net.events.now_ticks - link->delay_ticks + 1);
}

// The phase and component by which character index leaves the buffer at ticks.
static uint32_t take_key(const struct run_link *link, const struct run_crossing *take)
{
	uint32_t next;
	int64_t left;

	if (link->sink != NULL)
		return SIM_KEY(MYR_DRAIN, link->to->number);
	next = link->input.state == RUN_INPUT_IDLE ? 0 : 1;
	left = next == 0 ? link->input.idle_ticks : link->input.output->sender.held_ticks;
	if (next < link->segments.count && take->ticks > left &&
	    run_ahead(take->index, run_segment_at(link, next)->base) >= 0)
		return SIM_KEY(MYR_ARRIVE, link->number);
	return SIM_KEY(MYR_SEND, link->input.output->number);
}

static bool find_rise(const struct run_net *runs, const struct run_link *link,
		      struct run_crossing *crossing)
{
	enum run_glance glance =
		run_glance_rise(runs, link, runs->net.times.stop_line, crossing);
	struct run_buffer buffer;

	if (glance != RUN_GLANCE_LOOK)
		return glance == RUN_GLANCE_AT;
	run_buffer_view(runs, link, &buffer);
	return run_rise(&buffer.arrivals, &buffer.takes, runs->net.events.now_ticks,
			runs->net.times.stop_line, crossing);
}

static bool find_fall(const struct run_net *runs, const struct run_link *link,
		      struct run_crossing *crossing)
{
	enum run_glance glance = run_glance_fall(runs, link, runs->net.times.go_line, crossing);
	struct run_buffer buffer;

	if (glance != RUN_GLANCE_LOOK)
		return glance == RUN_GLANCE_AT;
	run_buffer_view(runs, link, &buffer);
	return run_fall(&buffer.arrivals, &buffer.takes, runs->net.events.now_ticks,
			runs->net.times.go_line, crossing);
}

void run_buffer_watch(struct run_net *runs, struct run_link *link)
{
	struct run_slack *slack = &link->slack;
	struct run_crossing crossing;

	if (slack->rising && slack->cross.due.ticks == runs->net.events.now_ticks)
		return; // what came in this tick is as it was
	run_timer_clear(&slack->cross);
	slack->rising = !slack->stop_due;
	if (slack->rising ? find_rise(runs, link, &crossing) : find_fall(runs, link, &crossing))
		run_set(runs, &slack->cross, crossing.ticks,
			slack->rising ? SIM_KEY(MYR_ARRIVE, link->number) :
					take_key(link, &crossing),
			RUN_CROSS, link);
}
