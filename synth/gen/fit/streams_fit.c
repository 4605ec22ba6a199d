// SPDX-License-Identifier: GPL-3.0-or-later
// Packets are sorted by slot: groups x sources per group, in the order of the groups.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/fit/streams_fit.h"
#include "gen/size_bins.h"

#define CLASSES 2u
#define NOWHERE SIZE_MAX

// Groups and sources of the sample's nodes.
struct slots {
	enum fit_by by;
	const struct packet_people *people;
	size_t groups, sources; // per group
};

static unsigned class_index(uint8_t class)
{
	return class == TR_CLASS_OVERHEAD;
}

static struct slots slots_of(const struct packet_sample *sample, enum fit_by by)
{
	size_t nodes = sample->people.senders;
	const size_t groups[] = {
		[FIT_BY_ROLE] = 2 * CLASSES,
		[FIT_BY_ALL] = 1,
		[FIT_BY_CLASS] = CLASSES,
		[FIT_BY_NODE] = nodes * CLASSES,
		[FIT_BY_PAIR] = nodes * nodes * CLASSES,
		[FIT_BY_NETWORK] = CLASSES,
	};
	bool many = by == FIT_BY_ROLE || by == FIT_BY_ALL || by == FIT_BY_CLASS;

	return (struct slots){by, &sample->people, groups[by], many ? nodes : 1};
}

static uint32_t streams_fit_number_of(const struct packet_people *people, uint32_t id)
{
	return id < people->count ? people->number[id] : UINT32_MAX;
}

// The slot of a packet, NOWHERE if it has none.
static size_t streams_fit_slot_of(const struct slots *slots, const struct packet_sample *sample,
				  size_t i)
{
	uint32_t from = streams_fit_number_of(slots->people, sample->src[i]), to;
	unsigned class = class_index(sample->class[i]);

	if (from == UINT32_MAX)
		return NOWHERE;
	switch (slots->by) {
	case FIT_BY_ROLE:
		return ((from < slots->people->controllers ? 0 : CLASSES) + class) *
			       slots->sources +
		       from;
	case FIT_BY_ALL: return from;
	case FIT_BY_CLASS: return class * slots->sources + from;
	case FIT_BY_NODE: return (size_t)from * CLASSES + class;
	case FIT_BY_PAIR:
		to = streams_fit_number_of(slots->people, sample->dst[i]);
		return to == UINT32_MAX || to == from
			       ? NOWHERE
			       : ((size_t)from * slots->people->senders + to) * CLASSES + class;
	case FIT_BY_NETWORK: return class;
	}
	return NOWHERE;
}

static void name_group(const struct slots *slots, size_t index, struct streams_group *group)
{
	static const enum streams_who who[] = {
		[FIT_BY_ROLE] = STREAMS_WORKER, [FIT_BY_ALL] = STREAMS_EACH,
		[FIT_BY_CLASS] = STREAMS_EACH,	[FIT_BY_NODE] = STREAMS_NODE,
		[FIT_BY_PAIR] = STREAMS_PAIR,	[FIT_BY_NETWORK] = STREAMS_NETWORK,
	};
	uint32_t nodes = slots->people->senders;

	group->who = slots->by == FIT_BY_ROLE && index < CLASSES ? STREAMS_CONTROLLER
								 : who[slots->by];
	group->class = index % CLASSES && slots->by != FIT_BY_ALL ? TR_CLASS_OVERHEAD
								  : TR_CLASS_DATA;
	if (slots->by == FIT_BY_NODE)
		group->node = (uint32_t)(index / CLASSES);
	if (slots->by == FIT_BY_PAIR) {
		group->node = (uint32_t)(index / CLASSES / nodes);
		group->to = (uint32_t)(index / CLASSES % nodes);
	}
}

// Range of sources in a group: with FIT_BY_ROLE the controllers or the others.
static void source_range(const struct slots *slots, const struct streams_group *group,
			 size_t *first, size_t *end)
{
	*first = slots->by == FIT_BY_ROLE && group->who == STREAMS_WORKER
			 ? slots->people->controllers
			 : 0;
	*end = group->who == STREAMS_CONTROLLER ? slots->people->controllers : slots->sources;
}

// Points each group to its part of the arrays; place[s] is the begin of slot s.
static void point_groups(const struct slots *slots, const struct packet_sample *sample,
			 double level, const size_t *place, struct streams_groups *out)
{
	struct arrival_times *each = out->each;

	for (size_t g = 0; g < slots->groups; g++) {
		struct streams_group *group = &out->list[g];
		size_t first, end;

		name_group(slots, g, group);
		source_range(slots, group, &first, &end);
		group->times = (struct arrival_sample){each, end - first, sample->ticks_per_s,
						       level};
		for (size_t s = g * slots->sources + first; s < g * slots->sources + end; s++)
			*each++ = (struct arrival_times){
				out->ticks + place[s], place[s + 1] - place[s], sample->begin_ticks,
				sample->end_ticks, sample->bin_ticks};
		group->packets = out->packets + place[g * slots->sources];
		group->count = place[(g + 1) * slots->sources] - place[g * slots->sources];
	}
}

// Fills place with the begin of each slot, and sorts the packets by slot.
static void sort_packets(const struct slots *slots, const struct packet_sample *sample,
			 size_t *place, struct streams_groups *out)
{
	size_t count = slots->groups * slots->sources;

	for (size_t i = 0; i < sample->count; i++) {
		size_t slot = streams_fit_slot_of(slots, sample, i);

		if (slot != NOWHERE)
			place[slot + 2]++;
	}
	for (size_t s = 2; s <= count; s++)
		place[s] += place[s - 1];
	for (size_t i = 0; i < sample->count; i++) {
		size_t slot = streams_fit_slot_of(slots, sample, i);

		if (slot == NOWHERE)
			continue;
		out->packets[place[slot + 1]] = (uint32_t)i;
		out->ticks[place[slot + 1]++] = sample->ticks[i];
	}
}

static enum tr_status streams_fit_check(const struct slots *slots,
					const struct packet_sample *sample, struct tr_error *err)
{
	if (slots->groups > 4 && slots->groups > MODEL_SECTIONS_MAX)
		return tr_fail(err, "%u nodes need %zu sections; a model has at most %u",
			       slots->people->senders, slots->groups, MODEL_SECTIONS_MAX);
	return sample->count < UINT32_MAX
		       ? TR_OK
		       : tr_fail(err, "%zu packets are too many to be grouped", sample->count);
}

enum tr_status streams_groups_make(const struct packet_sample *sample, enum fit_by by, double level,
				   struct streams_groups *out, struct tr_error *err)
{
	struct slots slots = slots_of(sample, by);
	size_t count = slots.groups * slots.sources, *place;

	*out = (struct streams_groups){.count = slots.groups};
	if (streams_fit_check(&slots, sample, err) != TR_OK)
		return TR_ERROR;
	place = calloc(count + 2, sizeof(*place));
	out->list = calloc(slots.groups + 1, sizeof(*out->list));
	out->each = calloc(count + 1, sizeof(*out->each));
	out->ticks = calloc(sample->count + 1, sizeof(*out->ticks));
	out->packets = calloc(sample->count + 1, sizeof(*out->packets));
	if (!place || !out->list || !out->each || !out->ticks || !out->packets) {
		free(place);
		streams_groups_clear(out);
		return tr_no_memory(err, "%zu sources of %zu packets", count, sample->count);
	}
	sort_packets(&slots, sample, place, out);
	point_groups(&slots, sample, level, place, out);
	free(place);
	return TR_OK;
}

void streams_groups_clear(struct streams_groups *groups)
{
	free(groups->list);
	free(groups->each);
	free(groups->ticks);
	free(groups->packets);
	*groups = (struct streams_groups){.list = NULL};
}

// ---- An arrival process as a family: one fit for each group of sources, with the sizes, headers
// and destinations of the group's packets; and its likelihood.

#define DIGITS 6 // of a fitted value

// A fit in progress.
struct streams_fit {
	const struct packet_sample *sample;
	const struct fit_options *options;
	struct streams_model model;
	struct streams_notes *notes; // of each section
};

// The share of the packets that go to the controller.
static double share_to_controller(const struct packet_sample *sample,
				  const struct streams_group *group)
{
	double to_controller = 0;

	for (size_t i = 0; i < group->count; i++) {
		uint32_t to = sample->dst[group->packets[i]];

		to_controller += to < sample->people.count &&
				 sample->people.roles[to] == TR_ROLE_CONTROLLER;
	}
	return to_controller / (double)group->count;
}

// Which nodes the network's packets come from.
static enum tr_status fit_from(const struct packet_sample *sample,
			       const struct streams_group *group, struct node_shares *out,
			       struct tr_error *err)
{
	out->each = calloc(sample->people.senders, sizeof(*out->each));
	if (!out->each)
		return tr_no_memory(err, "the shares of %u nodes", sample->people.senders);
	out->count = sample->people.senders;
	for (uint32_t i = 0; i < out->count; i++)
		out->each[i].node = i;
	for (size_t i = 0; i < group->count; i++)
		out->each[sample->people.number[sample->src[group->packets[i]]]].share +=
			1 / (double)group->count;
	return TR_OK;
}

static void drop_silent(struct node_shares *shares)
{
	size_t kept = 0;

	for (size_t i = 0; i < shares->count; i++)
		if (shares->each[i].share > 0)
			shares->each[kept++] = shares->each[i];
	shares->count = kept;
}

static enum tr_status streams_fit_fit_times(const struct streams_fit *fit,
					    const struct streams_group *group,
					    struct streams_section *section,
					    struct streams_notes *notes, struct tr_error *err)
{
	char name[STREAMS_NAME_BYTES];

	if (fit->model.family->arrival_fit->fit(section->parameters, &group->times, &notes->times,
						err) != TR_OK)
		return tr_fail_in(err, "[%s]", streams_section_name(section, name));
	(void)snprintf(notes->section, sizeof(notes->section), "%zu packets of %zu source%s",
		       group->count, group->times.count, group->times.count == 1 ? "" : "s");
	return TR_OK;
}

static enum tr_status fit_group(struct streams_fit *fit, const struct streams_group *group,
				struct tr_error *err)
{
	struct streams_section *section = &fit->model.sections[fit->model.count];
	struct streams_notes *notes = &fit->notes[fit->model.count];
	enum tr_status status;

	*section = (struct streams_section){
		.who = group->who, .node = group->node, .to = group->to, .class = group->class};
	fit->model.count++;
	if (streams_section_open(section, fit->model.family->arrivals, err) != TR_OK ||
	    streams_fit_fit_times(fit, group, section, notes, err) != TR_OK ||
	    packet_sizes(fit->sample, group->packets, group->count, &section->bins,
			 &section->bin_count, &section->header_B, err) != TR_OK)
		return TR_ERROR;
	section->to_controller = share_to_controller(fit->sample, group);
	status = group->who == STREAMS_NETWORK
			 ? fit_from(fit->sample, group, &section->from_nodes, err)
			 : TR_OK;
	drop_silent(&section->from_nodes);
	return status;
}

static enum tr_status fit_groups(struct streams_fit *fit, struct tr_error *err)
{
	struct streams_groups groups;
	enum tr_status status;

	status = streams_groups_make(fit->sample, (enum fit_by)fit->options->by,
				     fit->options->pulse.level, &groups, err);
	if (status != TR_OK)
		return status;
	fit->model.sections = calloc(groups.count + 1, sizeof(*fit->model.sections));
	fit->notes = calloc(groups.count + 1, sizeof(*fit->notes));
	if (!fit->model.sections || !fit->notes)
		status = tr_no_memory(err, "%zu sections", groups.count);
	for (size_t i = 0; i < groups.count && status == TR_OK; i++)
		if (groups.list[i].count > 0)
			status = fit_group(fit, &groups.list[i], err);
	streams_groups_clear(&groups);
	return status;
}

static unsigned freedom_of(const struct family *family, const void *parameters)
{
	unsigned fields = 0;

	if (family->arrival_fit->freedom)
		return family->arrival_fit->freedom(parameters);
	while (family->arrivals->fields[fields].type != MODEL_END)
		fields++;
	return fields;
}

static void streams_fit_describe(const struct streams_fit *fit, struct fit_notes *notes)
{
	const char *method = fit->model.count > 0 ? fit->notes[0].times.method : "",
		   *own = strstr(method, " of ");
	size_t all = strcspn(method, ";:");

	notes->freedom = 0;
	for (size_t i = 0; i < fit->model.count; i++)
		notes->freedom += freedom_of(fit->model.family, fit->model.sections[i].parameters);
	for (size_t i = 0; i < fit->model.count && !*notes->bound; i++)
		(void)snprintf(notes->bound, sizeof(notes->bound), "%s", fit->notes[i].times.bound);
	// One section: its own method. Several have theirs in comments: what they have in common.
	if (fit->model.count > 1)
		(void)snprintf(
			notes->method, sizeof(notes->method), "%.*s, each section separately",
			(int)(own && own < method + all ? (size_t)(own - method) : all), method);
	else
		(void)snprintf(notes->method, sizeof(notes->method), "%s", method);
}

static enum tr_status fit_streams(const struct family *family, const struct packet_sample *sample,
				  const struct fit_options *options, struct model *text,
				  struct fit_notes *notes, struct tr_error *err)
{
	struct streams_fit fit = {
		.sample = sample,
		.options = options,
		.model =
			{
				.family = family,
				.nodes = sample->people.senders,
				.duration_s = packet_sample_seconds(sample),
				.destinations = destinations_default(),
			},
	};
	enum tr_status status;

	fit.model.destinations.by_role = options->pulse.destinations == PULSE_BY_ROLE;
	status = fit_groups(&fit, err);
	if (status == TR_OK && fit.model.count == 0)
		status = tr_fail(err, "no packet to fit %s to", family->name);
	if (status == TR_OK) {
		streams_model_settle(&fit.model, DIGITS);
		streams_model_put(text, &fit.model, fit.notes);
		streams_fit_describe(&fit, notes);
	}
	free(fit.notes);
	streams_model_clear(&fit.model);
	return status;
}

static const struct streams_section *section_of(const struct streams_model *model,
						const struct streams_group *group)
{
	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];

		if (section->who == group->who && section->class == group->class &&
		    section->node == group->node && section->to == group->to)
			return section;
	}
	return NULL;
}

// For the network: who sends each packet, with shares in the order of the nodes.
static double log_senders(const struct packet_sample *sample, const struct streams_group *group,
			  const struct streams_section *section)
{
	const struct node_shares *shares = &section->from_nodes;
	double all = node_shares_of_others(shares, UINT32_MAX), sum = 0;

	for (size_t i = 0; i < group->count && shares->count > 0; i++) {
		uint32_t node = sample->people.number[sample->src[group->packets[i]]];
		bool in_place = node < shares->count && shares->each[node].node == node;

		sum += log((in_place ? shares->each[node].share : node_shares_of(shares, node)) /
			   all);
	}
	return sum;
}

static enum tr_status add_log_group(const struct streams_model *model,
				    const struct packet_sample *sample,
				    const struct streams_group *group, double *sum,
				    struct tr_error *err)
{
	const struct streams_section *section = section_of(model, group);
	double times;

	if (!section) {
		*sum += group->count > 0 ? -INFINITY : 0;
		return TR_OK;
	}
	if (model->family->arrival_fit->log_likelihood(section->parameters, &group->times, &times,
						       err) != TR_OK)
		return TR_ERROR;
	*sum += times + log_senders(sample, group, section);
	return TR_OK;
}

static enum tr_status streams_log_likelihood(const struct family *family, const struct model *text,
					     const struct packet_sample *sample,
					     const struct fit_options *options, double *out,
					     struct tr_error *err)
{
	struct streams_groups groups;
	struct streams_model model;
	enum tr_status status;

	*out = NAN;
	if (!family->arrival_fit->log_likelihood)
		return TR_OK;
	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = streams_groups_make(sample, (enum fit_by)options->by, options->pulse.level,
				     &groups, err);
	if (status == TR_OK) {
		*out = 0;
		for (size_t i = 0; i < groups.count && status == TR_OK; i++)
			status = add_log_group(&model, sample, &groups.list[i], out, err);
		streams_groups_clear(&groups);
	}
	streams_model_clear(&model);
	return status;
}

const struct family_fit streams_fit = {
	.by = FIT_BY_ANY,
	.fit = fit_streams,
	.log_likelihood = streams_log_likelihood,
};
