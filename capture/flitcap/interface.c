// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of an interface.
#include "flitcap.h"
#include "packet/live.h"

#include <stdio.h>

#define SNAP_BYTES 256u // enough for all headers

// Reports a change of the interface's state.
static void watch(struct cap *cap, const struct pk_live *live)
{
	struct cap_interface *interface = &cap->interface;
	const enum pk_live_state state = pk_live_state(live);

	if (state == interface->state)
		return;
	interface->state = state;
	interface->downs += state == PK_LIVE_DOWN;
	if (state == PK_LIVE_DOWN)
		tool_warn(cap->tool,
			  "%s: the interface is down; the capture continues when it is up",
			  interface->name);
	else if (state == PK_LIVE_UP)
		tool_warn(cap->tool, "%s: the interface is up again", interface->name);
}

void cap_watch_interface(struct cap *cap)
{
	if (cap->live && cap->from.state)
		watch(cap, cap->from.state);
}

// A failed output ends the capture even if no more frames come.
static bool idle(void *context)
{
	const struct cap *cap = context;

	cap_idle(context);
	cap_watch_interface(context);
	return !cap->failed;
}

static enum tr_status read_live(void *state, struct pk_frame *frames, size_t max, size_t *count,
				struct tr_error *err)
{
	return pk_live_read(state, frames, max, count, err);
}

static bool interface_lost(void *state, uint64_t *frames)
{
	return pk_live_lost(state, frames);
}

static void stop_live(void *state)
{
	pk_live_stop(state);
}

static void close_live(void *state)
{
	pk_live_close(state);
}

static uint32_t snap_bytes(const struct cap *cap, const struct cap_live_options *options)
{
	if (options->snap_bytes)
		return options->snap_bytes > PK_FRAME_BYTES_MAX ? PK_FRAME_BYTES_MAX
								: (uint32_t)options->snap_bytes;
	return cap->options->pcap ? PK_FRAME_BYTES_MAX : SNAP_BYTES;
}

bool cap_open_live(struct cap *cap, const struct cap_live_options *options)
{
	const struct pk_live_options how = {
		.interface = options->interface,
		.filter = cap->filter_text,
		.snap_bytes = snap_bytes(cap, options),
		.buffer_bytes = (uint32_t)(options->buffer_kib * 1024),
		.rings = (unsigned)options->rings,
		.promiscuous = !options->not_promiscuous,
		.whole = cap->options->pcap || cap->feed.seen || cap->feed.messages ||
			 cap->feed.leave_out || cap->options->nodes_by == PK_NODES_BY_MAC,
	};
	struct tr_error warning, err;
	struct pk_live *live;

	if (pk_live_open(&live, &how, &warning, &err) != TR_OK) {
		tool_error(cap->tool, "%s", err.text);
		return false;
	}
	if (warning.text[0])
		tool_warn(cap->tool, "%s", warning.text);
	cap->waits = true;
	cap->live = true;
	cap->interface.name = options->interface;
	cap->from = (struct cap_frames){read_live,  interface_lost, NULL, stop_live,
					close_live, live,	    NULL};
	pk_live_set_idle(live, idle, cap);
	return true;
}

bool cap_interface_is_current(const struct cap *cap)
{
	return pk_live_is_current(cap->from.state);
}

uint64_t cap_ring_late(const struct cap *cap)
{
	return cap->live && cap->from.state ? pk_live_late(cap->from.state) : 0;
}

void cap_count_rings(struct cap *cap)
{
	if (cap->live)
		cap->interface.rings = pk_live_rings(cap->from.state, cap->interface.ring_counts);
}

void cap_end_interface(struct cap *cap)
{
	if (cap->interface.state == PK_LIVE_GONE)
		tool_error(cap->tool,
			   "%s: the interface was removed; the outputs are complete up to then",
			   cap->interface.name);
}

static void add_interface(void *context, const char *name, const char *description)
{
	table_text(context, name);
	table_text(context, description);
}

enum tr_status cap_interface_words(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("interfaces", "Interfaces");
	enum tr_status status;

	table_columns(table, "name meaning");
	status = pk_live_list(add_interface, table, err);
	if (status == TR_OK)
		status = tables_print(&table, 1, style, "flitcap", out, err);
	table_free(table);
	return status;
}
