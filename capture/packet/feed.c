// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/feed.h"
#include "packet/decode.h"

struct gift {
	struct pk_output *output;
	struct tr_error *err;
};

enum tr_status pk_feed_open(struct pk_feed *feed, int64_t window_ns, enum pk_straggler straggler,
			    struct tr_error *err)
{
	feed->output.nodes = feed->nodes;
	feed->output.flows = feed->flows;
	feed->output.unsorted = feed->unsorted;
	return pk_order_open(&feed->order, window_ns, straggler, err);
}

static enum tr_status give(void *context, const struct tr_packet *records, size_t count)
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

static void fill(struct pk_feed *feed, const struct pk_frame *frame, const struct pk_packet *packet,
		 struct tr_packet *record)
{
	const struct pk_ids ids = pk_flows_find(feed->flows, &packet->flow);
	const uint32_t pseudo_bytes = frame->link->pseudo_bytes;

	feed->counts.node_other += ids.src == TR_NODE_OTHER || ids.dst == TR_NODE_OTHER;
	feed->counts.flow_other += ids.flow == TR_FLOW_NONE;
	*record = (struct tr_packet){
		.time_ticks = frame->time_ns,
		.id = feed->counts.frames,
		.flow = ids.flow,
		.src = ids.src,
		.dst = ids.dst,
		.payload_bytes = packet->payload_bytes,
		.wire_bytes = frame->wire_bytes - pseudo_bytes,
		.flags = packet->flags,
		.class = packet->payload_bytes <= feed->threshold_bytes ? TR_CLASS_OVERHEAD
									: TR_CLASS_DATA,
	};
}

enum tr_status pk_feed_frame(struct pk_feed *feed, const struct pk_frame *frame,
			     struct tr_error *err)
{
	struct pk_packet packet;
	struct tr_packet record;
	uint32_t why;

	pk_counts_add(&feed->counts, frame);
	why = frame->time_state == PK_TIME_OUTSIDE ? pk_why(PK_TIME, 0)
						   : pk_decode(frame, &packet);
	if (why != PK_DECODED) {
		pk_counts_undecoded(&feed->counts, why);
		return TR_OK;
	}
	fill(feed, frame, &packet, &record);
	if (feed->unsorted)
		return pk_output_put(&feed->output, &record, 1, err);
	if (pk_order_add(&feed->order, &record, err) != TR_OK)
		return TR_ERROR;
	if (feed->order.count >= feed->order.due)
		return release(feed, false, err);
	return TR_OK;
}

enum tr_status pk_feed_flush(struct pk_feed *feed, struct tr_error *err)
{
	int64_t time_ns;

	if (!feed->unsorted && release(feed, false, err) != TR_OK)
		return TR_ERROR;
	if (feed->order.any && !__builtin_sub_overflow(feed->order.newest_ns,
						       feed->order.window_ns, &time_ns))
		pk_output_flush(&feed->output, time_ns);
	return TR_OK;
}

enum tr_status pk_feed_finish(struct pk_feed *feed, struct tr_error *err)
{
	return feed->unsorted ? TR_OK : release(feed, true, err);
}

void pk_feed_close(struct pk_feed *feed)
{
	pk_order_close(&feed->order);
}
