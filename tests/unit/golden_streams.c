// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden_streams.h"

static const struct tr_packet packets[GOLDEN_RECORDS] = {
	{.time_ticks = 1000,
	 .id = 0,
	 .flow = 0,
	 .src = 0,
	 .dst = 1,
	 .payload_bytes = 1448,
	 .wire_bytes = 1514,
	 .flags = TR_FLAG_SNAPPED,
	 .class = TR_CLASS_DATA},
	{.time_ticks = 1000,
	 .id = 1,
	 .flow = 1,
	 .src = 1,
	 .dst = 0,
	 .payload_bytes = 0,
	 .wire_bytes = 66,
	 .class = TR_CLASS_OVERHEAD},
	{.time_ticks = 1500000000,
	 .id = 72623859790382856u,
	 .flow = TR_FLOW_NONE,
	 .src = TR_NODE_OTHER,
	 .dst = 1,
	 .payload_bytes = 86,
	 .wire_bytes = 128,
	 .flags = TR_FLAG_FRAGMENT | TR_FLAG_LATE,
	 .class = TR_CLASS_OVERHEAD},
};

static void put_packet(struct hand_made *made, size_t index)
{
	switch (index) {
	case 0: hand_packet(made, 1000, 0, 0, 0, 1, 1448, 1514, 2, 1); break;
	case 1: hand_packet(made, 1000, 1, 1, 1, 0, 0, 66, 0, 2); break;
	default:
		hand_packet(made, 1500000000, 0x0102030405060708u, 0xffffffffu, 0xffffffffu, 1, 86,
			    128, 5, 2);
	}
}

static const struct tr_delivery deliveries[GOLDEN_RECORDS] = {
	{.packet = {.time_ticks = 400000,
		    .id = 5,
		    .flow = 0,
		    .src = 0,
		    .dst = 1,
		    .payload_bytes = 8192,
		    .wire_bytes = 8200,
		    .class = TR_CLASS_DATA},
	 .created_ticks = 1000,
	 .started_ticks = 2000,
	 .injected_ticks = 3000,
	 .head_ticks = 4000,
	 .status = TR_DELIVERED,
	 .hops = 1},
	{.packet = {.time_ticks = 400001,
		    .id = 6,
		    .flow = 1,
		    .src = 1,
		    .dst = 0,
		    .payload_bytes = 64,
		    .wire_bytes = 72,
		    .class = TR_CLASS_OVERHEAD},
	 .created_ticks = 400001,
	 .started_ticks = -1,
	 .injected_ticks = -1,
	 .head_ticks = -1,
	 .status = TR_DROPPED,
	 .reason = TR_DROP_QUEUE},
	{.packet = {.time_ticks = 1500000000,
		    .id = 7,
		    .flow = 0,
		    .src = 0,
		    .dst = 1,
		    .payload_bytes = 16,
		    .wire_bytes = 24,
		    .class = TR_CLASS_DATA},
	 .created_ticks = 500000,
	 .started_ticks = 500001,
	 .injected_ticks = 500002,
	 .head_ticks = -1,
	 .status = TR_IN_FLIGHT,
	 .hops = 2},
};

static void put_delivery(struct hand_made *made, size_t index)
{
	static const uint64_t later[GOLDEN_RECORDS][4] = {
		{1000, 2000, 3000, 4000},
		{400001, UINT64_MAX, UINT64_MAX, UINT64_MAX},
		{500000, 500001, 500002, UINT64_MAX},
	};
	static const uint8_t status[GOLDEN_RECORDS][3] = {{0, 0, 1}, {1, 1, 0}, {2, 0, 2}};

	if (index == 0)
		hand_packet(made, 400000, 5, 0, 0, 1, 8192, 8200, 0, 1);
	else if (index == 1)
		hand_packet(made, 400001, 6, 1, 1, 0, 64, 72, 0, 2);
	else
		hand_packet(made, 1500000000, 7, 0, 0, 1, 16, 24, 0, 1);
	for (size_t i = 0; i < 4; i++)
		hand_put(made, 8, later[index][i]);
	hand_put(made, 1, status[index][0]);
	hand_put(made, 1, status[index][1]);
	hand_put(made, 2, status[index][2]);
	hand_put(made, 4, 0);
}

static const struct tr_message messages[GOLDEN_RECORDS] = {
	{.begin_ticks = -5,
	 .end_ticks = 1000,
	 .id = 1,
	 .size_bytes = 262144,
	 .src = 0,
	 .dst = 1,
	 .tag = 1,
	 .communicator = 0,
	 .operation = TR_OP_SEND,
	 .flags = TR_MESSAGE_RENDEZVOUS,
	 .src_rank = 0,
	 .dst_rank = 1},
	{.begin_ticks = 0,
	 .end_ticks = 1100,
	 .id = 1,
	 .size_bytes = 262144,
	 .src = 1,
	 .dst = 0,
	 .tag = -1,
	 .communicator = 3,
	 .operation = TR_OP_RECV,
	 .flags = TR_MESSAGE_EAGER | TR_MESSAGE_PARTLY,
	 .src_rank = 1,
	 .dst_rank = 0x01020304},
	{.begin_ticks = 1500000000,
	 .end_ticks = 1500000001,
	 .id = 2,
	 .size_bytes = 8,
	 .src = 0,
	 .dst = TR_NODE_OTHER,
	 .tag = 0,
	 .communicator = 0,
	 .operation = TR_OP_ALLTOALL,
	 .src_rank = TR_RANK_NONE,
	 .dst_rank = TR_RANK_NONE},
};

static void put_message(struct hand_made *made, size_t index)
{
	static const uint64_t wide[GOLDEN_RECORDS][4] = {
		{0xfffffffffffffffbu, 1000, 1, 262144},
		{0, 1100, 1, 262144},
		{1500000000, 1500000001, 2, 8},
	};
	static const uint32_t narrow[GOLDEN_RECORDS][4] = {
		{0, 1, 1, 0},
		{1, 0, 0xffffffffu, 3},
		{0, 0xffffffffu, 0, 0},
	};
	static const uint16_t last[GOLDEN_RECORDS][2] = {{1, 2}, {2, 9}, {13, 0}};
	static const uint32_t ranks[GOLDEN_RECORDS][2] = {
		{0, 1}, {1, 0x01020304}, {0xffffffffu, 0xffffffffu}};

	for (size_t i = 0; i < 4; i++)
		hand_put(made, 8, wide[index][i]);
	for (size_t i = 0; i < 4; i++)
		hand_put(made, 4, narrow[index][i]);
	hand_put(made, 2, last[index][0]);
	hand_put(made, 2, last[index][1]);
	hand_put(made, 4, 0);
	hand_put(made, 4, ranks[index][0]);
	hand_put(made, 4, ranks[index][1]);
}

static const struct tr_series series[GOLDEN_RECORDS] = {
	{.start_ticks = 0,
	 .width_ticks = 10000000,
	 .count = 12,
	 .size_bytes = 18168,
	 .node = TR_NODE_OTHER,
	 .class = TR_CLASS_NONE},
	{.start_ticks = 10000000, .width_ticks = 10000000, .node = 1, .class = TR_CLASS_OVERHEAD},
	{.start_ticks = 1500000000,
	 .width_ticks = 10000000,
	 .count = 1,
	 .size_bytes = 66,
	 .node = 0,
	 .class = TR_CLASS_DATA},
};

static void put_series(struct hand_made *made, size_t index)
{
	static const uint64_t wide[GOLDEN_RECORDS][4] = {
		{0, 10000000, 12, 18168},
		{10000000, 10000000, 0, 0},
		{1500000000, 10000000, 1, 66},
	};
	static const uint32_t node[GOLDEN_RECORDS] = {0xffffffffu, 1, 0};
	static const uint8_t class[GOLDEN_RECORDS] = {0, 2, 1};

	for (size_t i = 0; i < 4; i++)
		hand_put(made, 8, wide[index][i]);
	hand_put(made, 4, node[index]);
	hand_put(made, 1, class[index]);
	hand_put(made, 3, 0);
}

static const struct tr_link links[GOLDEN_RECORDS] = {
	{.start_ticks = 0,
	 .width_ticks = 1000,
	 .busy_ticks = 500,
	 .blocked_stop_ticks = 30,
	 .blocked_port_ticks = 20,
	 .blocked_memory_ticks = 10,
	 .characters = 80,
	 .occupancy_area = 4096,
	 .link = 0,
	 .occupancy_peak = 32},
	{.start_ticks = 0, .width_ticks = 1000, .link = 1},
	{.start_ticks = 1500000000, .width_ticks = 1, .busy_ticks = 1, .link = 0},
};

static void put_link(struct hand_made *made, size_t index)
{
	static const uint64_t wide[GOLDEN_RECORDS][8] = {
		{0, 1000, 500, 30, 20, 10, 80, 4096},
		{0, 1000, 0, 0, 0, 0, 0, 0},
		{1500000000, 1, 1, 0, 0, 0, 0, 0},
	};
	static const uint32_t narrow[GOLDEN_RECORDS][2] = {{0, 32}, {1, 0}, {0, 0}};

	for (size_t i = 0; i < 8; i++)
		hand_put(made, 8, wide[index][i]);
	hand_put(made, 4, narrow[index][0]);
	hand_put(made, 4, narrow[index][1]);
}

const struct golden golden_streams[] = {
	{"packets.flt", TR_PACKET, packets, 40, put_packet},
	{"deliveries.flt", TR_DELIVERY, deliveries, 80, put_delivery},
	{"messages.flt", TR_MESSAGE, messages, 64, put_message},
	{"series.flt", TR_SERIES, series, 40, put_series},
	{"links.flt", TR_LINK, links, 72, put_link},
};
const size_t golden_count = sizeof(golden_streams) / sizeof(golden_streams[0]);

static void make_names(struct hand_made *made)
{
	const struct hand_entry entries[] = {
		{.kind = 1, .role_or_protocol = 1, .id = 0, .text = "10.0.0.1"},
		{.kind = 1, .role_or_protocol = 2, .id = 1, .text = "node-two"},
		{.kind = 2,
		 .role_or_protocol = 6,
		 .id = 0,
		 .src = 0,
		 .dst = 1,
		 .src_port = 20000,
		 .dst_port = 20001,
		 .text = ""},
		{.kind = 2,
		 .role_or_protocol = 17,
		 .id = 1,
		 .src = 1,
		 .dst = 0xffffffffu,
		 .src_port = 53,
		 .dst_port = 65535,
		 .text = ""},
		{.kind = 3, .id = 0, .text = "host0>switch0.0"},
		{.kind = 3, .id = 1, .text = "switch0.0>host0"},
		{.kind = 4, .value = 12, .text = "frames"},
		{.kind = 5, .text = GOLDEN_NOTE},
	};

	hand_chunk(made, 'N', 8, INT64_MIN);
	for (size_t i = 0; i < 8; i++)
		hand_entry(made, &entries[i]);
	hand_chunk_end(made);
}

void golden_make(const struct golden *golden, struct hand_made *made)
{
	hand_header(made, &(struct hand_header){
				  .major = 1,
				  .kind = golden->kind,
				  .record_bytes = (unsigned)golden->record_bytes,
				  .ticks_per_s = GOLDEN_TICKS_PER_S,
				  .origin_s = GOLDEN_ORIGIN_S,
				  .origin_ns = GOLDEN_ORIGIN_NS,
				  .provenance = GOLDEN_PROVENANCE,
			  });
	make_names(made);
	hand_chunk(made, 'R', GOLDEN_RECORDS, 1500000000);
	for (size_t i = 0; i < GOLDEN_RECORDS; i++)
		golden->put(made, i);
	hand_chunk_end(made);
	hand_chunk(made, 'R', 0, GOLDEN_UNTIL_TICKS);
	hand_chunk_end(made);
	hand_trailer(made, GOLDEN_UNTIL_TICKS, GOLDEN_RECORDS, GOLDEN_LOST, 1);
}
