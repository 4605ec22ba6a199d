// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_distances.h"

#include <math.h>

#include "stat/distance_test.h"
#include "stat/holm.h"

#define DIGITS 6
#define WIDE 2 // times as wide an interval as independent blocks would give gets a note

// The distances of one pair in one class.
struct pair {
	const struct compare_trace *a, *b;
	unsigned class;
	struct distance_test tests[COMPARE_QUANTITIES];
	bool both[COMPARE_QUANTITIES]; // sides have the quantity
	double joint[COMPARE_QUANTITIES];
};

static const struct block_sample *sample_of(const struct compare_trace *trace, unsigned class, unsigned quantity)
{
	const struct compare_values *values = trace->values[class][quantity];

	return values && values->sample.all.n > 0 ? &values->sample : NULL;
}

// TR_ERROR without memory; *any: they have a quantity in common.
static enum tr_status test_pair(struct pair *pair, double level, bool *any, struct tr_error *err)
{
	double p[COMPARE_QUANTITIES];

	*any = false;
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++) {
		const struct block_sample *a = sample_of(pair->a, pair->class, i), *b = sample_of(pair->b, pair->class, i);

		p[i] = NAN;
		pair->both[i] = a && b;
		if (!a || !b)
			continue;
		*any = true;
		if (distance_test_make(a, b, level, &pair->tests[i], err) != TR_OK)
			return TR_ERROR;
		p[i] = pair->tests[i].ad_p;
	}
	holm_adjust(p, COMPARE_QUANTITIES, pair->joint);
	return TR_OK;
}

static void put_row(struct table *table, const struct compare_report *report, const struct pair *pair, unsigned quantity)
{
	const struct distance_test *test = &pair->tests[quantity];
	const double per = compare_quantity_per(quantity), wide = fmax(test->widened_a, test->widened_b);
	const char *const *names = (const char *const *)report->cells->alternatives.names;
	const bool classes = !report->settings->by_default && report->settings->by.count > 0;

	if (classes)
		table_text(table, compare_class_name(pair->class));
	table_text(table, names[pair->a->alternative]);
	table_text(table, names[pair->b->alternative]);
	table_text(table, compare_quantity_column(quantity));
	table_count(table, sample_of(pair->a, pair->class, quantity)->all.n);
	table_count(table, sample_of(pair->b, pair->class, quantity)->all.n);
	table_real(table, test->apart.ks, DIGITS);
	table_real(table, test->ks.lo, DIGITS);
	table_real(table, test->ks.hi, DIGITS);
	table_real(table, test->ks_p, 3);
	table_real(table, test->apart.ad, DIGITS);
	table_real(table, test->ad_p, 3);
	table_real(table, test->apart.emd / per, DIGITS);
	table_real(table, test->emd.lo / per, DIGITS);
	table_real(table, test->emd.hi / per, DIGITS);
	if (isnan(test->ad_p))
		table_none(table);
	else
		table_text(table, pair->joint[quantity] <= 1 - report->level_percent / 100.0 ? "differ" : "same");
	if (wide > WIDE)
		table_note(table, "%s of %s and %s varies slowly: the intervals are up to %.2g times as wide for it",
			   compare_quantity_column(quantity), names[pair->a->alternative], names[pair->b->alternative], wide);
}

static enum tr_status add_pair(struct table *table, struct compare_report *report, struct pair *pair, struct tr_error *err)
{
	const double alpha = 1 - report->level_percent / 100.0;
	bool any, tested = false;

	if (test_pair(pair, report->level_percent / 100.0, &any, err) != TR_OK)
		return TR_ERROR;
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++) {
		if (!pair->both[i])
			continue;
		put_row(table, report, pair, i);
		tested = tested || !isnan(pair->joint[i]);
		report->differ = report->differ || pair->joint[i] <= alpha;
	}
	report->pairs += tested;
	return TR_OK;
}

static struct table *open_table(const struct compare_report *report)
{
	static const char *const keys[] = {"of",   "from", "values", "n_of", "n_from", "ks",	 "ks_lo", "ks_hi",
					   "ks_p", "ad",   "ad_p",   "emd",  "emd_lo", "emd_hi", "are"};
	struct table *table = table_new("distances", "Distances of distributions");

	if (!report->settings->by_default && report->settings->by.count > 0)
		table_column(table, "class");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		table_column(table, keys[i]);
	table_note(
		table,
		"ks: Kolmogorov-Smirnov, ad: Anderson-Darling, emd: earth mover's, in the values' unit; intervals and p at "
		"%d %% by bootstrap of 16 to 63 blocks of consecutive values; they are: by ad_p, jointly in all rows of a pair (Holm)",
		report->level_percent);
	return table;
}

struct table *compare_distances(struct compare_report *report, struct tr_error *err)
{
	const struct compare_traces *traces = report->traces;
	struct table *table = open_table(report);
	enum tr_status status = TR_OK;

	for (unsigned class = 0; class < COMPARE_CLASSES; class ++)
		for (size_t i = 0; i < traces->count; i++)
			for (size_t k = i + 1; k < traces->count && status == TR_OK; k++) {
				struct pair pair = {.a = &traces->list[i], .b = &traces->list[k], .class = class};

				status = add_pair(table, report, &pair, err);
			}
	if (status == TR_OK)
		return table;
	table_free(table);
	return NULL;
}
