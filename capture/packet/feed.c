// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/feed.h"

#include <stdlib.h>
#include <string.h>

#include "packet/decode.h"
#include "packet/quick.h"
#include "stream/ib.h"

#define SEQUENCE_MASK 0xffffffu
#define STEP_BACK_MAX 65536u

enum feed_kind { OTHER, REQUEST, ANSWER };

// For reliable connections, also extended ones. Acknowledgements may share a number.
static enum feed_kind kind_of(uint8_t opcode)
{
	const unsigned operation = opcode & 31u;

	if (opcode >> 5 != 0 && opcode >> 5 != 5)
		return OTHER;
	if (operation >= 0x0d && operation <= 0x10)
		return ANSWER;
	return operation == 0x11 || operation == 0x12 ? OTHER : REQUEST;
}

bool pk_sequence_resent(uint32_t last[2], const struct pk_packet *packet)
{
	const enum feed_kind kind = kind_of(packet->opcode);
	uint32_t *after = &last[kind == ANSWER];

	if (kind == OTHER)
		return false;
	if (*after && ((*after - 1 - packet->sequence) & SEQUENCE_MASK) <= STEP_BACK_MAX)
		return true;
	*after = packet->sequence + 1;
	return false;
}

struct gift {
	struct pk_output *output;
	struct tr_error *err;
};

enum tr_status pk_feed_open(struct pk_feed *feed, int64_t window_ns, enum pk_straggler straggler,
			    size_t most, struct tr_error *err)
{
	feed->output.nodes = feed->nodes;
	feed->output.flows = feed->flows;
	feed->quick_link = pk_nodes_by(feed->nodes) == PK_NODES_BY_MAC ? UINT32_MAX
								       : PK_LINK_ETHERNET;
	feed->output.unsorted = straggler == PK_STRAGGLER_KEEP;
	feed->period_end_ns = feed->output.period_s ? INT64_MIN : INT64_MAX;
	if (pk_order_open(&feed->order, window_ns, straggler, most, err) != TR_OK)
		return TR_ERROR;
	if (feed->output.period_s) // streams must end with their period
		pk_order_set_due(&feed->order, PK_ORDER_BATCH);
	return TR_OK;
}

static enum tr_status feed_give(void *context, struct tr_packet *records, size_t count)
{
	const struct gift *gift = context;

	return pk_output_put(gift->output, records, count, gift->err);
}

static enum tr_status feed_release(struct pk_feed *feed, enum pk_release which,
				   struct tr_error *err)
{
	struct gift gift = {&feed->output, err};

	if ((feed->messages && pk_messages_failed(feed->messages)) ||
	    (feed->verbs && pk_verbs_failed(feed->verbs)))
		return tr_no_memory(err, "the messages");
	if (pk_nodes_failed(feed->nodes) || pk_flows_failed(feed->flows))
		return tr_no_memory(err, "the names of nodes or flows");
	err->text[0] = '\0';
	if (pk_order_release(&feed->order, which, feed_give, &gift, err) != TR_OK)
		return TR_ERROR;
	if (feed->output.writer)
		feed->period_end_ns = feed->output.period_end_ns;
	return TR_OK;
}

// Gives up idle flows, but none that a record names which is held. Where these are too many they
// are released early.
static enum tr_status give_up_flows(struct pk_feed *feed, struct tr_error *err)
{
	if (feed_release(feed, PK_RELEASE_SOONER, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < feed->order.count; i++)
		pk_flows_keep(feed->flows, feed->order.records[i].flow);
	if (pk_flows_give_up(feed->flows))
		return TR_OK;
	if (feed_release(feed, PK_RELEASE_EARLY, err) != TR_OK)
		return TR_ERROR;
	(void)pk_flows_give_up(feed->flows);
	return TR_OK;
}

// Whether frames are so far beyond the stream's period that held packets can be released: the last
// of the stream, or the first of the next.
static bool is_rotation_due(const struct pk_feed *feed, int64_t time_ns)
{
	int64_t settled_ns;

	return feed->period_end_ns != INT64_MAX && feed->order.count > 0 &&
	       !__builtin_sub_overflow(time_ns, feed->order.window_ns, &settled_ns) &&
	       settled_ns >= feed->period_end_ns && settled_ns >= feed->order.records[0].time_ticks;
}

static struct pk_counts *feed_counts_of(struct pk_feed *feed, const struct pk_frame *frame)
{
	return frame->time_ns < feed->period_end_ns ? &feed->counts : &feed->later;
}

// Counts a packet without a flow, maybe because of a node beyond the bound.
static void count_other(struct pk_feed *feed, const struct pk_frame *frame, struct pk_ids ids)
{
	struct pk_counts *counts = feed_counts_of(feed, frame);

	counts->flow_other++;
	counts->node_other += ids.src == TR_NODE_OTHER || ids.dst == TR_NODE_OTHER;
}

static void count_marks(struct pk_counts *counts, uint16_t flags)
{
	counts->congestion.markable += (flags & TR_FLAG_MARKABLE) != 0;
	counts->congestion.marked += (flags & TR_FLAG_MARKED) != 0;
}

static void count_notification(struct pk_counts *counts, const struct pk_packet *packet)
{
	counts->congestion.notifications += packet->flow.protocol == TR_PROTOCOL_IB &&
					    packet->opcode == TR_IB_CNP;
}

static inline void feed_fill(struct pk_feed *feed, const struct pk_frame *frame, struct pk_ids ids,
			     uint32_t payload_bytes, uint16_t flags, struct tr_packet *record)
{
	if (ids.flow == TR_FLOW_NONE)
		count_other(feed, frame, ids);
	if (flags & (TR_FLAG_MARKED | TR_FLAG_MARKABLE))
		count_marks(feed_counts_of(feed, frame), flags);
	*record = (struct tr_packet){
		.time_ticks = frame->time_ns,
		.id = feed->frames,
		.flow = ids.flow,
		.src = ids.src,
		.dst = ids.dst,
		.payload_bytes = payload_bytes,
		.wire_bytes = pk_frame_wire_bytes(frame),
		.flags = (uint16_t)(flags | (feed->after_loss ? TR_FLAG_AFTER_LOSS : 0)),
		.class = payload_bytes <= feed->threshold_bytes ? TR_CLASS_OVERHEAD : TR_CLASS_DATA,
	};
	feed->after_loss = false;
}

// Passes a TCP segment on, whose header begins at tcp.
static void pass_tcp(struct pk_feed *feed, const struct tr_packet *record, const uint8_t *tcp,
		     uint32_t known_bytes)
{
	const struct pk_tcp segment = {
		.time_ns = record->time_ticks,
		.header = tcp,
		.known_bytes = known_bytes,
		.payload_bytes = record->payload_bytes,
		.ids = {record->flow, record->src, record->dst},
		.fragment = record->flags & TR_FLAG_FRAGMENT,
	};

	pk_messages_take(feed->messages, &segment);
}

// The key of the packet's flow, by what makes nodes; *macs if it is between Ethernet addresses.
static const struct pk_flow_key *feed_flow_of(const struct pk_feed *feed,
					      const struct pk_packet *packet,
					      struct pk_flow_key *macs)
{
	if (!packet->has_macs || pk_nodes_by(feed->nodes) != PK_NODES_BY_MAC)
		return &packet->flow;
	*macs = packet->flow;
	memset(macs->src, 0, sizeof(macs->src));
	memset(macs->dst, 0, sizeof(macs->dst));
	memcpy(macs->dst, packet->macs, 6);
	memcpy(macs->src, packet->macs + 6, 6);
	macs->family = PK_MAC;
	return macs;
}

// Fills in the fields that only packets of InfiniBand's transport have.
static void fill_ib(struct pk_feed *feed, const struct pk_frame *frame,
		    const struct pk_packet *packet, struct tr_packet *record)
{
	uint32_t *words = record->flow == TR_FLOW_NONE ? NULL
						       : pk_flows_words(feed->flows, record->flow);

	count_notification(feed_counts_of(feed, frame), packet);
	record->opcode = packet->opcode;
	if (feed->verbs)
		words = pk_verbs_take(feed->verbs, words, packet, record);
	if (words && pk_sequence_resent(words, packet))
		record->flags |= TR_FLAG_RESENT;
}

void pk_feed_record(struct pk_feed *feed, const struct pk_frame *frame,
		    const struct pk_packet *packet, struct pk_ids ids, struct tr_packet *record)
{
	feed_fill(feed, frame, ids, packet->payload_bytes, packet->flags, record);
	record->wire_bytes = packet->wire_bytes;
	record->opcode = packet->opcode;
	count_notification(feed_counts_of(feed, frame), packet);
}

// Whether frames are all examined for copies now.
static inline bool is_sure(const struct pk_feed *feed)
{
	return feed->leave_out || feed->frames <= PK_COPIES_SURE_FRAMES;
}

// Whether a decoded packet is a copy that is to be left out; counts it.
static bool is_left_out(struct pk_feed *feed, const struct pk_frame *frame,
			const struct pk_packet *packet)
{
	const bool sure = is_sure(feed);

	if (!sure && !pk_copies_picks(packet->ip_id, packet->flow.protocol, packet->content.at,
				      packet->content.left))
		return false;
	if (!pk_copies_take(feed->copies, frame, packet))
		return false;
	feed_counts_of(feed, frame)->copies += sure ? 1 : PK_COPIES_SAMPLE;
	return feed->leave_out;
}

// Whether a frame that the quick decoder can decode has to be looked at for copies.
static inline bool is_examined(const struct pk_feed *feed, const struct pk_frame *frame)
{
	const uint8_t *ip = frame->data + PK_QUICK_IP;

	return feed->copies &&
	       (is_sure(feed) ||
		pk_copies_picks(pk_be16(ip + 4), ip[9], frame->data + PK_QUICK_TRANSPORT,
				frame->captured_bytes - PK_QUICK_TRANSPORT));
}

// A link is an interface of a capture.
static void feed_set_link(const struct pk_feed *feed, const struct pk_frame *frame,
			  struct pk_flow_key *flow)
{
	const uint64_t rate_bps = frame->link->rate_bps ? frame->link->rate_bps
							: feed->link_rate_bps;

	flow->src_port = frame->input << 16 | frame->interface;
	if (rate_bps >> (8 * sizeof(flow->rate)) == 0)
		for (size_t i = 0; i < sizeof(flow->rate); i++)
			flow->rate[i] = (uint8_t)(rate_bps >> (8 * i));
}

// Fills in the record of what a frame asks of classes.
static void fill_pause(struct pk_feed *feed, const struct pk_frame *frame,
		       const struct pk_packet *packet, bool first, struct tr_packet *record)
{
	feed_fill(feed, frame, pk_flows_find(feed->flows, &packet->flow), 0, packet->flags, record);
	record->class = TR_CLASS_OVERHEAD;
	record->wire_bytes = first ? packet->wire_bytes : 0;
	record->opcode = packet->opcode;
	pk_counts_pause(feed_counts_of(feed, frame), packet, first);
}

// Decodes any frame into *packet; returns why it has no record.
static uint32_t decode(struct pk_feed *feed, const struct pk_frame *frame, struct pk_packet *packet,
		       struct tr_packet *record)
{
	const struct pk_flow_key *flow;
	struct pk_flow_key macs;
	uint32_t why;

	if (frame->time_state == PK_TIME_OUTSIDE)
		return pk_why(PK_TIME, 0);
	why = pk_decode(frame, feed->outer, packet);
	pk_counts_length(feed_counts_of(feed, frame), frame, why == PK_DECODED ? packet : NULL);
	if (why != PK_DECODED)
		return why;
	if (feed->copies && is_left_out(feed, frame, packet))
		return pk_why(PK_COPY, 0);
	if (packet->flow.protocol == TR_PROTOCOL_PAUSE) {
		feed_set_link(feed, frame, &packet->flow);
		return pk_why(PK_PAUSE, 0);
	}
	flow = feed_flow_of(feed, packet, &macs);
	feed_fill(feed, frame, pk_flows_find(feed->flows, flow), packet->payload_bytes,
		  packet->flags, record);
	record->wire_bytes = packet->wire_bytes;
	if (feed->messages && packet->tcp)
		pass_tcp(feed, record, packet->tcp, packet->tcp_bytes);
	if (packet->flow.protocol == TR_PROTOCOL_IB)
		fill_ib(feed, frame, packet, record);
	pk_counts_opaque(feed_counts_of(feed, frame), packet->flow.protocol);
	return PK_DECODED;
}

// A flow that the quick decoder may find, with its hash.
struct feed_flow {
	struct pk_ipv4_key key;
	uint64_t hash;
};

// Whether pk_quick_decode can decode the frame; *record is then made from it. flow: its flow, if
// the frame has PK_QUICK_BYTES.
static inline bool decode_quick(struct pk_feed *feed, const struct pk_frame *frame,
				const struct feed_flow *flow, struct tr_packet *record)
{
	struct pk_quick quick;

	if (frame->decoded) {
		const struct pk_quick *given = (const void *)frame->data;

		feed_fill(feed, frame, pk_flows_find_ipv4(feed->flows, &flow->key, flow->hash),
			  given->payload_bytes, given->flags, record);
		return true;
	}
	if (frame->link->number != feed->quick_link || frame->time_state == PK_TIME_OUTSIDE ||
	    !pk_quick_decode(frame, &quick) || is_examined(feed, frame))
		return false;
	feed_fill(feed, frame, pk_flows_find_ipv4(feed->flows, &flow->key, flow->hash),
		  quick.payload_bytes, quick.flags, record);
	if (feed->messages && frame->data[PK_QUICK_IP + 9] == 6)
		pass_tcp(feed, record, frame->data + PK_QUICK_TRANSPORT,
			 frame->captured_bytes - PK_QUICK_TRANSPORT);
	return true;
}

// Makes a record from the frame at the next place; returns why it cannot. *packet is set only if a
// caller wants to see it.
static inline uint32_t feed_take(struct pk_feed *feed, const struct pk_frame *frame,
				 const struct feed_flow *flow, struct pk_packet *packet)
{
	struct tr_packet *record = pk_order_place(&feed->order);

	feed->frames++;
	feed->after_loss |= frame->after_loss;
	if (feed->period_end_ns == INT64_MIN)
		feed->period_end_ns = pk_output_period_end(&feed->output, frame->time_ns);
	pk_counts_add(feed_counts_of(feed, frame), frame);
	if (!feed->seen && decode_quick(feed, frame, flow, record))
		return PK_DECODED;
	return decode(feed, frame, packet, record);
}

// Shows a frame to the caller; its record, if any, was just added.
static void feed_show(const struct pk_feed *feed, const struct pk_frame *frame,
		      const struct pk_packet *packet, uint32_t why)
{
	if (!feed->seen)
		return;
	if (why == PK_DECODED)
		feed->seen(feed->seen_context, frame, packet, why,
			   feed->order.records[feed->order.count - 1].flags);
	else
		feed->seen(feed->seen_context, frame, NULL, why, 0);
}

// Adds a record for each length of pause that a frame asks for, the first with its wire bytes.
static enum tr_status add_pauses(struct pk_feed *feed, const struct pk_frame *frame,
				 struct pk_packet *packet, struct tr_error *err)
{
	bool first = true;

	do {
		if (feed->order.count >= feed->order.due &&
		    feed_release(feed, PK_RELEASE_SETTLED, err) != TR_OK)
			return TR_ERROR;
		fill_pause(feed, frame, packet, first, pk_order_place(&feed->order));
		if (pk_order_add(&feed->order, err) != TR_OK)
			return TR_ERROR;
		feed_show(feed, frame, packet, PK_DECODED);
		packet->wire_bytes = 0;
		first = false;
	} while (pk_pause_take(packet));
	return TR_OK;
}

// Counts a frame without a record, or adds those of pauses.
static enum tr_status take_other(struct pk_feed *feed, const struct pk_frame *frame,
				 struct pk_packet *packet, uint32_t why, struct tr_error *err)
{
	if (why == pk_why(PK_PAUSE, 0))
		return add_pauses(feed, frame, packet, err);
	if (why != pk_why(PK_COPY, 0)) // which is counted
		pk_counts_undecoded(feed_counts_of(feed, frame), why);
	feed_show(feed, frame, packet, why);
	return TR_OK;
}

// Takes at most as many frames as one read gives.
static enum tr_status feed_take_frames(struct pk_feed *feed, const struct pk_frame *frames,
				       size_t count, struct tr_error *err)
{
	struct feed_flow flows[PK_FRAMES_MAX];
	struct pk_packet packet;

	for (size_t i = 0; i < count; i++) {
		if (frames[i].captured_bytes < PK_QUICK_BYTES)
			continue;
		flows[i].key =
			frames[i].decoded
				? ((const struct pk_quick *)(const void *)frames[i].data)->key
				: pk_ipv4_key_of(frames[i].data + PK_QUICK_IP);
		flows[i].hash = pk_flows_expect_ipv4(feed->flows, &flows[i].key);
	}
	for (size_t i = 0; i < count; i++) {
		const struct pk_frame *frame = &frames[i];
		const uint32_t why = feed_take(feed, frame, &flows[i], &packet);

		if (why != PK_DECODED) {
			if (take_other(feed, frame, &packet, why, err) != TR_OK)
				return TR_ERROR;
		} else if (pk_order_add(&feed->order, err) != TR_OK) {
			return TR_ERROR;
		} else {
			feed_show(feed, frame, &packet, why);
		}
		// By the number of the frame: how many come at once depends on the input's pauses.
		if (feed->frames % PK_FLOWS_STEP == 0 && pk_flows_are_due(feed->flows) &&
		    give_up_flows(feed, err) != TR_OK)
			return TR_ERROR;
		if (feed->order.count < feed->order.due && !is_rotation_due(feed, frame->time_ns))
			continue;
		if (feed_release(feed, PK_RELEASE_SETTLED, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status pk_feed_frames(struct pk_feed *feed, const struct pk_frame *frames, size_t count,
			      struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t some; count && status == TR_OK; frames += some, count -= some) {
		some = count < PK_FRAMES_MAX ? count : PK_FRAMES_MAX;
		status = feed_take_frames(feed, frames, some, err);
	}
	return status;
}

void pk_feed_next_counts(struct pk_feed *feed, struct pk_counts *total)
{
	pk_counts_merge(total, &feed->counts);
	feed->counts = feed->later;
	feed->later = (struct pk_counts){0};
}

// Before the first frame there is no stream whose clock could advance.
void pk_feed_pass(struct pk_feed *feed, int64_t time_ns)
{
	if (feed->order.newest_ns != INT64_MIN && time_ns > feed->order.newest_ns)
		feed->order.newest_ns = time_ns;
}

enum tr_status pk_feed_flush(struct pk_feed *feed, struct tr_error *err)
{
	int64_t time_ns;

	if (feed_release(feed, PK_RELEASE_SETTLED, err) != TR_OK)
		return TR_ERROR;
	if (!feed->output.writer || feed->order.newest_ns == INT64_MIN ||
	    __builtin_sub_overflow(feed->order.newest_ns, feed->order.window_ns, &time_ns))
		return TR_OK;
	pk_order_promise(&feed->order, time_ns);
	return pk_output_flush(&feed->output, time_ns);
}

enum tr_status pk_feed_finish(struct pk_feed *feed, struct tr_error *err)
{
	if (feed_release(feed, PK_RELEASE_ALL, err) != TR_OK)
		return TR_ERROR;
	// Frames beyond the last period that contain no packet have no stream of their own.
	pk_counts_merge(&feed->counts, &feed->later);
	feed->later = (struct pk_counts){0};
	return TR_OK;
}

void pk_feed_close(struct pk_feed *feed)
{
	pk_order_close(&feed->order);
}
