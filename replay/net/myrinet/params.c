// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/params.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "net/topology/topology.h"
#include "value/ticks.h"

const struct myr_params myr_params_yates = {
	.loss = {.timeout_s = {0, 1}, .bit_errors = {0, 1}, .beat_s = {0, 1}},
	.layer = {.reply_B = 8},
	.link =
		{
			.rate_bps = {1280000000, 1},
			.length_m = {6, 1},
			.speed_mps = {180000000, 1}, // 0.6 x 3e8 m/s
			.below_go_B = 32,
			.hysteresis_B = 16,
			.above_stop_B = 32,
		},
	.crossbar =
		{
			.assignment_s = {1, 160000000}, // 6.25 ns
			.path_s = {1, 160000000},
			.conversion_s = {100, 1000000000},
		},
	.adapter =
		{
			.flit_s = {1, 150000000}, // 6 2/3 ns
			.route_flit_s = {1, 160000000},
			.dma_in_bps = {44 * 8388608LL, 1},
			.dma_out_bps = {66 * 8388608LL, 1},
			.software_s = {0, 1},
			.poll_s = {0, 1},
			.sram_B = 262144,
			.header_B = 82,
			.queue_worms = 999,
			.waiting_worms = 1000000,
		},
};

bool myr_cable_character(const struct myr_link_params *link, const struct net_cable *cable,
			 struct num_ratio *seconds)
{
	struct num_ratio rate = cable->rate_bps.den != 0 ? cable->rate_bps : link->rate_bps;

	return rate.num > 0 && num_ratio_make((__int128)8 * rate.den, rate.num, seconds);
}

struct num_ratio myr_cable_conversion(const struct myr_switch_params *crossbar,
				      const struct net_cable *cable)
{
	return cable->conversion_s.den != 0 ? cable->conversion_s : crossbar->conversion_s;
}

bool myr_cable_delay(const struct myr_link_params *link, const struct net_cable *cable,
		     struct num_ratio *seconds)
{
	struct num_ratio length = cable->length_m.den != 0 ? cable->length_m : link->length_m;

	return link->speed_mps.num > 0 &&
	       num_ratio_make((__int128)length.num * link->speed_mps.den,
			      (__int128)length.den * link->speed_mps.num, seconds);
}

#define FIXED_COUNT 10

// A parameter that must be a whole number of ticks, and its destination.
struct fixed {
	const char *name;
	struct num_ratio seconds;
	int64_t min_ticks;
	size_t offset_bytes; // in struct myr_times
};

static enum tr_status list_fixed(const struct myr_params *params, struct fixed *list,
				 struct tr_error *err)
{
	const struct myr_adapter_params *adapter = &params->adapter;
	const struct myr_switch_params *crossbar = &params->crossbar;
	struct num_ratio character;

	if (params->link.rate_bps.num <= 0 ||
	    !num_ratio_make((__int128)8 * params->link.rate_bps.den, params->link.rate_bps.num,
			    &character))
		return tr_fail(err, "the link rate must be above zero");
	memcpy(list,
	       (const struct fixed[FIXED_COUNT]){
		       {"a character's time", character, 1,
			offsetof(struct myr_times, character_ticks)},
		       {"flit time", adapter->flit_s, 0, offsetof(struct myr_times, flit_ticks)},
		       {"route flit time", adapter->route_flit_s, 0,
			offsetof(struct myr_times, route_flit_ticks)},
		       {"assignment", crossbar->assignment_s, 0,
			offsetof(struct myr_times, assignment_ticks)},
		       {"path", crossbar->path_s, 0, offsetof(struct myr_times, path_ticks)},
		       {"conversion", crossbar->conversion_s, 0,
			offsetof(struct myr_times, conversion_ticks)},
		       {"software", adapter->software_s, 0,
			offsetof(struct myr_times, software_ticks)},
		       {"poll", adapter->poll_s, 0, offsetof(struct myr_times, poll_ticks)},
		       {"timeout", params->loss.timeout_s, 0,
			offsetof(struct myr_times, timeout_ticks)},
		       {"beat", params->loss.beat_s, 0, offsetof(struct myr_times, beat_ticks)},
	       },
	       FIXED_COUNT * sizeof(*list));
	return TR_OK;
}

// Refines the clock to make seconds whole.
static enum tr_status params_refine(uint64_t *ticks_per_s, const char *name,
				    struct num_ratio seconds, struct tr_error *err)
{
	if (seconds.num == 0 || tr_ticks_lcm(*ticks_per_s, (uint64_t)seconds.den, ticks_per_s))
		return TR_OK;
	return tr_fail(err,
		       "%s of %lld/%lld s: no clock has whole ticks for it and the other times",
		       name, (long long)seconds.num, (long long)seconds.den);
}

// A BEAT uses a character time of every cable.
static bool leaves_room(struct num_ratio beat, struct num_ratio character)
{
	return beat.num == 0 ||
	       (__int128)beat.num * character.den > (__int128)character.num * beat.den;
}

enum tr_status myr_clock(const void *context, const struct net_topology *topology,
			 uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err)
{
	const struct myr_params *params = context;
	struct fixed list[FIXED_COUNT];
	struct num_ratio character;
	struct num_ratio delay;

	*ticks_per_s = base_ticks_per_s;
	if (list_fixed(params, list, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < FIXED_COUNT; i++)
		if (params_refine(ticks_per_s, list[i].name, list[i].seconds, err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < topology->cable_count; i++) {
		if (!myr_cable_delay(&params->link, &topology->cables[i], &delay) ||
		    !myr_cable_character(&params->link, &topology->cables[i], &character))
			return tr_fail(err, "the delay or rate of cable %zu is out of range", i);
		if (!leaves_room(params->loss.beat_s, character))
			return tr_fail(err,
				       "the BEATs of cable %zu leave no time for worms: a BEAT "
				       "takes one character, %g s",
				       i, num_value(character));
		if (params_refine(ticks_per_s, "a cable's delay", delay, err) != TR_OK ||
		    params_refine(ticks_per_s, "a cable's character", character, err) != TR_OK ||
		    params_refine(ticks_per_s, "a cable's conversion",
				  myr_cable_conversion(&params->crossbar, &topology->cables[i]),
				  err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status make_lines(struct myr_times *times, const struct myr_link_params *link,
				 struct tr_error *err)
{
	const uint64_t most = 1u << 20;

	if (link->below_go_B > most || link->hysteresis_B > most || link->above_stop_B > most)
		return tr_fail(err, "a region of a slack buffer is above 1 MiB");
	times->go_line = (uint32_t)link->below_go_B;
	times->stop_line = (uint32_t)(link->below_go_B + link->hysteresis_B);
	times->slack_size = times->stop_line + (uint32_t)link->above_stop_B;
	if (link->hysteresis_B < 2)
		return tr_fail(
			err, "the slack buffers' STOP line must lie at least 2 characters above "
			     "their GO "
			     "line: a STOP and a GO for each character are more than a link takes");
	return TR_OK;
}

static enum tr_status params_check_memory(const struct myr_adapter_params *adapter,
					  struct tr_error *err)
{
	if (adapter->sram_B > (uint64_t)1 << 40 || adapter->header_B > 65536)
		return tr_fail(err, "adapter memory above 1 TiB or a header above 64 KiB");
	if (adapter->receive_reserve_B > adapter->sram_B)
		return tr_fail(err, "the receive reserve is larger than the adapter memory");
	if (adapter->waiting_worms > 1000000000)
		return tr_fail(err, "at most 1,000,000,000 worms may wait outside the queues");
	if (adapter->out_buffer_B > 1u << 20)
		return tr_fail(err, "an outgoing buffer above 1 MiB");
	if (adapter->queue_worms == 0 || adapter->queue_worms > 1000000000)
		return tr_fail(err, "a source's queue holds 1 to 1000000000 worms");
	return TR_OK;
}

static enum tr_status check_loss(const struct myr_loss_params *loss, struct tr_error *err)
{
	if (loss->bit_errors.num < 0 || loss->bit_errors.num > loss->bit_errors.den)
		return tr_fail(err, "a rate of bit errors is a probability, from 0 to 1");
	if (loss->beat_misses > 1000000)
		return tr_fail(err, "more than 1000000 missed BEATs");
	return TR_OK;
}

static enum tr_status check_layer(const struct myr_params *params, struct tr_error *err)
{
	const struct myr_adapter_params *adapter = &params->adapter;
	const struct myr_layer_params *layer = &params->layer;

	if (layer->credits > 65535)
		return tr_fail(err, "more than 65535 credits");
	if (layer->reply_B < 1 || layer->reply_B > 65536)
		return tr_fail(err, "a reply has 1 B to 64 KiB");
	if (layer->credits > 0 &&
	    layer->reply_B + adapter->header_B > adapter->sram_B - adapter->receive_reserve_B)
		return tr_fail(err, "a reply of %llu bytes never fits into the adapter memory",
			       (unsigned long long)layer->reply_B);
	return TR_OK;
}

static enum tr_status check_multicast(const struct myr_params *params, struct tr_error *err)
{
	const struct myr_loss_params *loss = &params->loss;

	if (myr_multicast_is_on(&params->multicast) &&
	    (loss->timeout_s.num != 0 || loss->bit_errors.num != 0 || loss->beat_s.num != 0 ||
	     loss->drop_misrouted))
		return tr_fail(
			err,
			"multicast: not with timeouts, bit errors, BEATs or dropped wrong routes");
	return TR_OK;
}

static enum tr_status check_format(const struct myr_format_params *format, struct tr_error *err)
{
	if (format->type_characters > 65536)
		return tr_fail(err, "a packet type above 65536 characters");
	return TR_OK;
}

// A rate of 0 means no time.
static enum tr_status make_transfer(struct sim_pace *pace, struct num_ratio rate_bps,
				    uint64_t ticks_per_s, struct tr_error *err)
{
	if (rate_bps.num != 0)
		return sim_pace_byte(pace, rate_bps, ticks_per_s, err);
	*pace = (struct sim_pace){.p = 0, .q = 1};
	return TR_OK;
}

enum tr_status myr_times_make(struct myr_times *times, const struct myr_params *params,
			      uint64_t ticks_per_s, struct tr_error *err)
{
	struct fixed list[FIXED_COUNT];
	struct tr_error why;

	*times = (struct myr_times){.ticks_per_s = ticks_per_s, .format = params->format};
	if (list_fixed(params, list, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < FIXED_COUNT; i++) {
		int64_t *ticks = (int64_t *)(void *)((char *)times + list[i].offset_bytes);

		if (tr_ticks_exact(list[i].seconds, ticks_per_s, ticks, &why) != TR_OK)
			return tr_fail(err, "%s: %s", list[i].name, why.text);
		if (*ticks < list[i].min_ticks)
			return tr_fail(err, "%s is below %lld ticks", list[i].name,
				       (long long)list[i].min_ticks);
	}
	tr_random_open(&times->software_stream, params->loss.seed, "software");
	if (net_law_read(&times->software_law, "software-law", params->adapter.software_law,
			 ticks_per_s, err) != TR_OK ||
	    make_transfer(&times->dma_in, params->adapter.dma_in_bps, ticks_per_s, err) != TR_OK ||
	    make_transfer(&times->dma_out, params->adapter.dma_out_bps, ticks_per_s, err) !=
		    TR_OK ||
	    params_check_memory(&params->adapter, err) != TR_OK ||
	    check_loss(&params->loss, err) != TR_OK || check_layer(params, err) != TR_OK ||
	    check_multicast(params, err) != TR_OK || check_format(&params->format, err) != TR_OK)
		return TR_ERROR;
	return make_lines(times, &params->link, err);
}

// The service order of a switch's inputs: the Round Robin String of the Yates thesis.

#define YATES_ORDER "65743021"
#define YATES_PORTS 8u

// The next port of text, which is digits, or numbers with dashes; advances *text.
static bool next_port(const char **text, bool dashes, uint32_t *port)
{
	const char *at = *text;

	if (!isdigit((unsigned char)*at))
		return false;
	*port = 0;
	do
		*port = *port * 10 + (uint32_t)(*at++ - '0');
	while (dashes && isdigit((unsigned char)*at) && *port <= NET_PORTS_MAX);
	if (dashes && *at == '-' && isdigit((unsigned char)at[1]))
		at++;
	*text = at;
	return true;
}

enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text,
			      struct tr_error *err)
{
	const bool usual = *text == '\0';
	const char *at = usual && ports == YATES_PORTS ? YATES_ORDER : text;
	bool dashes = strchr(at, '-');
	bool seen[NET_PORTS_MAX] = {false};
	uint32_t port;

	for (uint32_t i = 0; i < ports; i++) {
		if (usual && ports != YATES_PORTS)
			port = i;
		else if (!next_port(&at, dashes, &port) || port >= ports || seen[port])
			return tr_fail(err, "order \"%s\": expected each of the ports 0 to %u once",
				       text, ports - 1);
		seen[port] = true;
		order[i] = (uint16_t)port;
	}
	if (*at != '\0')
		return tr_fail(err, "order \"%s\": expected each of the ports 0 to %u once", text,
			       ports - 1);
	return TR_OK;
}

int64_t myr_slack_need(int64_t waits_ticks, int64_t delay_ticks, int64_t spacing_ticks)
{
	return (waits_ticks - 1 + 2 * delay_ticks - 1) / spacing_ticks;
}
