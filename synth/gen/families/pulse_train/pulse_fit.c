// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of the pulse train (Yates 1997) to packets, and its likelihood.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/pulse_train/pulse_part.h"
#include "gen/families/pulse_train/pulse_train.h"

#define PULSE_FIT_DIGITS 6 // of a fitted value

struct pulse_fit {
	struct pulse_fit_options options;
	struct pulse_nodes nodes;
	struct pulse_bursts bursts;
	uint64_t packets, unclassed;
	int64_t first_ticks, last_ticks;
	bool to_others; // a packet went to a node other than its sender
};

enum tr_status pulse_fit_open(struct pulse_fit **out, const struct pulse_fit_options *options,
			      struct tr_error *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "the fit");
	(*out)->options = *options;
	return pulse_bursts_set(&(*out)->bursts, &options->burst_rule,
				options->method == PULSE_BURSTS, options->ticks_per_s, err);
}

enum tr_status pulse_fit_add(struct pulse_fit *fit, const struct tr_packet *packet,
			     struct tr_error *err)
{
	enum pulse_class class = packet_sample_class(packet) == TR_CLASS_OVERHEAD ? PULSE_OVERHEAD
										  : PULSE_DATA;
	struct pulse_node *node;

	if (fit->packets > 0 && packet->time_ticks < fit->last_ticks)
		return tr_fail(err,
			       "packet %llu is earlier than the packet before it; sort the trace "
			       "first (flitcat)",
			       (unsigned long long)fit->packets);
	fit->unclassed += packet->class == TR_CLASS_NONE;
	if (fit->packets++ == 0)
		fit->first_ticks = packet->time_ticks;
	fit->last_ticks = packet->time_ticks;
	pulse_bursts_add(&fit->bursts, packet->time_ticks);
	if (packet->src == TR_NODE_OTHER)
		return TR_OK;
	fit->to_others = fit->to_others || packet->dst != packet->src;
	node = pulse_nodes_make(&fit->nodes, packet->src, err);
	if (!node)
		return TR_ERROR;
	pulse_tally_add(&node->tallies[class], packet);
	return pulse_bursts_add_to(&fit->bursts, packet->src, class, packet->time_ticks,
				   packet->payload_bytes, err);
}

void pulse_fit_close(struct pulse_fit *fit)
{
	if (!fit)
		return;
	pulse_nodes_clear(&fit->nodes);
	pulse_bursts_clear(&fit->bursts);
	free(fit);
}

static double share_to(const struct pulse_tally *tally, const enum tr_role *roles,
		       size_t role_count)
{
	double to_controller = 0;

	for (size_t i = 0; i < tally->to.capacity; i++) {
		const struct tally_bin *cell = &tally->to.cells[i];

		if (cell->count && cell->index < role_count &&
		    roles[cell->index] == TR_ROLE_CONTROLLER)
			to_controller += (double)cell->count;
	}
	return to_controller / (double)tally->packets;
}

static void pulse_fit_settle(struct pulse_part *part)
{
	for (const struct model_field *field = pulse_part_fields; field->type != MODEL_END;
	     field++) {
		double *value = (double *)(void *)((char *)part + field->offset);

		if (field->type != MODEL_REPEATED && field->type != MODEL_WORD)
			*value = model_settle(field->type, *value, PULSE_FIT_DIGITS);
	}
}

// The nodes of one role and class.
struct pool {
	struct pulse_tally tally;
	struct burst_statistics bursts;
};

static enum tr_status pulse_fit_fit_part(const struct pulse_fit *fit, const struct pool *pool,
					 unsigned role, unsigned class, struct pulse_fitted *out,
					 struct tr_error *err)
{
	struct part_fit part = {
		.options = &fit->options,
		.tally = &pool->tally,
		.bursts = fit->options.method == PULSE_BURSTS ? &pool->bursts : NULL,
		.part = &out->model.part[role][class],
		.notes = &out->notes[role][class],
	};

	*part.part = pulse_part_default(class);
	if (pool->tally.packets == 0)
		return TR_OK;
	part.part->present = true;
	part.part->header_B = round((double)pool->tally.header_bytes / (double)pool->tally.packets);
	if (part_fit_times(&part, out->model.duration_s, err) != TR_OK ||
	    part_fit_sizes(&part, out->model.mtu_B, err) != TR_OK)
		return TR_ERROR;
	pulse_fit_settle(part.part);
	return TR_OK;
}

#define SILENT_SHARE \
	100u // a worker that sends less than this part of the busiest one's data only answers

static bool is_controller(const enum tr_role *roles, size_t role_count, uint32_t node)
{
	return node < role_count && roles[node] == TR_ROLE_CONTROLLER;
}

static uint64_t busiest_worker(const struct pulse_fit *fit, const enum tr_role *roles,
			       size_t role_count)
{
	const struct pulse_node *node;
	uint64_t most = 0;

	for (uint32_t i = 0; (node = pulse_nodes_next(&fit->nodes, &i)) != NULL; i++)
		if (!is_controller(roles, role_count, i) &&
		    node->tallies[PULSE_DATA].packets > most)
			most = node->tallies[PULSE_DATA].packets;
	return most;
}

// What the nodes send. Receivers are workers that send next to no data: as workers they would send
// as much as the others.
struct senders {
	uint64_t busiest;
	uint64_t nodes;	  // that sent something
	uint32_t one;	  // the last of those that are no receivers
	uint64_t sending; // of them
};

static bool only_receives(const struct pulse_fit *fit, const struct senders *senders,
			  const enum tr_role *roles, size_t role_count, uint32_t node)
{
	return !fit->options.every_node && !is_controller(roles, role_count, node) &&
	       pulse_nodes_at(&fit->nodes, node)->tallies[PULSE_DATA].packets <
		       senders->busiest / SILENT_SHARE;
}

static struct senders pulse_count_senders(const struct pulse_fit *fit, const enum tr_role *roles,
					  size_t role_count, struct pulse_fitted *out)
{
	struct senders senders = {.busiest = busiest_worker(fit, roles, role_count),
				  .one = UINT32_MAX};
	const struct pulse_node *node;

	for (uint32_t i = 0; (node = pulse_nodes_next(&fit->nodes, &i)) != NULL; i++) {
		senders.nodes++;
		if (only_receives(fit, &senders, roles, role_count, i)) {
			out->receivers++;
			out->answers += node->tallies[PULSE_DATA].packets;
			continue;
		}
		senders.sending++;
		senders.one = i;
	}
	return senders;
}

// Merges the nodes of each role, without the data of receivers; a lone sender is the controller,
// regardless of roles.
static void merge_nodes(struct pulse_fit *fit, const enum tr_role *roles, size_t role_count,
			const struct senders *senders, const struct pulse_fitted *out,
			struct pool pools[PULSE_ROLES][PULSE_CLASSES])
{
	struct pulse_node *node;

	for (uint32_t i = 0; (node = pulse_nodes_next(&fit->nodes, &i)) != NULL; i++) {
		bool controller = (out->lone && i == senders->one) ||
				  is_controller(roles, role_count, i);
		struct pool *pool = pools[controller ? PULSE_CONTROLLER : PULSE_WORKER];

		for (int class = 0; class < PULSE_CLASSES; class ++) {
			if (class == PULSE_DATA &&
			    only_receives(fit, senders, roles, role_count, i))
				continue;
			pulse_tally_end(&node->tallies[class], fit->last_ticks);
			pulse_tally_merge(&pool[class].tally, &node->tallies[class]);
			pulse_bursts_pool(&fit->bursts, i, class, &out->node_gap,
					  &pool[class].bursts);
		}
	}
}

static double pulse_fit_largest(struct pool pools[PULSE_ROLES][PULSE_CLASSES])
{
	uint64_t most = 1;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_tally *tally = &pools[p / 2][p % 2].tally;

		if (tally->packets && tally->sizes.max > most)
			most = tally->sizes.max;
	}
	return (double)most;
}

static enum tr_status pulse_fit_fit_parts(const struct pulse_fit *fit,
					  struct pool pools[PULSE_ROLES][PULSE_CLASSES],
					  const enum tr_role *roles, size_t role_count,
					  struct pulse_fitted *out, struct tr_error *err)
{
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		struct pool *pool = &pools[p / 2][p % 2];

		if (pulse_tally_failed(&pool->tally))
			return tr_no_memory(err, "the distributions");
		if (pulse_fit_fit_part(fit, pool, p / 2, p % 2, out, err) != TR_OK)
			return TR_ERROR;
		if (pool->tally.packets)
			out->model.part[p / 2][p % 2].to_controller = model_settle(
				MODEL_SHARE, share_to(&pool->tally, roles, role_count),
				PULSE_FIT_DIGITS);
	}
	return TR_OK;
}

enum tr_status pulse_fit_finish(struct pulse_fit *fit, const enum tr_role *roles, size_t role_count,
				struct pulse_fitted *out, struct tr_error *err)
{
	struct pool pools[PULSE_ROLES][PULSE_CLASSES] = {0};
	double ticks_per_s = (double)fit->options.ticks_per_s;
	enum tr_status status = TR_OK;
	char text[BURST_GAP_TEXT];
	struct senders senders;

	*out = (struct pulse_fitted){.packets = fit->packets, .unclassed = fit->unclassed};
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		pools[p / 2][p % 2].tally = pulse_tally_make();
	out->gap = pulse_bursts_choose(&fit->bursts, false, fit->options.burst_rule.by);
	out->node_gap = pulse_bursts_choose(&fit->bursts, true, fit->options.burst_rule.by);
	senders = pulse_count_senders(fit, roles, role_count, out);
	out->lone = senders.sending == 1 && fit->to_others;
	out->model.nodes = !out->lone ? senders.sending : senders.nodes > 1 ? senders.nodes : 2;
	merge_nodes(fit, roles, role_count, &senders, out, pools);
	out->model.duration_s = model_settle(
		MODEL_TIME, fmax((double)(fit->last_ticks - fit->first_ticks) / ticks_per_s, 1e-9),
		PULSE_FIT_DIGITS);
	out->model.mtu_B = pulse_fit_largest(pools);
	out->model.destinations = fit->options.destinations;
	if (fit->packets < 2)
		status = tr_fail(err, fit->packets ? "a single packet is not enough for a fit"
						   : "the trace has no packet");
	else if (out->model.nodes < 2)
		status = tr_fail(err, "no node sends to another node");
	else if (fit->options.method == PULSE_BURSTS && out->node_gap.basis == BURST_BASIS_NONE)
		status = tr_fail(err, "%s, and --method mixture needs none",
				 burst_gap_say(&out->node_gap, fit->options.ticks_per_s, text));
	else
		status = pulse_fit_fit_parts(fit, pools, roles, role_count, out, err);
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		pulse_tally_clear(&pools[p / 2][p % 2].tally);
	if (status != TR_OK)
		pulse_model_clear(&out->model);
	return status;
}

// ---- The bursty pulse train as a family: its fit to a sample, and its likelihood as a renewal
// process, if silence is counted from the last packet of a burst (pulse_part.h). A source starts at
// a random time, so the time to its first packet has the density of the forward recurrence time,
// G(x)/mean with G the probability of a longer gap.
//
// Known value: with pulses 1 it is a Poisson process, n ln(rate) - rate T per source.

static enum tr_status add_all(struct pulse_fit *fit, const struct packet_sample *sample,
			      struct tr_error *err)
{
	for (size_t i = 0; i < sample->count; i++) {
		const struct tr_packet packet = {
			.time_ticks = sample->ticks[i],
			.src = sample->src[i],
			.dst = sample->dst[i],
			.payload_bytes = sample->payload_B[i],
			.wire_bytes = sample->wire_B[i],
			.class = sample->class[i],
		};

		if (pulse_fit_add(fit, &packet, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static unsigned count_free(const struct pulse_model *model)
{
	unsigned free = 0;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_part *part = &model->part[p / 2][p % 2];

		free += part->present ? part->pulses > 1 ? 3 : 1 : 0;
	}
	return free;
}

static enum tr_status pulse_family_fit(const struct family *family,
				       const struct packet_sample *sample,
				       const struct fit_options *options, struct model *text,
				       struct fit_notes *notes, struct tr_error *err)
{
	struct pulse_fitted fitted;
	struct pulse_fit *fit;
	enum tr_status status;

	(void)family;
	if (pulse_fit_open(&fit, &options->pulse, err) != TR_OK)
		return TR_ERROR;
	status = add_all(fit, sample, err);
	if (status == TR_OK)
		status = pulse_fit_finish(fit, sample->people.roles, sample->people.count, &fitted,
					  err);
	pulse_fit_close(fit);
	if (status != TR_OK)
		return status;
	pulse_model_put(text, &fitted.model, fitted.notes);
	notes->freedom = count_free(&fitted.model);
	(void)snprintf(notes->method, sizeof(notes->method), "%s",
		       options->pulse.method == PULSE_MIXTURE
			       ? "by likelihood of the gaps (EM and Newton's method)"
			       : "by bursts that a gap separates");
	pulse_model_clear(&fitted.model);
	return TR_OK;
}

// A part's gap in ticks: a silence with probability share, otherwise an inter-pulse time.
struct gap_law {
	double share, silence, inter_pulse;
};

static struct gap_law pulse_fit_law_of(const struct pulse_part *part, double ticks_per_s)
{
	return (struct gap_law){1 / part->pulses, part->silence_s * ticks_per_s,
				part->inter_pulse_s * ticks_per_s};
}

static double mixed(const struct gap_law *law, double of_silence, double of_inter_pulse)
{
	return law->share * of_silence + (law->share < 1 ? (1 - law->share) * of_inter_pulse : 0);
}

static double log_gap(const struct gap_law *law, double x)
{
	return log(mixed(law, exp(-x / law->silence) / law->silence,
			 exp(-x / law->inter_pulse) / law->inter_pulse));
}

static double log_longer(const struct gap_law *law, double x)
{
	return log(mixed(law, exp(-x / law->silence), exp(-x / law->inter_pulse)));
}

// Log probability of no packet within x of a random time.
static double log_none(const struct gap_law *law, double x)
{
	return log(mixed(law, law->silence * exp(-x / law->silence),
			 law->inter_pulse * exp(-x / law->inter_pulse)) /
		   mixed(law, law->silence, law->inter_pulse));
}

static double log_first(const struct gap_law *law, double x)
{
	return log_longer(law, x) - log(mixed(law, law->silence, law->inter_pulse));
}

static const struct pulse_part *pulse_fit_part_of(const struct pulse_model *model,
						  const struct packet_people *people, uint32_t id,
						  unsigned class)
{
	return &model->part[people->roles[id] == TR_ROLE_CONTROLLER ? PULSE_CONTROLLER
								    : PULSE_WORKER][class];
}

// last[2 id + class] is the time of a source's last packet, begin - 1 while it has none.
static double sum_packets(const struct pulse_model *model, const struct packet_sample *sample,
			  int64_t *last)
{
	double sum = 0;

	for (size_t i = 0; i < sample->count; i++) {
		unsigned class = sample->class[i] == TR_CLASS_OVERHEAD ? PULSE_OVERHEAD
								       : PULSE_DATA;
		const struct pulse_part *part;
		struct gap_law law;
		int64_t *at;

		if (sample->src[i] >= sample->people.count)
			continue;
		part = pulse_fit_part_of(model, &sample->people, sample->src[i], class);
		if (!part->present)
			return -INFINITY;
		law = pulse_fit_law_of(part, sample->ticks_per_s);
		at = &last[(size_t)2 * sample->src[i] + class];
		sum += *at < sample->begin_ticks
			       ? log_first(&law, (double)(sample->ticks[i] - sample->begin_ticks))
			       : log_gap(&law, (double)(sample->ticks[i] - *at));
		*at = sample->ticks[i];
	}
	return sum;
}

static double sum_ends(const struct pulse_model *model, const struct packet_sample *sample,
		       const int64_t *last)
{
	double sum = 0;

	for (size_t i = 0; i < (size_t)2 * sample->people.count; i++) {
		const struct pulse_part *part = pulse_fit_part_of(model, &sample->people,
								  (uint32_t)(i / 2), i % 2);
		struct gap_law law = pulse_fit_law_of(part, sample->ticks_per_s);

		if (!part->present || sample->people.number[i / 2] == UINT32_MAX)
			continue;
		sum += last[i] < sample->begin_ticks
			       ? log_none(&law, (double)(sample->end_ticks - sample->begin_ticks))
			       : log_longer(&law, (double)(sample->end_ticks - last[i]));
	}
	return sum;
}

static enum tr_status pulse_log_likelihood(const struct family *family, const struct model *text,
					   const struct packet_sample *sample,
					   const struct fit_options *options, double *out,
					   struct tr_error *err)
{
	size_t sources = (size_t)2 * sample->people.count;
	struct pulse_model model;
	int64_t *last;

	(void)family;
	(void)options;
	if (pulse_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	last = calloc(sources + 1, sizeof(*last));
	for (size_t i = 0; last && i < sources; i++)
		last[i] = sample->begin_ticks - 1;
	*out = NAN;
	if (last) {
		*out = sum_packets(&model, sample, last);
		*out += sum_ends(&model, sample, last);
	}
	free(last);
	pulse_model_clear(&model);
	return last ? TR_OK : tr_no_memory(err, "%zu sources", sources);
}

const struct family_fit pulse_train_fit = {
	.by = 1u << FIT_BY_ROLE,
	.fit = pulse_family_fit,
	.log_likelihood = pulse_log_likelihood,
};
