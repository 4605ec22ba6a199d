// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/feed.h"
#include "packet/decode.h"
#include "packet/quick.h"

struct gift {
	struct pk_output *output;
	struct tr_error *err;
};

enum tr_status pk_feed_open(struct pk_feed *feed, int64_t window_ns, enum pk_straggler straggler,
			    struct tr_error *err)
{
	feed->output.nodes = feed->nodes;
	feed->output.flows = feed->flows;
	feed->output.unsorted = straggler == PK_STRAGGLER_KEEP;
	return pk_order_open(&feed->order, window_ns, straggler, err);
}

static enum tr_status give(void *context, struct tr_packet *records, size_t count)
{
	const struct gift *gift = context;

	return pk_output_put(gift->output, records, count, gift->err);
}

static enum tr_status release(struct pk_feed *feed, bool all, struct tr_error *err)
{
	struct gift gift = {&feed->output, err};

	if (pk_nodes_failed(feed->nodes) || pk_flows_failed(feed->flows))
		return tr_fail(err, "out of memory for the names of nodes or flows");
	err->text[0] = '\0';
	return pk_order_release(&feed->order, all, give, &gift, err);
}

static inline void fill(struct pk_feed *feed, const struct pk_frame *frame, struct pk_ids ids,
			uint32_t payload_bytes, uint16_t flags, struct tr_packet *record)
{
	feed->counts.node_other += ids.src == TR_NODE_OTHER || ids.dst == TR_NODE_OTHER;
	feed->counts.flow_other += ids.flow == TR_FLOW_NONE;
	*record = (struct tr_packet){
		.time_ticks = frame->time_ns,
		.id = feed->counts.frames,
		.flow = ids.flow,
		.src = ids.src,
		.dst = ids.dst,
		.payload_bytes = payload_bytes,
		.wire_bytes = frame->wire_bytes - frame->link->pseudo_bytes,
		.flags = flags,
		.class = payload_bytes <= feed->threshold_bytes ? TR_CLASS_OVERHEAD
								: TR_CLASS_DATA,
	};
}

// Any frame; answers why it has no record.
static uint32_t decode(struct pk_feed *feed, const struct pk_frame *frame,
		       struct tr_packet *record)
{
	struct pk_packet packet;
	uint32_t why;

	if (frame->time_state == PK_TIME_OUTSIDE)
		return pk_why(PK_TIME, 0);
	why = pk_decode(frame, &packet);
	if (why == PK_DECODED)
		fill(feed, frame, pk_flows_find(feed->flows, &packet.flow), packet.payload_bytes,
		     packet.flags, record);
	return why;
}

enum tr_status pk_feed_frames(struct pk_feed *feed, const struct pk_frame *frames, size_t count,
			      struct tr_error *err)
{
	struct pk_quick quick;

	for (const struct pk_frame *frame = frames; frame < frames + count; frame++) {
		struct tr_packet *record = pk_order_place(&feed->order);

		pk_counts_add(&feed->counts, frame);
		if (frame->link->number == PK_LINK_ETHERNET &&
		    frame->time_state != PK_TIME_OUTSIDE && pk_quick_decode(frame, &quick)) {
			fill(feed, frame,
			     pk_flows_find_ipv4(feed->flows, frame->data + PK_QUICK_IP),
			     quick.payload_bytes, quick.flags, record);
		} else {
			const uint32_t why = decode(feed, frame, record);

			if (why != PK_DECODED) {
				pk_counts_undecoded(&feed->counts, why);
				continue;
			}
		}
		if (pk_order_add(&feed->order, err) != TR_OK)
			return TR_ERROR;
		if (feed->order.count >= feed->order.due && release(feed, false, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status pk_feed_flush(struct pk_feed *feed, struct tr_error *err)
{
	int64_t time_ns;

	if (release(feed, false, err) != TR_OK)
		return TR_ERROR;
	if (feed->order.newest_ns != INT64_MIN &&
	    !__builtin_sub_overflow(feed->order.newest_ns, feed->order.window_ns, &time_ns))
		pk_output_flush(&feed->output, time_ns);
	return TR_OK;
}

enum tr_status pk_feed_finish(struct pk_feed *feed, struct tr_error *err)
{
	return release(feed, true, err);
}

void pk_feed_close(struct pk_feed *feed)
{
	pk_order_close(&feed->order);
}
