// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/periodicity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/period_power.h"
#include "trace/escape.h"

// Means and peaks of groups that are evenly wide in the logarithm of the frequency.
static void fill_points(struct periodicity *out, const struct spectrum *spectrum)
{
	size_t edges[PERIODICITY_POINTS];
	const size_t count = estimate_scales(1, (double)spectrum->count, PERIODICITY_POINTS, edges);
	double all = 0;

	for (size_t j = 1; j <= spectrum->count; j++)
		all += spectrum->power[j] / (double)spectrum->count;
	for (size_t i = 0; i < count; i++) {
		const size_t end = i + 1 < count ? edges[i + 1] : spectrum->count + 1;
		struct periodicity_point *point = &out->points[out->count++];

		*point = (struct periodicity_point){.period_s = (double)spectrum->n * out->width_s /
								sqrt((double)edges[i] * (double)(end - 1))};
		for (size_t j = edges[i]; j < end; j++) {
			point->mean += spectrum->power[j] / all / (double)(end - edges[i]);
			point->peak = fmax(point->peak, spectrum->power[j] / all);
		}
	}
}

enum tr_status periodicity_make(struct periodicity *out, const struct counts *counts, double level, struct tr_error *err)
{
	const double *series = counts_series(counts, &out->n, &out->width_s);
	struct spectrum spectrum;
	enum tr_status status = TR_OK;
	struct tr_error constant;
	double *work;

	out->count = 0;
	memset(&out->judged, 0, sizeof(out->judged));
	out->judged.answer = VERDICT_UNKNOWN;
	out->judged.h = out->judged.lo = out->judged.hi = NAN;
	if (!series || out->n < SELF_SIMILARITY_POINTS_MIN) {
		out->n = 0;
		return TR_OK;
	}
	work = malloc(spectrum_workspace(out->n) * sizeof(*work));
	if (!work)
		return tr_no_memory(err, "the spectrum of %zu bins", out->n);
	if (spectrum_make(series, out->n, work, &spectrum, &constant) == TR_OK) {
		fill_points(out, &spectrum);
		status = self_similarity_judge(series, &spectrum, NULL, level, &out->judged, err);
	} else {
		out->n = 0;
	}
	free(work);
	return status;
}

void periodicity_say_none(const struct periodicity *own, char *text, size_t bytes)
{
	char words[PERIOD_NONE_BYTES] = "no period is looked for in so few frequencies";

	if (own->judged.periods.ordinates > 0)
		period_say_none(words, sizeof(words), &own->judged.periods);
	words[0] = (char)toupper((unsigned char)words[0]);
	text_append(text, bytes, "%s.", words);
}
