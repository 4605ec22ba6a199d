// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/capture_counts.h"
#include "packet/decode.h"
#include "stream/names.h"
#include "stream/words.h"

#include <stdio.h>
#include <string.h>

void pk_counts_length(struct pk_counts *counts, const struct pk_frame *frame,
		      const struct pk_packet *packet)
{
	const uint32_t lost_bytes = packet ? packet->lost_bytes : 0;

	if (packet) // the bytes that pk_counts_add did not know
		counts->wire_bytes += (uint64_t)packet->wire_bytes - pk_frame_wire_bytes(frame);
	if (!frame->wire_bytes && frame->captured_bytes)
		counts->length_lost++;
	else if (lost_bytes && frame->wire_bytes >= frame->captured_bytes)
		counts->length_lost++;
	else if (frame->wire_bytes < frame->captured_bytes)
		counts->length_short++;
	counts->length_lost_bytes += lost_bytes;
}

static void add_why(struct pk_counts *counts, uint32_t why, uint64_t frames)
{
	uint32_t i = 0;

	while (i < counts->why_count && counts->whys[i].why != why)
		i++;
	if (i == PK_WHYS_MAX) {
		counts->why_other += frames;
		return;
	}
	if (i == counts->why_count)
		counts->whys[counts->why_count++] = (struct pk_why_count){why, 0};
	counts->whys[i].frames += frames;
}

void pk_counts_undecoded(struct pk_counts *counts, uint32_t why)
{
	counts->undecoded++;
	add_why(counts, why, 1);
}

static void add_opaque(struct pk_counts *counts, uint8_t protocol, uint64_t packets)
{
	uint32_t i = 0;

	while (i < counts->opaque_count && counts->opaque[i].protocol != protocol)
		i++;
	if (i == PK_PROTOCOLS_MAX) {
		counts->opaque_other += packets;
		return;
	}
	if (i == counts->opaque_count)
		counts->opaque[counts->opaque_count++] = (struct pk_protocol_count){protocol, 0};
	counts->opaque[i].packets += packets;
}

void pk_counts_opaque(struct pk_counts *counts, uint8_t protocol)
{
	// TCP, UDP, SCTP, UDP-Lite.
	static const uint8_t read[] = {6, 17, 132, 136, TR_PROTOCOL_IB, TR_PROTOCOL_PAUSE};

	if (!memchr(read, protocol, sizeof(read)))
		add_opaque(counts, protocol, 1);
}

void pk_counts_pause(struct pk_counts *counts, const struct pk_packet *packet, bool first)
{
	static const uint8_t unknown[sizeof(packet->flow.rate)];
	struct pk_congestion *congestion = &counts->congestion;
	const unsigned whole = 1u << (PK_PAUSE_CLASSES - 1);
	const unsigned classes = packet->opcode ? packet->opcode : whole;

	congestion->pauses += first;
	congestion->mixed += first && packet->classes;
	congestion->unrated += first && memcmp(packet->flow.rate, unknown, sizeof(unknown)) == 0;
	for (unsigned i = 0; i < PK_PAUSE_CLASSES; i++) {
		struct pk_class_pauses *class = &congestion->classes[i];

		if (!(classes >> i & 1))
			continue;
		class->asked += packet->flow.dst_port > 0;
		class->resumed += packet->flow.dst_port == 0;
		if (packet->flow.dst_port > class->quanta_max)
			class->quanta_max = packet->flow.dst_port;
	}
}

static void merge_congestion(struct pk_congestion *to, const struct pk_congestion *other)
{
	to->markable += other->markable;
	to->marked += other->marked;
	to->notifications += other->notifications;
	to->pauses += other->pauses;
	to->mixed += other->mixed;
	to->unrated += other->unrated;
	for (unsigned i = 0; i < PK_PAUSE_CLASSES; i++) {
		const struct pk_class_pauses *class = &other->classes[i];

		to->classes[i].asked += class->asked;
		to->classes[i].resumed += class->resumed;
		if (class->quanta_max > to->classes[i].quanta_max)
			to->classes[i].quanta_max = class->quanta_max;
	}
}

void pk_counts_merge(struct pk_counts *counts, const struct pk_counts *other)
{
	counts->frames += other->frames;
	counts->wire_bytes += other->wire_bytes;
	counts->rejected += other->rejected;
	counts->untimed += other->untimed;
	counts->carried += other->carried;
	counts->copies += other->copies;
	counts->length_lost += other->length_lost;
	counts->length_lost_bytes += other->length_lost_bytes;
	counts->length_short += other->length_short;
	counts->undecoded += other->undecoded;
	counts->why_other += other->why_other;
	counts->node_other += other->node_other;
	counts->flow_other += other->flow_other;
	counts->opaque_other += other->opaque_other;
	merge_congestion(&counts->congestion, &other->congestion);
	for (uint32_t i = 0; i < other->opaque_count; i++)
		add_opaque(counts, other->opaque[i].protocol, other->opaque[i].packets);
	for (uint32_t i = 0; i < other->why_count; i++)
		add_why(counts, other->whys[i].why, other->whys[i].frames);
	if (!other->timed)
		return;
	if (!counts->timed || other->first_ns < counts->first_ns)
		counts->first_ns = other->first_ns;
	if (!counts->timed || other->last_ns > counts->last_ns)
		counts->last_ns = other->last_ns;
	counts->timed = true;
}

struct visit {
	enum tr_status (*each)(void *context, const char *key, uint64_t value);
	void *context;
	enum tr_status status;
};

static void visit(struct visit *to, const char *key, uint64_t value, bool wanted)
{
	if (wanted && to->status == TR_OK)
		to->status = to->each(to->context, key, value);
}

static void visit_whys(const struct pk_counts *counts, struct visit *to)
{
	char key[PK_WHY_KEY_BYTES], name[PK_WHY_KEY_BYTES + 16];

	for (uint32_t i = 0; i < counts->why_count; i++) {
		(void)snprintf(name, sizeof(name), "undecoded.%s",
			       pk_why_key(counts->whys[i].why, key));
		visit(to, name, counts->whys[i].frames, true);
	}
	visit(to, "undecoded.other", counts->why_other, counts->why_other > 0);
}

static void visit_opaque(const struct pk_counts *counts, struct visit *to)
{
	char name[32], protocol[8];

	for (uint32_t i = 0; i < counts->opaque_count; i++) {
		(void)snprintf(
			name, sizeof(name), "opaque.%s",
			tr_protocol_format(counts->opaque[i].protocol, protocol, sizeof(protocol)));
		visit(to, name, counts->opaque[i].packets, true);
	}
	visit(to, "opaque.other", counts->opaque_other, counts->opaque_other > 0);
}

static void visit_congestion(const struct pk_congestion *congestion, struct visit *to)
{
	visit(to, "markable", congestion->markable, congestion->markable > 0);
	visit(to, "marked", congestion->marked, congestion->marked > 0);
	visit(to, "notifications", congestion->notifications, congestion->notifications > 0);
	visit(to, "pauses", congestion->pauses, congestion->pauses > 0);
	visit(to, "pauses_mixed", congestion->mixed, congestion->mixed > 0);
}

enum tr_status pk_counts_each(const struct pk_counts *counts,
			      enum tr_status (*each)(void *context, const char *key,
						     uint64_t value),
			      void *context)
{
	struct visit to = {each, context, TR_OK};

	visit(&to, "frames", counts->frames, true);
	visit(&to, "wire_bytes", counts->wire_bytes, true);
	visit(&to, "first_ns", (uint64_t)counts->first_ns, counts->timed && counts->first_ns >= 0);
	visit(&to, "last_ns", (uint64_t)counts->last_ns, counts->timed && counts->first_ns >= 0);
	visit(&to, "rejected", counts->rejected, counts->rejected > 0);
	visit(&to, "untimed", counts->untimed, counts->untimed > 0);
	visit(&to, "time_carried", counts->carried, counts->carried > 0);
	visit(&to, "length_lost", counts->length_lost, counts->length_lost > 0);
	visit(&to, "length_lost_B", counts->length_lost_bytes, counts->length_lost_bytes > 0);
	visit(&to, "length_short", counts->length_short, counts->length_short > 0);
	visit(&to, "undecoded", counts->undecoded, true);
	visit_whys(counts, &to);
	visit_opaque(counts, &to);
	visit_congestion(&counts->congestion, &to);
	visit(&to, "node_other", counts->node_other, counts->node_other > 0);
	visit(&to, "flow_other", counts->flow_other, counts->flow_other > 0);
	return to.status;
}
