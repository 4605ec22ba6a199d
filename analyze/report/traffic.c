// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/traffic.h"

#include <stdlib.h>

#include "trace/ticks.h"

enum tr_status traffic_open(struct traffic **out, const char *label, const struct tr_header *header,
			    struct tr_error *err)
{
	struct traffic *traffic = calloc(1, sizeof *traffic);

	*out = traffic;
	if (!traffic)
		return tr_fail(err, "no memory for the statistics of %s", label);
	traffic->label = label;
	traffic->ticks_per_s = header->ticks_per_s;
	if (counts_open(&traffic->counts, header, err) == TR_OK &&
	    senders_open(&traffic->senders, header->ticks_per_s, err) == TR_OK)
		return TR_OK;
	traffic_close(traffic);
	*out = NULL;
	return TR_ERROR;
}

static void add_to_class(struct traffic_class *class, const struct tr_packet *packet)
{
	moments_add(&class->size_bytes, packet->payload_bytes);
	quantile_add(&class->sizes, packet->payload_bytes);
	class->wire_bytes += packet->wire_bytes;
}

static void add_gap(struct traffic *traffic, int64_t time_ticks)
{
	if (traffic->classes[TRAFFIC_ALL].size_bytes.n == 0) {
		traffic->first_ticks = time_ticks;
	} else {
		moments_add(&traffic->gap_ticks, time_ticks - traffic->last_ticks);
		quantile_add(&traffic->gaps, (uint64_t)(time_ticks - traffic->last_ticks));
	}
	traffic->last_ticks = time_ticks;
}

enum tr_status traffic_add(struct traffic *traffic, const void *records, size_t stride_bytes, size_t count,
			   struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride_bytes) {
		const struct tr_packet *packet = (const void *)at;
		unsigned class = packet->class < TRAFFIC_ALL ? packet->class : TR_CLASS_NONE;

		add_gap(traffic, packet->time_ticks);
		add_to_class(&traffic->classes[class], packet);
		add_to_class(&traffic->classes[TRAFFIC_ALL], packet);
		if (senders_add(&traffic->senders, packet, err) != TR_OK)
			return TR_ERROR;
	}
	return counts_add(&traffic->counts, records, stride_bytes, count, err);
}

// Where one controller is known all others are workers; where none is, all are of unknown role.
static void settle_roles(struct traffic *traffic, const struct tr_names *names)
{
	size_t count = traffic->senders.node_count;

	for (size_t i = 0; names && i < count; i++) {
		traffic->roles[i] = tr_names_role(names, (uint32_t)i);
		traffic->roles_given |= traffic->roles[i] == TR_ROLE_CONTROLLER;
	}
	traffic->finding = role_find(&traffic->senders.finder);
	if (!traffic->roles_given && traffic->finding.basis == ROLE_NOT_FOUND)
		return;
	if (!traffic->roles_given)
		traffic->roles[traffic->finding.node] = TR_ROLE_CONTROLLER;
	for (size_t i = 0; i < count; i++)
		if (traffic->roles[i] == TR_ROLE_UNKNOWN)
			traffic->roles[i] = TR_ROLE_WORKER;
}

enum tr_status traffic_finish(struct traffic *traffic, const struct tr_names *names,
			      struct tr_error *err)
{
	traffic->roles = calloc(traffic->senders.node_count + 1, sizeof *traffic->roles);
	if (!traffic->roles)
		return tr_fail(err, "no memory for the roles of %zu nodes", traffic->senders.node_count);
	settle_roles(traffic, names);
	return counts_finish(&traffic->counts, err);
}

uint64_t traffic_packets(const struct traffic *traffic)
{
	return traffic->classes[TRAFFIC_ALL].size_bytes.n;
}

double traffic_duration(const struct traffic *traffic)
{
	if (traffic_packets(traffic) == 0)
		return 0;
	return tr_ticks_seconds(traffic->last_ticks - traffic->first_ticks, traffic->ticks_per_s);
}

const char *traffic_class_name(unsigned class)
{
	static const char *const names[TRAFFIC_CLASSES] = {"unclassed", "data", "overhead", "all"};

	return class < TRAFFIC_CLASSES ? names[class] : "?";
}

void traffic_close(struct traffic *traffic)
{
	if (!traffic)
		return;
	counts_close(&traffic->counts);
	senders_close(&traffic->senders);
	free(traffic->roles);
	free(traffic);
}
