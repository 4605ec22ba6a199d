// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/judge/panel.h"

#include <math.h>
#include <stdlib.h>

const struct judge_criterion *const judge_criteria[JUDGE_CRITERIA] = {
	&judge_marginals,	&judge_dispersion,   &judge_logscale,
	&judge_autocorrelation, &judge_gaps,	     &judge_sizes,
	&judge_queue,		&judge_destinations, &judge_receivers,
};

enum tr_status judge_panel_measure(struct judge_panel *panel, const struct packet_sample *packets,
				   double *out[JUDGE_CRITERIA], struct tr_error *err)
{
	const struct judge_view view = {&panel->scales, packets, panel->counts};

	judge_count(&panel->scales, packets, panel->counts);
	for (unsigned c = 0; c < panel->criteria; c++) {
		size_t length = judge_criteria[c]->length(&panel->scales);

		out[c] = calloc(length, sizeof(**out));
		if (!out[c])
			return tr_no_memory(err, "a curve of %zu numbers", length);
		if (judge_criteria[c]->measure(&view, out[c], err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status panel_make_room(struct judge_panel *panel, struct tr_error *err)
{
	size_t longest = 1;

	for (unsigned c = 0; c < panel->criteria; c++) {
		size_t length = judge_criteria[c]->length(&panel->scales);

		longest = length > longest ? length : longest;
	}
	panel->counts = calloc((size_t)1 << panel->scales.levels, sizeof(*panel->counts));
	panel->of_other = calloc(longest, sizeof(*panel->of_other));
	return panel->counts && panel->of_other
		       ? TR_OK
		       : tr_no_memory(err, "2^%u bins", panel->scales.levels);
}

enum tr_status judge_panel_open(struct judge_panel *panel, const struct packet_sample *data,
				const struct packet_sample *fitted, struct tr_error *err)
{
	struct judge_distance apart[JUDGE_CRITERIA];

	*panel = (struct judge_panel){.criteria = data->bin_ticks ? JUDGE_OF_COUNTS
								  : JUDGE_CRITERIA};
	if (fitted->count < JUDGE_PACKETS_MIN)
		return tr_fail(err,
			       "%zu packets in the first half are too few for a comparison; %u are "
			       "needed in each half",
			       fitted->count, JUDGE_PACKETS_MIN);
	if (judge_scales_of(data, &panel->scales, err) != TR_OK ||
	    panel_make_room(panel, err) != TR_OK ||
	    judge_panel_measure(panel, data, panel->of_data, err) != TR_OK ||
	    judge_panel_mark(panel, fitted, apart, err) != TR_OK)
		return TR_ERROR;
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		panel->yardstick[c] = c < panel->criteria
					      ? fmax(apart[c].value, judge_criteria[c]->least)
					      : NAN;
	return TR_OK;
}

enum tr_status judge_panel_mark(struct judge_panel *panel, const struct packet_sample *packets,
				struct judge_distance out[JUDGE_CRITERIA], struct tr_error *err)
{
	const struct judge_view view = {&panel->scales, packets, panel->counts};

	judge_count(&panel->scales, packets, panel->counts);
	for (unsigned c = 0; c < panel->criteria; c++) {
		if (judge_criteria[c]->measure(&view, panel->of_other, err) != TR_OK)
			return TR_ERROR;
		out[c] = judge_criteria[c]->distance(&panel->scales, panel->of_data[c],
						     panel->of_other);
	}
	return TR_OK;
}

double judge_panel_points(const struct judge_panel *panel, unsigned criterion, double distance)
{
	double share = distance / panel->yardstick[criterion];

	return share > 0 ? log2(1 + share) : share / M_LN2;
}

double judge_panel_score(const struct judge_panel *panel,
			 const struct judge_distance distances[JUDGE_CRITERIA])
{
	double sum = 0;

	for (unsigned c = 0; c < panel->criteria; c++)
		sum += judge_panel_points(panel, c, distances[c].value);
	return sum / panel->criteria;
}

void judge_panel_clear(struct judge_panel *panel)
{
	free(panel->counts);
	free(panel->of_other);
	for (unsigned c = 0; c < panel->criteria; c++)
		free(panel->of_data[c]);
	*panel = (struct judge_panel){.counts = NULL};
}
