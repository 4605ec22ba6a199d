// SPDX-License-Identifier: GPL-3.0-or-later
// Sources on and off by turns as a family: those of each node (gen/on_off_fit.h), whatever the others separate.
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/fit/streams_groups.h"
#include "gen/fit/packet_sizes.h"
#include "gen/interval_law.h"
#include "gen/on_off_fit.h"

static void put_value(struct model *text, const char *key, enum model_type type, double value)
{
	char number[MODEL_NUMBER_BYTES];

	model_key(text, key, model_format(type, value, number), NULL);
}

// A time and its shape, with their intervals.
static void put_law(struct model *text, const char *key, const char *shape_key, double mean_s, double shape,
		    const double mean_ends_s[2], const double shape_ends[2], double level)
{
	char number[MODEL_NUMBER_BYTES], note[MODEL_INTERVAL_BYTES];

	(void)model_interval(MODEL_TIME, mean_ends_s[0], mean_ends_s[1], level, note);
	model_key(text, key, model_format(MODEL_TIME, mean_s, number), mean_ends_s[1] > 0 ? note : NULL);
	if (shape == 0)
		return;
	(void)model_interval(MODEL_REAL, shape_ends[0], shape_ends[1], level, note);
	model_key(text, shape_key, model_format(MODEL_REAL, shape, number), shape_ends[1] > 0 ? note : NULL);
}

static void put(struct model *text, const struct on_off_model *on_off, const struct on_off_fitted *found, double level)
{
	char nodes[MODEL_NUMBER_BYTES], sources[MODEL_NUMBER_BYTES], note[MODEL_INTERVAL_BYTES] = "";

	(void)snprintf(nodes, sizeof(nodes), "%llu", (unsigned long long)on_off->nodes);
	model_key(text, "family", "on-off", NULL);
	model_key(text, "nodes", nodes, NULL);
	put_value(text, "duration", MODEL_TIME, on_off->duration_s);
	(void)snprintf(sources, sizeof(sources), "%llu", (unsigned long long)on_off->sources);
	if (found->sources[1] > 0)
		(void)model_interval(MODEL_REAL, found->sources[0], found->sources[1], level, note);
	if (on_off->sources > 1)
		model_key(text, "sources", sources, *note ? note : NULL);
	put_law(text, "on", "on-shape", on_off->on_s, on_off->on_shape, found->on_s, found->on_shape, level);
	put_law(text, "off", "off-shape", on_off->off_s, on_off->off_shape, found->off_s, found->off_shape, level);
	put_value(text, "inter-packet", MODEL_TIME, on_off->gap_s);
	put_value(text, "header", MODEL_SIZE, on_off->header_B);
	size_bins_or_size_put(text, on_off->bins, on_off->bin_count);
}

static enum tr_status fit_times(const struct packet_sample *sample, double level, struct on_off_model *on_off,
				struct on_off_fitted *found, struct tr_error *err)
{
	struct streams_groups groups;
	enum tr_status status = streams_groups_make(sample, FIT_BY_ALL, level, &groups, err);

	if (status != TR_OK)
		return status;
	status = groups.count > 0 ? on_off_fit(on_off, &groups.list[0].times, found, err) : tr_fail(err, "there is no packet");
	streams_groups_clear(&groups);
	return status;
}

static void note_bound(struct fit_notes *notes, const char *key, double shape)
{
	if (shape > 0 && shape <= INTERVAL_LAW_SHAPE_LEAST)
		(void)snprintf(notes->bound, sizeof(notes->bound), "%s stands at its bound, %g", key, shape);
}

static enum tr_status family_fit(const struct family *family, const struct packet_sample *sample,
				 const struct fit_options *options, struct model *text, struct fit_notes *notes,
				 struct tr_error *err)
{
	struct on_off_model on_off = {.nodes = sample->people.senders, .duration_s = packet_sample_seconds(sample)};
	struct on_off_fitted found;
	enum tr_status status;

	(void)family;
	status = fit_times(sample, options->pulse.level, &on_off, &found, err);
	if (status == TR_OK)
		status = packet_sizes(sample, NULL, sample->count, &on_off.bins, &on_off.bin_count, &on_off.header_B, err);
	if (status == TR_OK) {
		put(text, &on_off, &found, options->pulse.level);
		note_bound(notes, "on-shape", on_off.on_shape);
		note_bound(notes, "off-shape", on_off.off_shape);
		if (found.sources_at_bound)
			(void)snprintf(notes->bound, sizeof(notes->bound), "sources stands at its bound, %llu",
				       (unsigned long long)on_off.sources);
		notes->freedom = 3u + (on_off.sources > 1) + (on_off.on_shape > 0) + (on_off.off_shape > 0);
		(void)snprintf(notes->method, sizeof(notes->method), "by likelihood of %.0f times on, each known to one gap",
			       found.runs);
	}
	on_off_model_clear(&on_off);
	return status;
}

const struct family_fit on_off_fit_of_nodes = {
	.by = 1u << FIT_BY_ALL | 1u << FIT_BY_ROLE,
	.always = "all",
	.fit = family_fit,
};
