// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "ethernet": switches that store and forward (IEEE 802.3).
// Moves: a frame, over one link at a time.
// Rule: a free link starts the first frame of its output's queue; once whole at the far end it is
// delivered or queued, or dropped where the buffer has no room.
// Shared: a link, by the frames of its queue; the buffer of a switch, by its outputs.
#include <stddef.h>

#include "net/ethernet/ethernet_params.h"
#include "net/fabric.h"

#define AT(member) offsetof(struct ethernet_params, member)

static const struct key keys[] = {
	NET_KEYS_CABLES(AT(cables)),
	{"latency", KEY_TIME, AT(latency_s), NULL, NULL,
	 "of a switch, from a frame's last byte to its turn at the output"},
	{"cut-through", KEY_BYTES, AT(cut_B), NULL, NULL,
	 "bytes of a frame after which a switch may send it on; 0: when it is whole"},
	{"buffer", KEY_BYTES, AT(buffer_B), NULL, NULL,
	 "buffer that a switch's outputs share; 0: without bound"},
	{"share", KEY_WORD, AT(share), "dynamic|port|all", NULL,
	 "what one output may fill: up to alpha times what is free, its part, or all"},
	{"alpha", KEY_NUMBER, AT(alpha), NULL, "share=dynamic", "see there"},
	{"ecn", KEY_FLAG, AT(marks.on), "no|yes", NULL, "mark packets that join a long queue"},
	{"kmin", KEY_BYTES, AT(marks.from_B), NULL, "ecn=yes", "longest queue without marks"},
	{"kmax", KEY_BYTES, AT(marks.to_B), NULL, "ecn=yes", "shortest queue that marks all"},
	{"pmax", KEY_NUMBER, AT(marks.most), NULL, "ecn=yes",
	 "part that is marked just below kmax"},
	{"seed", KEY_COUNT, AT(marks.seed), NULL, "ecn=yes", "seed of the marks"},
	{"priority", KEY_TEXT, AT(priority.of), NULL, NULL,
	 "priorities of packets: WHAT:PRIORITY/..., of data, overhead, unclassed, hostN, hostN-M"},
	{"schedule", KEY_FLAG, AT(priority.by_weight), "strict|drr", "priority",
	 "which priority an output sends: the highest, or in turns by weights"},
	{"weights", KEY_TEXT, AT(priority.weights), NULL, "schedule=drr",
	 "PRIORITY:WEIGHT/...; others have the weight 1"},
	{"pfc", KEY_TEXT, AT(pause.of), NULL, NULL,
	 "priorities with flow control by pauses (IEEE 802.1Qbb): all, or as in 3/4"},
	{"xoff", KEY_TEXT, AT(pause.xoff), NULL, "pfc",
	 "bytes of an input's priority above which it asks for a pause, or auto"},
	{"xon", KEY_TEXT, AT(pause.xon), NULL, "pfc", "and at which it ends that, or auto"},
	{"headroom", KEY_TEXT, AT(pause.headroom), NULL, "pfc",
	 "what an input has room for above xoff; auto: all that can come"},
	{"response", KEY_TEXT, AT(pause.response), NULL, "pfc",
	 "quanta from a pause frame's coming to its effect; auto: by the rate"},
	{"quanta", KEY_COUNT, AT(pause.quanta), NULL, "pfc",
	 "times of 512 bits that a pause holds for; it is renewed at half of them"},
	{"mtu", KEY_BYTES, AT(mtu_B), NULL, NULL, "largest packet"},
	NET_KEY_SOURCE(AT(finite), NULL),
	NET_KEY_TIMEOUT(AT(timeout_s), NULL),
	NET_KEYS_PORTS(AT(ports)),
	NET_KEYS_HELD(AT(hold)),
	{.type = KEY_END},
};

struct ethernet_fabric_times {
	uint64_t cut_B; // 0: none
	struct net_cable_times cable;
	int64_t latency_ticks;
};

static enum tr_status ethernet_fabric_prepare(void *state, const struct net_setup *setup,
					      struct tr_error *err)
{
	struct ethernet_fabric_times *times = state;
	const struct ethernet_params *params = setup->params;

	times->cut_B = params->cut_B;
	if (setup->topology->cable_count == 0)
		return tr_fail(err, "the network has no cable");
	if (ethernet_latency(params, setup->ticks_per_s, &times->latency_ticks, err) != TR_OK)
		return TR_ERROR;
	return net_cables_times(&params->cables, "ethernet", &setup->topology->cables[0],
				setup->ticks_per_s, &times->cable, err);
}

static void ethernet_fabric_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
					int64_t *terms)
{
	const struct ethernet_fabric_times *times = state;
	const int64_t cables = (int64_t)switches + 1;
	const uint32_t frame_B = ethernet_frame_B(size_bytes);
	const uint32_t head_B = times->cut_B == 0 || times->cut_B > frame_B
					? frame_B
					: (uint32_t)times->cut_B;

	terms[0] = (switches * (int64_t)(ETHERNET_PREAMBLE_B + head_B) + ETHERNET_PREAMBLE_B +
		    frame_B) *
		   times->cable.byte_ticks;
	terms[1] = cables * times->cable.propagation_ticks;
	terms[2] = switches * times->latency_ticks;
}

static const char *const terms[] = {"frames", "cables", "switches", NULL};
static const struct net_formula formula = {
	.terms = terms,
	.state_bytes = sizeof(struct ethernet_fabric_times),
	.prepare = ethernet_fabric_prepare,
	.terms_ticks = ethernet_fabric_terms_ticks,
	.note = "sum: on each cable the frame (with cut-through its head, but on the last) with "
		"its preamble and the propagation, and the latency of each switch",
};

static struct num_ratio ethernet_fabric_host_rate(const void *params)
{
	return ((const struct ethernet_params *)params)->cables.rate_bps;
}

static enum tr_status ethernet_fabric_host_wires(const void *params,
						 const struct net_topology *topology,
						 uint64_t ticks_per_s, struct net_wire *wires,
						 struct tr_error *err)
{
	const struct ethernet_params *of = params;
	struct net_cable_times times;

	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i / 2];
		const uint32_t node = cable->ends[i % 2].node;

		if (node >= topology->hosts)
			continue;
		if (wires[node].byte_ticks != 0)
			return tr_fail(err, "a host has several ports, of which RDMA knows one; "
					    "--mpi=transport=tcp takes all, and ports=each makes "
					    "each port a host");
		if (net_cables_times(&of->cables, "ethernet", cable, ticks_per_s, &times, err) !=
		    TR_OK)
			return TR_ERROR;
		wires[node] = (struct net_wire){.byte_ticks = times.byte_ticks,
						.least_B = ETHERNET_PAYLOAD_MIN,
						.around_B = ETHERNET_PREAMBLE_B +
							    ETHERNET_HEADER_B + ETHERNET_CHECK_B +
							    ETHERNET_GAP_B,
						.marks = of->marks.on};
	}
	return TR_OK;
}

static uint64_t mtu_bytes(const void *params)
{
	return ((const struct ethernet_params *)params)->mtu_B;
}

static bool ethernet_fabric_pauses(const void *params)
{
	return ethernet_has_pauses(params);
}

static const struct net_column columns[] = {[ETHERNET_BUFFER_PEAK] = {"buffer_peak_B", false},
					    {NULL, false}};
static const struct net_engine *const engines[] = {&ethernet_departures, &ethernet_frames, NULL};

const struct net_fabric net_fabric_ethernet = {
	.name = "ethernet",
	.summary = "store-and-forward switches that drop frames when their shared buffer is full, "
		   "or pause others",
	.keys = keys,
	.params_bytes = sizeof(struct ethernet_params),
	.usual = &ethernet_params_usual,
	.engines = engines,
	.clock = ethernet_clock,
	.mtu_bytes = mtu_bytes,
	.formula = &formula,
	.columns = columns,
	.host_rate = ethernet_fabric_host_rate,
	.host_wires = ethernet_fabric_host_wires,
	.linked = true,
	.drops = true,
	.pauses = ethernet_fabric_pauses,
};
