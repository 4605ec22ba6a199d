// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "myrinet": wormhole switches with source routing; man/flitline-models.7 has the rules
// and their sources.
// Moves: a character; the engine local moves runs of them.
// Rule: a worm's first character gets the output that its route names, and the worm has it until
// its last one has left; the characters behind it stop and go as the slack buffers at the far ends
// say with STOP and GO.
// Shared: an output, by worms, in turns of the inputs; a host's adapter memory, by worms that it
// sends and receives.
#include <string.h>

#include "net/fabric.h"
#include "net/myrinet/formula.h"
#include "net/myrinet/hosts/run.h"
#include "net/myrinet/params.h"
#include "value/ticks.h"

#define AT(member) offsetof(struct myr_params, member)

static const struct key keys[] = {
	{"gap", KEY_FLAG, AT(format.gap_after), "before|after", NULL,
	 "a GAP before each packet and a trailer after it, or a GAP after it"},
	{"final", KEY_FLAG, AT(format.no_final), "yes|no", NULL,
	 "whether the last route character names the host"},
	{"type", KEY_COUNT, AT(format.type_characters), NULL, NULL,
	 "number of characters of the packet type"},
	{"crc", KEY_FLAG, AT(format.crc), "no|yes", NULL,
	 "whether a CRC-8 character ends the data"},
	{"queue", KEY_COUNT, AT(adapter.queue_worms), NULL, NULL,
	 "capacity of a source's queue in main memory, in worms"},
	{"when-full", KEY_WORD, AT(adapter.when_full), "stall|drop|wait", NULL,
	 "what happens to packets that find the queue full"},
	{"waiting", KEY_COUNT, AT(adapter.waiting_worms), NULL, "when-full=wait",
	 "maximum number of worms waiting outside full queues"},
	NET_KEY_SOURCE(AT(finite), NULL),
	NET_KEYS_PORTS(AT(ports)),
	{"flit", KEY_TIME, AT(adapter.flit_s), NULL, NULL,
	 "time in which the adapter produces a character"},
	{"route-flit", KEY_TIME, AT(adapter.route_flit_s), NULL, NULL,
	 "the same for a route character"},
	{"out-buffer", KEY_BYTES, AT(adapter.out_buffer_B), NULL, NULL,
	 "outgoing slack buffer; 0: none"},
	{"software", KEY_TIME, AT(adapter.software_s), NULL, NULL,
	 "time of the operating system for each worm"},
	{"software-law", KEY_TEXT, AT(adapter.software_law), NULL, NULL,
	 "time of it beyond that: 5us:100us, each equally likely"},
	{"dma-in", KEY_RATE, AT(adapter.dma_in_bps), NULL, NULL,
	 "transfer rate from main to adapter memory; 0: no time"},
	{"dma-out", KEY_RATE, AT(adapter.dma_out_bps), NULL, NULL,
	 "transfer rate from adapter to main memory; 0: no time"},
	{"dma", KEY_FLAG, AT(adapter.dma_overlaps), "one|many", NULL,
	 "simultaneous transfers in each direction"},
	{"sram", KEY_BYTES, AT(adapter.sram_B), NULL, NULL, "adapter memory"},
	{"receive-reserve", KEY_BYTES, AT(adapter.receive_reserve_B), NULL, NULL,
	 "part of adapter memory not used for sending"},
	{"header", KEY_BYTES, AT(adapter.header_B), NULL, NULL,
	 "adapter memory of a worm in addition to its data"},
	{"receive", KEY_FLAG, AT(adapter.receive_one), "many|one", NULL,
	 "worms that a host takes before storing the first"},
	{"poll", KEY_TIME, AT(adapter.poll_s), NULL, NULL,
	 "period of looking for adapter memory; 0: at each release"},
	{"credits", KEY_COUNT, AT(layer.credits), NULL, NULL,
	 "worms that a host may have on their way to one host (or of all, with a manager); 0: any"},
	{"reply", KEY_BYTES, AT(layer.reply_B), NULL, "credits",
	 "size of the worm that answers one and returns its credit"},
	{"replies", KEY_FLAG, AT(layer.replies_queued), "first|queued", "credits",
	 "whether replies pass the worms that wait for credits"},
	{"credits-from", KEY_FLAG, AT(layer.managed), "receiver|manager", "credits",
	 "whether each receiver has credits for each sender, or one host has them for all"},
	{"manager", KEY_COUNT, AT(layer.manager), NULL, "credits-from=manager",
	 "the host that has the credits"},
	{"multicast-by", KEY_FLAG, AT(multicast.by_switch), "adapter|switch", NULL,
	 "where packets of one source, time and size are copied"},
	{"multicast", KEY_COUNT, AT(multicast.fan_out), NULL, "multicast-by=adapter",
	 "fan-out of the tree in which adapters forward packets of one source, time and size; 0: "
	 "none"},
	{"multicast-full", KEY_FLAG, AT(multicast.drops), "wait|drop", "multicast",
	 "what happens to copies for which an adapter has no memory"},
	{"link-rate", KEY_RATE, AT(link.rate_bps), NULL, NULL, "rate of a link in each direction"},
	{"link-length", KEY_LENGTH, AT(link.length_m), NULL, NULL, "length of a cable"},
	{"link-speed", KEY_SPEED, AT(link.speed_mps), NULL, NULL, "speed of a signal in a cable"},
	{"below-go", KEY_BYTES, AT(link.below_go_B), NULL, NULL,
	 "occupancy of the slack buffer at which GO is sent"},
	{"hysteresis", KEY_BYTES, AT(link.hysteresis_B), NULL, NULL,
	 "distance from there to the occupancy of STOP"},
	{"above-stop", KEY_BYTES, AT(link.above_stop_B), NULL, NULL,
	 "distance from there to the end of the buffer"},
	{"assignment", KEY_TIME, AT(crossbar.assignment_s), NULL, NULL,
	 "time from the choice of a request to its grant"},
	{"path", KEY_TIME, AT(crossbar.path_s), NULL, NULL,
	 "time in which a character crosses a switch"},
	{"conversion", KEY_TIME, AT(crossbar.conversion_s), NULL, NULL,
	 "time for which a switch holds the trailer"},
	{"arbitration", KEY_FLAG, AT(crossbar.first_come), "round-robin|first-come", NULL,
	 "how an output chooses the next request"},
	{"order", KEY_TEXT, AT(crossbar.order), NULL, "arbitration=round-robin",
	 "cyclic order of the input ports: 65743021, or 6-5-7 with two-digit numbers"},
	{"timeout", KEY_TIME, AT(loss.timeout_s), NULL, NULL,
	 "time after which a worm is removed; 0: never"},
	{"timeout-from", KEY_WORD, AT(loss.timeout_from), "age|blocked|silent", "timeout",
	 "start of the timeout: entry into the queue, head blocked, or last character sent"},
	{"on-timeout", KEY_FLAG, AT(loss.resend), "drop|resend", "timeout",
	 "whether a removed worm is dropped or sent again"},
	{"reset", KEY_FLAG, AT(loss.reset_travels), "at-once|travels", "timeout",
	 "how the source learns of a removal; it sends nothing before"},
	{"bit-errors", KEY_NUMBER, AT(loss.bit_errors), NULL, NULL,
	 "probability that a bit is inverted on a link"},
	{"seed", KEY_COUNT, AT(loss.seed), NULL, NULL,
	 "seed of bit errors, data bytes and software-law"},
	{"beat", KEY_TIME, AT(loss.beat_s), NULL, NULL,
	 "time between the BEATs of a link; 0: none"},
	{"beat-misses", KEY_COUNT, AT(loss.beat_misses), NULL, "beat",
	 "missing BEATs after which a cable counts as lost; 0: never"},
	{"misrouted", KEY_FLAG, AT(loss.drop_misrouted), "fail|drop", NULL,
	 "what happens on a wrong route: the run fails, or the worm is dropped"},
	{.type = KEY_END},
};

_Static_assert(sizeof(keys) / sizeof(*keys) <= KEYS_MAX, "a bit for each key");

struct formula_state {
	struct myr_times times;
	int64_t delay_ticks; // of the first cable
};

static enum tr_status myrinet_prepare(void *context, const struct net_setup *setup,
				      struct tr_error *err)
{
	const struct myr_params *params = setup->params;
	struct formula_state *state = context;
	struct num_ratio delay;

	if (*params->adapter.software_law != '\0')
		return tr_fail(err, "software-law: the formula has no law of times; give its mean "
				    "as software=TIME");
	if (setup->topology->cable_count == 0 ||
	    !myr_cable_delay(&params->link, &setup->topology->cables[0], &delay))
		return tr_fail(err, "the delay of cable 0 is out of range");
	if (tr_ticks_exact(delay, setup->ticks_per_s, &state->delay_ticks, err) != TR_OK)
		return TR_ERROR;
	return myr_times_make(&state->times, params, setup->ticks_per_s, err);
}

static void myrinet_terms_ticks(const void *context, uint32_t switches, uint32_t size_bytes,
				int64_t *ticks)
{
	const struct formula_state *state = context;
	struct myr_formula formula;

	myr_formula(&state->times, state->delay_ticks, switches, size_bytes, &formula);
	memcpy(ticks, formula.ticks, sizeof(formula.ticks));
}

static const char *const formula_columns[] = {"one_way_us", "peak_Mbps", "occupancy", NULL};

static void myrinet_values(const struct net_setup *setup, uint32_t senders, uint32_t switches,
			   uint32_t size_bytes, double *out)
{
	const double occupancy = myr_occupancy(senders);

	out[0] = 1e6 * myr_occupancy_one_way_s(setup->params, occupancy, switches, size_bytes);
	out[1] = myr_occupancy_peak_bps(setup->params, occupancy, switches, size_bytes) / 1e6;
	out[2] = occupancy;
}

static const struct net_formula formula = {
	.terms = myr_term_names,
	.state_bytes = sizeof(struct formula_state),
	.prepare = myrinet_prepare,
	.terms_ticks = myrinet_terms_ticks,
	.columns = formula_columns,
	.values = myrinet_values,
	.note = "sum: fixed-cost model (Yates 1997); one_way, peak, occupancy: eqs. 3, 2 and 1 of "
		"George and VanLoon",
};

static const struct net_column columns[] = {
	[MYR_SLACK_PEAK] = {"slack_peak_B", false},
	[MYR_CHARACTERS] = {"characters", false},
	[MYR_RESENT] = {"resent", true},
	[MYR_UNDETECTED] = {"undetected", true},
	[MYR_LINKS_LOST] = {"links_lost", true},
	[MYR_CONTROLS] = {"controls", true},
	[MYR_COPIES] = {"copies", true},
	{NULL, false},
};

static struct num_ratio myrinet_link_rate(const void *params)
{
	const struct myr_params *own = params;

	return own->link.rate_bps;
}

static uint64_t queue_worms(const void *params)
{
	return ((const struct myr_params *)params)->adapter.queue_worms;
}

#define RESERVE "--fabric myrinet:receive-reserve=SIZE leaves room in the hosts"

// Copies of multicasts wait for one another whatever the routes, and a reserve takes memory from
// them.
static const char *myrinet_way_out(const void *params, unsigned causes)
{
	const struct myr_params *myrinet = params;
	const struct myr_multicast_params *multicast = &myrinet->multicast;

	if (multicast->by_switch)
		return "multicasts can wait for one another whatever the routes: --fabric "
		       "myrinet:multicast-by=adapter makes the "
		       "copies in hosts";
	if (multicast->fan_out > 0 && !multicast->drops)
		return NET_ROUTES_WAY_OUT
			", copies can wait for adapter memory whatever the routes: --fabric "
			"myrinet:sram=SIZE "
			"gives more, multicast-full=drop drops those that find none";
	if (myrinet->layer.credits > 0 && causes == 0)
		return "worms wait for credits: --fabric myrinet:replies=first, or more credits, "
		       "lets replies pass them";
	if (causes == NET_CAUSE_ROUTES)
		return NET_ROUTES_WAY_OUT;
	return causes == NET_CAUSE_MEMORY ? RESERVE : NET_ROUTES_WAY_OUT ", " RESERVE;
}

static const struct net_engine *const engines[] = {&myr_local, &myr_reference, NULL};

const struct net_fabric net_fabric_myrinet = {
	.name = "myrinet",
	.summary = "wormhole switches with STOP and GO flow control, source routing and adapter "
		   "memory",
	.keys = keys,
	.params_bytes = sizeof(struct myr_params),
	.usual = &myr_params_yates,
	.engines = engines,
	.clock = myr_clock,
	.queue_worms = queue_worms,
	.formula = &formula,
	.columns = columns,
	.link_rate = myrinet_link_rate,
	.way_out = myrinet_way_out,
	.linked = true,
};
