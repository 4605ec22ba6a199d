// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "flitsim.h"
#include "value/ticks.h"

#define STEPS_SHOWN 64u // of a cycle

static const char *packet_name(const struct cycle_report *report, uint64_t packet, char *out,
			       size_t out_bytes)
{
	const struct net_traffic *traffic = report->traffic;

	if (traffic->name && !traffic->name(traffic->context, packet, &packet))
		snprintf(out, out_bytes, "of the protocol");
	else
		snprintf(out, out_bytes, "%llu", (unsigned long long)packet);
	return out;
}

// A link that is paused, and what that holds up.
static void cycle_report_pause(const struct cycle_report *report,
			       const struct net_wait_cycle *cycle, uint32_t number)
{
	const struct net_wait_step *step = &cycle->steps[number];
	const uint32_t next = cycle->steps[(number + 1) % cycle->count].link;
	char source[NET_NAME_MAX + 1], destination[NET_NAME_MAX + 1], link[NET_LINK_NAME_MAX],
		behind[NET_LINK_NAME_MAX], packet[32];

	net_topology_name(report->topology, step->source, source, sizeof(source));
	net_topology_name(report->topology, step->destination, destination, sizeof(destination));
	report->say(report->tool,
		    "%s is paused: of what came by it %llu B, from packet %s (%s to %s) on, wait "
		    "for %s",
		    net_link_name(report->topology, step->link, link, sizeof(link)),
		    (unsigned long long)step->bytes,
		    packet_name(report, step->packet, packet, sizeof(packet)), source, destination,
		    net_link_name(report->topology, next, behind, sizeof(behind)));
}

static void say_step(const struct cycle_report *report, const struct net_wait_cycle *cycle,
		     uint32_t number)
{
	const struct net_wait_step *step = &cycle->steps[number];
	const struct net_wait_step *next = &cycle->steps[(number + 1) % cycle->count];
	char source[NET_NAME_MAX + 1], destination[NET_NAME_MAX + 1], link[NET_LINK_NAME_MAX],
		packet[32], other[32];
	char lane[32] = "";
	const bool many = step->multicast;

	net_topology_name(report->topology, step->source, source, sizeof(source));
	net_topology_name(report->topology, step->destination, destination, sizeof(destination));
	net_link_name(report->topology, step->link, link, sizeof(link));
	if (cycle->technique)
		snprintf(lane, sizeof(lane), "lane %u of ", step->lane);
	report->say(report->tool, "%spacket %s (%s%s%s%s) waits %s %s%s %s %spacket %s",
		    many ? "the multicast of " : "",
		    packet_name(report, step->packet, packet, sizeof(packet)), many ? "from " : "",
		    source, many ? "" : " to ", many ? "" : destination,
		    step->queued ? "in" : "for", lane, link, step->queued ? "behind" : "of",
		    next->multicast ? "the multicast of " : "",
		    packet_name(report, next->packet, other, sizeof(other)));
}

void cycle_report_put(void *context, const struct net_wait_cycle *cycle)
{
	struct cycle_report *report = context;
	const double time_us = tr_ticks_seconds(cycle->from_ticks, report->ticks_per_s) * 1e6;
	char packet[32];

	if (report->count++ > 0)
		return;
	report->say = cycle->ejected ? tool_warn : tool_verdict;
	if (cycle->technique)
		report->say(report->tool,
			    "deadlock under %s: %u packets wait for one another in a cycle, and "
			    "none of them moves from step %lld on (clock "
			    "cycle %lld, at %.9g us)",
			    cycle->technique, cycle->count, (long long)cycle->clock_cycle + 1,
			    (long long)cycle->clock_cycle, time_us);
	else if (cycle->pauses)
		report->say(report->tool,
			    "deadlock of pauses: %u links wait for one another in a cycle, and "
			    "nothing of the priority %u starts on them from %.9g us on",
			    cycle->count, cycle->steps[0].lane, time_us);
	else
		report->say(report->tool,
			    "deadlock: %u packets wait for one another in a cycle, and none of "
			    "them moves from %.9g us on",
			    cycle->count, time_us);
	for (uint32_t i = 0; i < cycle->count && i < STEPS_SHOWN; i++)
		(cycle->pauses ? cycle_report_pause : say_step)(report, cycle, i);
	if (cycle->count > STEPS_SHOWN)
		report->say(report->tool, "and %u more", cycle->count - STEPS_SHOWN);
	if (cycle->ejected)
		report->say(report->tool,
			    "packet %s, the youngest, is dropped; later deadlocks are only counted",
			    packet_name(report, cycle->steps[cycle->youngest].packet, packet,
					sizeof(packet)));
}
