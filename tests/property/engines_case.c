// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines_case.h"

#include <stdlib.h>
#include <string.h>

#define PLACE(field) offsetof(struct myr_params, field)

const struct engines_param engines_params[] = {
	{"gap-after", ENGINES_FLAG, PLACE(format.gap_after)},
	{"no-final", ENGINES_FLAG, PLACE(format.no_final)},
	{"crc", ENGINES_FLAG, PLACE(format.crc)},
	{"type", ENGINES_COUNT, PLACE(format.type_characters)},
	{"link-rate", ENGINES_RATE, PLACE(link.rate_bps)},
	{"link-length", ENGINES_LENGTH, PLACE(link.length_m)},
	{"link-speed", ENGINES_SPEED, PLACE(link.speed_mps)},
	{"below-go", ENGINES_COUNT, PLACE(link.below_go_B)},
	{"hysteresis", ENGINES_COUNT, PLACE(link.hysteresis_B)},
	{"above-stop", ENGINES_COUNT, PLACE(link.above_stop_B)},
	{"assignment", ENGINES_TIME, PLACE(crossbar.assignment_s)},
	{"path", ENGINES_TIME, PLACE(crossbar.path_s)},
	{"conversion", ENGINES_TIME, PLACE(crossbar.conversion_s)},
	{"first-come", ENGINES_FLAG, PLACE(crossbar.first_come)},
	{"finite", ENGINES_FLAG, PLACE(finite)},
	{"flit", ENGINES_TIME, PLACE(adapter.flit_s)},
	{"route-flit", ENGINES_TIME, PLACE(adapter.route_flit_s)},
	{"dma-in", ENGINES_RATE, PLACE(adapter.dma_in_bps)},
	{"dma-out", ENGINES_RATE, PLACE(adapter.dma_out_bps)},
	{"software", ENGINES_TIME, PLACE(adapter.software_s)},
	{"poll", ENGINES_TIME, PLACE(adapter.poll_s)},
	{"sram", ENGINES_COUNT, PLACE(adapter.sram_B)},
	{"receive-reserve", ENGINES_COUNT, PLACE(adapter.receive_reserve_B)},
	{"header", ENGINES_COUNT, PLACE(adapter.header_B)},
	{"queue", ENGINES_COUNT, PLACE(adapter.queue_worms)},
	{"out-buffer", ENGINES_COUNT, PLACE(adapter.out_buffer_B)},
	{"receive-one", ENGINES_FLAG, PLACE(adapter.receive_one)},
	{"dma-overlaps", ENGINES_FLAG, PLACE(adapter.dma_overlaps)},
	{"waiting", ENGINES_COUNT, PLACE(adapter.waiting_worms)},
	{"when-full", ENGINES_CHOICE, PLACE(adapter.when_full)},
	{"credits", ENGINES_COUNT, PLACE(layer.credits)},
	{"reply", ENGINES_COUNT, PLACE(layer.reply_B)},
	{"replies-queued", ENGINES_FLAG, PLACE(layer.replies_queued)},
	{"managed", ENGINES_FLAG, PLACE(layer.managed)},
	{"manager", ENGINES_COUNT, PLACE(layer.manager)},
	{"multicast", ENGINES_COUNT, PLACE(multicast.fan_out)},
	{"multicast-drops", ENGINES_FLAG, PLACE(multicast.drops)},
	{"timeout", ENGINES_TIME, PLACE(loss.timeout_s)},
	{"timeout-from", ENGINES_CHOICE, PLACE(loss.timeout_from)},
	{"beat", ENGINES_TIME, PLACE(loss.beat_s)},
	{"beat-misses", ENGINES_COUNT, PLACE(loss.beat_misses)},
	{"resend", ENGINES_FLAG, PLACE(loss.resend)},
	{"reset-travels", ENGINES_FLAG, PLACE(loss.reset_travels)},
	{"bit-errors", ENGINES_SHARE, PLACE(loss.bit_errors)},
	{"seed", ENGINES_COUNT, PLACE(loss.seed)},
	{"drop-misrouted", ENGINES_FLAG, PLACE(loss.drop_misrouted)},
};

const size_t engines_param_count = sizeof(engines_params) / sizeof(*engines_params);

static void *grow(void *items, size_t count, size_t each_bytes)
{
	items = realloc(items, count * each_bytes);
	if (!items)
		abort();
	return items;
}

static void *copy_of(const void *items, size_t count, size_t each_bytes)
{
	void *copy = grow(NULL, count + 1, each_bytes);

	if (count > 0)
		memcpy(copy, items, count * each_bytes);
	return copy;
}

void engines_case_open(struct engines_case *item)
{
	*item = (struct engines_case){.params = myr_params_yates};
}

void engines_case_copy(struct engines_case *to, const struct engines_case *from)
{
	const struct net_topology *topology = &from->topology;

	*to = *from;
	to->topology.ports = copy_of(topology->ports, topology->switches, sizeof(*topology->ports));
	to->topology.cables = copy_of(topology->cables, topology->cable_count,
				      sizeof(*topology->cables));
	to->packets = copy_of(from->packets, from->packet_count, sizeof(*from->packets));
	to->packet_capacity = from->packet_count;
}

uint32_t engines_case_switch(struct engines_case *item, uint32_t ports)
{
	struct net_topology *topology = &item->topology;

	topology->ports = grow(topology->ports, topology->switches + 1, sizeof(*topology->ports));
	topology->ports[topology->switches] = ports;
	return topology->switches++;
}

struct net_cable *engines_case_cable(struct engines_case *item, struct net_end a, struct net_end b)
{
	struct net_topology *topology = &item->topology;
	struct net_cable *cable;

	topology->cables = grow(topology->cables, topology->cable_count + 1,
				sizeof(*topology->cables));
	cable = &topology->cables[topology->cable_count++];
	*cable = (struct net_cable){.ends = {a, b}};
	return cable;
}

void engines_case_packet(struct engines_case *item, struct engines_packet packet)
{
	if (item->packet_count == item->packet_capacity) {
		item->packet_capacity = 2 * item->packet_capacity + 16;
		item->packets = grow(item->packets, item->packet_capacity, sizeof(*item->packets));
	}
	item->packets[item->packet_count++] = packet;
}

static size_t size_of(enum engines_kind kind)
{
	return kind == ENGINES_FLAG	? sizeof(bool)
	       : kind == ENGINES_CHOICE ? sizeof(enum myr_full)
	       : kind == ENGINES_COUNT	? sizeof(uint64_t)
					: sizeof(struct num_ratio);
}

static bool same_value(enum engines_kind kind, const void *a, const void *b)
{
	const struct num_ratio *left = a;
	const struct num_ratio *right = b;

	if (size_of(kind) != sizeof(*left))
		return memcmp(a, b, size_of(kind)) == 0;
	return (__int128)left->num * right->den == (__int128)right->num * left->den;
}

bool engines_case_default(struct engines_case *item, const struct engines_param *param)
{
	unsigned char *value = (unsigned char *)&item->params + param->offset_bytes;
	const unsigned char *usual = (const unsigned char *)&myr_params_yates + param->offset_bytes;

	if (same_value(param->kind, value, usual))
		return false;
	memcpy(value, usual, size_of(param->kind));
	return true;
}

void engines_case_clear(struct engines_case *item)
{
	net_topology_clear(&item->topology);
	free(item->packets);
	*item = (struct engines_case){0};
}
