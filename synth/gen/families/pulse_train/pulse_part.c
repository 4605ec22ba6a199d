// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of one part of a pulse train: its bursts, its times and its sizes.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/families/pulse_train/pulse_part.h"
#include "gen/size_bins.h"
#include "gen/size_draw.h"
#include "stat/intervals/interval.h"

// Notes the interval of a statistic (enum pulse_statistic) in its base unit; nothing if an end is
// not finite.
static void part_fit_say(const struct part_fit *fit, int which, double low, double high)
{
	(void)model_interval(pulse_part_fields[which].type, low, high, fit->options->level,
			     fit->notes->statistic[which]);
}

static void times_by_mixture(const struct part_fit *fit, const struct gap_fit *gaps)
{
	double tick_s = 1 / (double)fit->options->ticks_per_s;
	const struct gap_parameter *silence = &gaps->silence, *between = &gaps->inter_pulse;

	fit->part->silence_s = silence->value * tick_s;
	fit->part->pulses = gaps->pulses.value;
	fit->part->inter_pulse_s = between->value * tick_s;
	part_fit_say(fit, PULSE_SILENCE, silence->low * tick_s, silence->high * tick_s);
	if (gaps->single) {
		snprintf(fit->notes->section, PULSE_NOTE_BYTES,
			 "%.0f gaps of one kind only: single packets, as in a Poisson process",
			 gaps->gaps);
		return;
	}
	part_fit_say(fit, PULSE_PULSES, gaps->pulses.low, gaps->pulses.high);
	part_fit_say(fit, PULSE_INTER_PULSE, between->low * tick_s, between->high * tick_s);
	snprintf(fit->notes->section, PULSE_NOTE_BYTES, "%.0f gaps, about %.0f of them silences%s",
		 gaps->gaps, gaps->gaps / gaps->pulses.value,
		 silence->value < 4 * between->value
			 ? "; the two kinds overlap so much that the intervals are rough"
			 : "");
}

// The mean silence and the parts that silences separate: their sum is the trace's time, so the
// packet rate is preserved.
static void times_by_bursts(const struct part_fit *fit, double duration_s)
{
	double tick_s = 1 / (double)fit->options->ticks_per_s, level = fit->options->level;
	const struct burst_statistics *bursts = fit->bursts;
	struct interval silence = interval_above(mean_interval(&bursts->silence, level), 0);
	struct interval pulses = interval_above(mean_interval(&bursts->pulses, level), 1);
	struct interval between = interval_above(mean_interval(&bursts->delay, level), 0);

	fit->part->silence_s = bursts->silence.n ? moments_mean(&bursts->silence) * tick_s
						 : duration_s;
	fit->part->pulses = moments_mean(&bursts->pulses);
	fit->part->inter_pulse_s = bursts->delay.n ? moments_mean(&bursts->delay) * tick_s : 0;
	part_fit_say(fit, PULSE_SILENCE, silence.lo * tick_s, silence.hi * tick_s);
	part_fit_say(fit, PULSE_PULSES, pulses.lo, pulses.hi);
	part_fit_say(fit, PULSE_INTER_PULSE, between.lo * tick_s, between.hi * tick_s);
	snprintf(fit->notes->section, PULSE_NOTE_BYTES,
		 "%llu bursts, separated by gaps above the burst gap",
		 (unsigned long long)bursts->pulses.n);
}

// A single packet in the whole trace: one per duration of the trace.
static void times_of_one(const struct part_fit *fit, double duration_s)
{
	fit->part->silence_s = duration_s;
	fit->part->pulses = 1;
	fit->part->inter_pulse_s = 0;
	snprintf(fit->notes->section, PULSE_NOTE_BYTES, "no gap to measure");
}

enum tr_status part_fit_times(const struct part_fit *fit, double duration_s, struct tr_error *err)
{
	struct tally_value *gaps = NULL, *open = NULL;
	struct gap_sample sample = {NULL, 0, NULL, 0};
	struct gap_fit fitted;
	enum tr_status status = tally_values(&fit->tally->gaps, &gaps, &sample.count, err);

	if (status == TR_OK)
		status = tally_values(&fit->tally->open, &open, &sample.open_count, err);
	sample.gaps = gaps;
	sample.open = open;
	if (status == TR_OK && sample.count == 0)
		times_of_one(fit, duration_s);
	else if (status == TR_OK && fit->bursts)
		times_by_bursts(fit, duration_s);
	else if (status == TR_OK) {
		status = gap_mixture_fit(&sample, fit->options->level, &fitted, err);
		if (status == TR_OK)
			times_by_mixture(fit, &fitted);
	}
	free(gaps);
	free(open);
	return status;
}

#define NEAR 0.02	   // distance of distributions that is negligible
#define SIGNIFICANT 1.9495 // sqrt(n) times the distance, 1 in 1000 under the fitted distribution

static void sample_moments(const struct part_fit *fit, const struct tally_value *sizes,
			   size_t count)
{
	double n = (double)fit->tally->sizes.count, mean = 0, second = 0, fourth = 0;
	double z = gsl_cdf_ugaussian_Pinv(0.5 + fit->options->level / 2);

	for (size_t i = 0; i < count; i++)
		mean += sizes[i].count * sizes[i].value / n;
	for (size_t i = 0; i < count; i++) {
		double square = (sizes[i].value - mean) * (sizes[i].value - mean);

		second += sizes[i].count * square;
		fourth += sizes[i].count * square * square;
	}
	double variance = n > 1 ? second / (n - 1) : 0;
	double mean_half = z * sqrt(variance / n);
	double variance_half = z * sqrt(fmax(fourth / n - variance * variance, 0) / n);

	fit->part->size_mean_B = mean;
	fit->part->size_variance_B2 = variance;
	fit->part->size_floor_B = count ? (double)sizes[0].low : 0;
	if (n > 1) {
		part_fit_say(fit, PULSE_SIZE_MEAN, mean - mean_half, mean + mean_half);
		part_fit_say(fit, PULSE_SIZE_VARIANCE, fmax(variance - variance_half, 0),
			     variance + variance_half);
	}
}

static void take_normal(const struct part_fit *fit, const struct size_fit *normal)
{
	char mean[MODEL_NUMBER_BYTES], variance[MODEL_NUMBER_BYTES];
	struct pulse_part *part = fit->part;

	snprintf(fit->notes->sizes, PULSE_NOTE_BYTES,
		 "Kolmogorov distance %.2g; mean %s and variance %s after clipping",
		 normal->distance,
		 model_format(MODEL_SIZE, model_settle(MODEL_SIZE, part->size_mean_B, 4), mean),
		 model_format(MODEL_VARIANCE,
			      model_settle(MODEL_VARIANCE, part->size_variance_B2, 4), variance));
	part->size_mean_B = normal->mean_B.value;
	part->size_variance_B2 = normal->variance_B2.value;
	part_fit_say(fit, PULSE_SIZE_MEAN, normal->mean_B.low, normal->mean_B.high);
	part_fit_say(fit, PULSE_SIZE_VARIANCE, normal->variance_B2.low, normal->variance_B2.high);
}

static enum tr_status take_empirical(const struct part_fit *fit, const struct tally_value *sizes,
				     size_t count, struct tr_error *err)
{
	struct pulse_part *part = fit->part;

	if (size_gather(sizes, count, fit->tally->sizes.count, &part->bins, &part->bin_count,
			err) != TR_OK)
		return TR_ERROR;
	part->sizes = PULSE_EMPIRICAL;
	snprintf(fit->notes->sizes, PULSE_NOTE_BYTES, "%zu bins%s", part->bin_count,
		 fit->options->sizes == PULSE_SIZES_EMPIRICAL ? "" : "; no clipped normal fits");
	return TR_OK;
}

// Whether a generator can draw from it: a sample that falls off from its floor like an exponential
// has a best normal with a mean far below, of which almost nothing reaches the floor.
static bool can_be_drawn(const struct size_fit *normal, const struct tally_value *sizes,
			 double mtu_B)
{
	struct sizes drawn;
	struct tr_error why;

	return sizes_normal(&drawn, normal->mean_B.value, normal->variance_B2.value,
			    (double)sizes[0].low, mtu_B, &why) == TR_OK;
}

static bool near_enough(const struct part_fit *fit, const struct size_fit *normal)
{
	double n = (double)fit->tally->sizes.count;

	return normal->distance < NEAR || sqrt(n) * normal->distance < SIGNIFICANT;
}

enum tr_status part_fit_sizes(const struct part_fit *fit, double mtu_B, struct tr_error *err)
{
	struct tally_value *sizes;
	struct size_fit normal;
	size_t count;

	if (tally_values(&fit->tally->sizes, &sizes, &count, err) != TR_OK)
		return TR_ERROR;
	enum tr_status status = TR_OK;
	int choice = fit->options->sizes;
	bool fits = choice != PULSE_SIZES_EMPIRICAL &&
		    clipped_normal_fit(sizes, count, mtu_B, fit->options->level, &normal) &&
		    can_be_drawn(&normal, sizes, mtu_B);

	sample_moments(fit, sizes, count);
	if (count == 1 && choice == PULSE_SIZES_AUTO)
		snprintf(fit->notes->sizes, PULSE_NOTE_BYTES, "all sizes are equal");
	else if (fits && (choice == PULSE_SIZES_NORMAL || near_enough(fit, &normal)))
		take_normal(fit, &normal);
	else if (choice == PULSE_SIZES_NORMAL)
		snprintf(fit->notes->sizes, PULSE_NOTE_BYTES,
			 "mean and variance of the sample, because no clipped normal fits");
	else
		status = take_empirical(fit, sizes, count, err);
	free(sizes);
	return status;
}

#define GAP_BITS 7   // bins of at most 1/128 of their value
#define SIZE_BITS 15 // exact below 64 KiB
#define NODE_BITS 20 // exact below 2^21

struct pulse_tally pulse_tally_make(void)
{
	return (struct pulse_tally){.gaps = {.bits = GAP_BITS},
				    .open = {.bits = GAP_BITS},
				    .sizes = {.bits = SIZE_BITS},
				    .to = {.bits = NODE_BITS}};
}

void pulse_tally_add(struct pulse_tally *tally, const struct tr_packet *packet)
{
	if (tally->packets > 0)
		tally_add_one(&tally->gaps, (uint64_t)(packet->time_ticks - tally->last_ticks));
	tally->last_ticks = packet->time_ticks;
	tally->packets++;
	tally_add_one(&tally->sizes, packet->payload_bytes);
	tally_add_one(&tally->to, packet->dst);
	if (packet->wire_bytes > packet->payload_bytes)
		tally->header_bytes += packet->wire_bytes - packet->payload_bytes;
}

void pulse_tally_end(struct pulse_tally *tally, int64_t end_ticks)
{
	if (tally->packets > 0 && end_ticks > tally->last_ticks)
		tally_add(&tally->open, (uint64_t)(end_ticks - tally->last_ticks), 1);
}

void pulse_tally_merge(struct pulse_tally *into, const struct pulse_tally *from)
{
	tally_merge(&into->gaps, &from->gaps);
	tally_merge(&into->open, &from->open);
	tally_merge(&into->sizes, &from->sizes);
	tally_merge(&into->to, &from->to);
	into->packets += from->packets;
	into->header_bytes += from->header_bytes;
}

bool pulse_tally_failed(const struct pulse_tally *tally)
{
	return tally->gaps.failed || tally->open.failed || tally->sizes.failed || tally->to.failed;
}

void pulse_tally_clear(struct pulse_tally *tally)
{
	tally_clear(&tally->gaps);
	tally_clear(&tally->open);
	tally_clear(&tally->sizes);
	tally_clear(&tally->to);
	*tally = pulse_tally_make();
}

struct pulse_node *pulse_nodes_make(struct pulse_nodes *nodes, uint32_t id, struct tr_error *err)
{
	struct pulse_node *node = tr_id_pages_make(&nodes->pages, id, sizeof(*node));

	if (!node)
		(void)tr_no_memory(err, "the packets of node %u", id);
	else if (!node->sends)
		*node = (struct pulse_node){{pulse_tally_make(), pulse_tally_make()}, true};
	return node;
}

struct pulse_node *pulse_nodes_at(const struct pulse_nodes *nodes, uint32_t id)
{
	struct pulse_node *node = tr_id_pages_at(&nodes->pages, id, sizeof(*node));

	return node && node->sends ? node : NULL;
}

struct pulse_node *pulse_nodes_next(const struct pulse_nodes *nodes, uint32_t *id)
{
	struct pulse_node *node;

	for (; (*id = tr_id_pages_next(&nodes->pages, *id)) != UINT32_MAX; ++*id) {
		node = pulse_nodes_at(nodes, *id);
		if (node)
			return node;
	}
	return NULL;
}

void pulse_nodes_clear(struct pulse_nodes *nodes)
{
	struct pulse_node *node;

	for (uint32_t i = 0; (node = pulse_nodes_next(nodes, &i)) != NULL; i++) {
		pulse_tally_clear(&node->tallies[PULSE_DATA]);
		pulse_tally_clear(&node->tallies[PULSE_OVERHEAD]);
	}
	tr_id_pages_clear(&nodes->pages);
}

enum tr_status pulse_bursts_set(struct pulse_bursts *bursts, const struct burst_gap_rule *rule,
				bool by_node, uint64_t ticks_per_s, struct tr_error *err)
{
	bursts->by_node = by_node;
	return burst_gaps_set(&bursts->gaps, rule, 0, ticks_per_s, err);
}

void pulse_bursts_add(struct pulse_bursts *bursts, int64_t ticks)
{
	burst_gap_count(&bursts->all, &bursts->gaps, bursts->last_ticks, ticks);
	bursts->last_ticks = ticks;
}

static struct burst *pulse_bursts_of(const struct pulse_bursts *bursts, uint32_t node,
				     enum pulse_class class)
{
	struct pulse_node_bursts *of = tr_id_pages_at(&bursts->nodes, node, sizeof(*of));

	return of && of->bursts[class].list ? &of->bursts[class] : NULL;
}

enum tr_status pulse_bursts_add_to(struct pulse_bursts *bursts, uint32_t node,
				   enum pulse_class class, int64_t ticks, uint64_t size_bytes,
				   struct tr_error *err)
{
	struct pulse_node_bursts *of;
	struct burst *burst;

	if (!bursts->by_node)
		return TR_OK;
	of = tr_id_pages_make(&bursts->nodes, node, sizeof(*of));
	if (!of)
		return tr_no_memory(err, "the bursts of node %u", node);
	burst = &of->bursts[class];
	if (!burst->list && burst_open(burst, &bursts->gaps, err) != TR_OK)
		return TR_ERROR;
	burst_add(burst, ticks, size_bytes);
	return TR_OK;
}

struct burst_gap pulse_bursts_choose(const struct pulse_bursts *bursts, bool by_node,
				     enum burst_gap_by by)
{
	struct burst_gap_counts gaps = {.trains = 0};

	if (!by_node)
		return burst_gap_choose(&bursts->gaps, by, &bursts->all);
	for (uint32_t i = 0; (i = tr_id_pages_next(&bursts->nodes, i)) != UINT32_MAX; i++)
		for (int class = 0; class < PULSE_CLASSES; class ++)
			if (pulse_bursts_of(bursts, i, class))
				burst_count_gaps(pulse_bursts_of(bursts, i, class), &gaps);
	return burst_gap_choose(&bursts->gaps, by, &gaps);
}

void pulse_bursts_pool(const struct pulse_bursts *bursts, uint32_t node, enum pulse_class class,
		       const struct burst_gap *gap, struct burst_statistics *into)
{
	const struct burst *burst = pulse_bursts_of(bursts, node, class);
	struct burst_statistics own;

	if (!burst)
		return;
	own = burst_get(burst, gap->index);
	burst_statistics_merge(into, &own);
}

void pulse_bursts_clear(struct pulse_bursts *bursts)
{
	for (uint32_t i = 0; (i = tr_id_pages_next(&bursts->nodes, i)) != UINT32_MAX; i++)
		for (int class = 0; class < PULSE_CLASSES; class ++)
			if (pulse_bursts_of(bursts, i, class))
				burst_close(pulse_bursts_of(bursts, i, class));
	tr_id_pages_clear(&bursts->nodes);
	*bursts = (struct pulse_bursts){.by_node = false};
}
