// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/judge/ranking.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum tr_status judge_runs_open(struct judge_runs *runs, struct judge_panel *panel,
			       unsigned capacity, struct tr_error *err)
{
	*runs = (struct judge_runs){.panel = panel, .capacity = capacity};
	runs->curves = calloc(capacity, sizeof(*runs->curves));
	runs->from_data = calloc(capacity, sizeof(*runs->from_data));
	return runs->curves && runs->from_data ? TR_OK : tr_no_memory(err, "%u runs", capacity);
}

enum tr_status judge_runs_add(struct judge_runs *runs, const struct packet_sample *packets,
			      struct tr_error *err)
{
	unsigned run = runs->count++;

	if (judge_panel_measure(runs->panel, packets, runs->curves[run], err) != TR_OK)
		return TR_ERROR;
	for (unsigned c = 0; c < runs->panel->criteria; c++)
		runs->from_data[run][c] = judge_criteria[c]->distance(
			&runs->panel->scales, runs->panel->of_data[c], runs->curves[run][c]);
	return TR_OK;
}

// Pairwise distances of the runs by a criterion, in both directions, as some criteria are
// asymmetric.
static void fill_apart(const struct judge_runs *runs, unsigned criterion, double *apart)
{
	const struct judge_criterion *of = judge_criteria[criterion];
	unsigned n = runs->count;

	for (unsigned a = 0; a < n; a++)
		for (unsigned b = 0; b < a; b++)
			apart[a * n + b] = apart[b * n + a] = of->distance(
									&runs->panel->scales,
									runs->curves[a][criterion],
									runs->curves[b][criterion])
								      .value;
}

// The energy score of all runs but left_out (count: of all).
static double runs_energy(const struct judge_runs *runs, unsigned criterion, const double *apart,
			  unsigned left_out)
{
	unsigned n = runs->count, kept = left_out < n ? n - 1 : n;
	double from_data = 0, from_others = 0;

	for (unsigned a = 0; a < n; a++) {
		if (a == left_out)
			continue;
		from_data += runs->from_data[a][criterion].value / kept;
		for (unsigned b = 0; b < a; b++)
			if (b != left_out)
				from_others += apart[a * n + b];
	}
	return from_data - (kept > 1 ? from_others / (kept * (kept - 1.0)) : 0);
}

static void runs_set_interval(const double *scores, unsigned n, double level,
			      struct judge_result *out)
{
	double mean = 0, squares = 0, half;

	for (unsigned i = 0; i < n; i++)
		mean += scores[i] / n;
	for (unsigned i = 0; i < n; i++)
		squares += (scores[i] - mean) * (scores[i] - mean);
	out->error = sqrt(squares * (n - 1) / n);
	half = gsl_cdf_tdist_Pinv(0.5 + level / 2, n - 1) * out->error;
	out->score = scores[n];
	out->low = out->score - half;
	out->high = out->score + half;
}

enum tr_status judge_runs_result(const struct judge_runs *runs, double level,
				 struct judge_result *out, struct tr_error *err)
{
	unsigned n = runs->count;
	double *apart = calloc((size_t)n * n, sizeof(*apart)),
	       *scores = calloc(n + 1, sizeof(*scores));

	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		out->energy[c].value = NAN;
	for (unsigned c = 0; c < runs->panel->criteria && apart && scores; c++) {
		fill_apart(runs, c, apart);
		for (unsigned i = 0; i <= n; i++)
			scores[i] += judge_panel_points(runs->panel, c,
							runs_energy(runs, c, apart, i)) /
				     runs->panel->criteria;
		out->energy[c] = runs->from_data[0][c];
		out->energy[c].value = runs_energy(runs, c, apart, n);
	}
	if (apart && scores)
		runs_set_interval(scores, n, level, out);
	free(apart);
	free(scores);
	return apart && scores ? TR_OK : tr_no_memory(err, "the distances of %u runs", n);
}

void judge_runs_close(struct judge_runs *runs)
{
	for (unsigned r = 0; r < runs->count; r++)
		for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
			free(runs->curves[r][c]);
	free(runs->curves);
	free(runs->from_data);
	*runs = (struct judge_runs){.curves = NULL};
}
