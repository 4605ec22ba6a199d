// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "ideal": no contention.
// Moves: a worm, whole.
// Rule: it arrives a fixed time after it enters, independent of its length and of other worms.
// Shared: nothing.
#include "net/ideal.h"

#include "net/drive/coming.h"
#include "value/ticks.h"

struct ideal_run {
	struct net_drive net;
	struct net_coming coming;
	int64_t latency_ticks;
};

static void ideal_layout(void *context)
{
	struct ideal_run *run = context;

	net_coming_layout(&run->coming, &run->net);
}

static void ideal_enter(void *context, uint32_t worm)
{
	struct ideal_run *run = context;
	const int64_t there_ticks = run->net.now_ticks + run->latency_ticks;

	net_drive_left(&run->net, run->net.pool.worms[worm].source, run->net.now_ticks);
	net_coming_send(&run->coming, &run->net, worm, there_ticks, there_ticks);
}

static void ideal_arrive(void *context)
{
	struct ideal_run *run = context;

	run->net.totals->events++;
	net_coming_deliver(&run->coming, &run->net);
}

static int64_t ideal_next_ticks(void *context)
{
	const struct ideal_run *run = context;

	return net_coming_ticks(&run->coming);
}

static void ideal_state(void *context, struct net_view *view)
{
	struct ideal_run *run = context;

	net_coming_view(&run->coming, &run->net, view);
}

static const struct net_rules rules = {.name = "ideal",
				       .layout = ideal_layout,
				       .enter = ideal_enter,
				       .arrive = ideal_arrive,
				       .next_ticks = ideal_next_ticks,
				       .state = ideal_state};

static enum tr_status latency_ticks(const struct net_ideal *params, uint64_t ticks_per_s,
				    int64_t *ticks, struct tr_error *err)
{
	struct tr_error why;

	if (tr_ticks_exact(params->latency_s, ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(err, "ideal: latency: %s", why.text);
	return TR_OK;
}

static enum tr_status run_ideal(const struct net_setup *setup, struct net_totals *totals,
				struct tr_error *err)
{
	const struct net_ideal *params = setup->params;
	struct ideal_run run = {.latency_ticks = 0};

	*totals = (struct net_totals){0};
	if (net_setup_needs_no_links(setup, err) != TR_OK ||
	    latency_ticks(params, setup->ticks_per_s, &run.latency_ticks, err) != TR_OK)
		return TR_ERROR;
	return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
}

const struct net_engine net_ideal_engine = {.name = "ideal",
					    .summary = "an event for each delivery",
					    .supports = net_setup_needs_no_links,
					    .run = run_ideal};

static const struct key keys[] = {
	{"latency", KEY_TIME, offsetof(struct net_ideal, latency_s), NULL, NULL,
	 "latency of every worm"},
	NET_KEYS_HELD(offsetof(struct net_ideal, hold)),
	{.type = KEY_END},
};

static enum tr_status ideal_find_clock(const void *params, const struct net_topology *topology,
				       uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
				       struct tr_error *err)
{
	const struct net_ideal *ideal = params;

	(void)topology;
	if (ideal->latency_s.num <= 0)
		return tr_fail(err, "ideal: latency: expected a time above zero");
	if (tr_ticks_lcm(base_ticks_per_s, (uint64_t)ideal->latency_s.den, ticks_per_s))
		return TR_OK;
	return tr_fail(err, "ideal: latency: no clock has whole ticks for it");
}

static enum tr_status ideal_prepare(void *state, const struct net_setup *setup,
				    struct tr_error *err)
{
	return latency_ticks(setup->params, setup->ticks_per_s, state, err);
}

static void ideal_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
			      int64_t *terms)
{
	(void)switches;
	(void)size_bytes;
	terms[0] = *(const int64_t *)state;
}

static const char *const terms[] = {"latency", NULL};
static const struct net_formula formula = {.terms = terms,
					   .state_bytes = sizeof(int64_t),
					   .prepare = ideal_prepare,
					   .terms_ticks = ideal_terms_ticks,
					   .note = "sum: the latency"};
static const struct net_engine *const engines[] = {&net_ideal_engine, NULL};
static const struct net_ideal usual = {.latency_s = {1, 1000000}, .hold = NET_HOLD_USUAL};

const struct net_fabric net_fabric_ideal = {
	.name = "ideal",
	.summary = "no contention: every worm takes a fixed time (the L of LogGP)",
	.keys = keys,
	.params_bytes = sizeof(struct net_ideal),
	.usual = &usual,
	.engines = engines,
	.clock = ideal_find_clock,
	.formula = &formula,
	.no.links = "no-links",
	.no.cycles = "no-links",
};
