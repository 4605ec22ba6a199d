// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/num.h"

#define OCTAVES 50
#define STEPS 64 // of Simpson's rule per piece

static enum tr_status stretch_bins(struct law_plan *plan, const struct law *law, double unit,
				   struct tr_error *err)
{
	double count = 0, sum = 0,
	       *weights = calloc(law->bin_count ? law->bin_count : 1, sizeof(*weights));
	enum tr_status status = TR_ERROR;

	plan->bin_count = law->bin_count;
	plan->bins = calloc(law->bin_count ? law->bin_count : 1, sizeof(*plan->bins));
	if (!weights || !plan->bins) {
		free(weights);
		return tr_no_memory(err, "%zu bins", law->bin_count);
	}
	for (size_t i = 0; i < law->bin_count; i++) {
		count += weights[i] = law->bins[i].count;
		sum += weights[i] * (law->bins[i].low + law->bins[i].high) / 2;
	}
	if (!(sum > 0))
		(void)tr_fail(err,
			      "the bins of the empirical distribution are empty or all at zero");
	else if (alias_make(&plan->choice, weights, law->bin_count, err) == TR_OK) {
		const double stretch = law->mean * unit * count / sum;

		for (size_t i = 0; i < law->bin_count; i++) {
			const struct law_bin *bin = &law->bins[i];

			plan->bins[i] = (struct law_bin){bin->low * stretch, bin->high * stretch,
							 bin->count / count};
			weights[i] *= (bin->low + bin->high) / sum;
		}
		status = alias_make(&plan->met, weights, law->bin_count, err);
	}
	free(weights);
	return status;
}

enum tr_status law_plan_make(struct law_plan *out, const struct law *law, double unit,
			     struct tr_error *err)
{
	*out = (struct law_plan){
		.kind = &law_kinds[law->name],
		.mean = law->mean * unit,
		.shape = law->shape,
	};
	if (law->name == LAW_EMPIRICAL && stretch_bins(out, law, unit, err) != TR_OK) {
		law_plan_clear(out);
		return TR_ERROR;
	}
	if (out->kind->settle)
		out->kind->settle(out);
	return TR_OK;
}

void law_plan_clear(struct law_plan *plan)
{
	free(plan->bins);
	alias_clear(&plan->choice);
	alias_clear(&plan->met);
	*plan = (struct law_plan){.kind = NULL};
}

double law_variation(const struct law_plan *plan)
{
	return plan->kind->variation(plan);
}

double law_tail(const struct law *law)
{
	return law->name == LAW_PARETO || law->name == LAW_LOMAX ? law->shape : INFINITY;
}

// Simpson's rule on pieces that double in width, starting near 0.
static double survived_until(const struct law_plan *plan, double x)
{
	double sum = 0;

	for (int octave = 0; octave <= OCTAVES; octave++) {
		const double to = ldexp(x, octave - OCTAVES), from = octave ? to / 2 : 0,
			     step = (to - from) / STEPS;

		for (int i = 0; i <= STEPS; i++)
			sum += (i == 0 || i == STEPS ? 1
				: i % 2		     ? 4
						     : 2) *
			       plan->kind->survival(plan, from + i * step) * step / 3;
	}
	return sum;
}

double law_excess(const struct law_plan *plan, double x)
{
	return plan->kind->excess ? plan->kind->excess(plan, x)
				  : fmax(0, plan->mean - survived_until(plan, x));
}

enum tr_status law_own(struct law *law, struct tr_error *err)
{
	const struct law_bin *from = law->bins;
	const size_t count = law->bin_count;

	law->bins = NULL;
	law->bin_count = 0;
	if (count == 0)
		return TR_OK;
	law->bins = calloc(count, sizeof(*law->bins));
	if (!law->bins)
		return tr_no_memory(err, "%zu bins", count);
	for (size_t i = 0; i < count; i++)
		law->bins[i] = from[i];
	law->bin_count = count;
	return TR_OK;
}

void law_clear(struct law *law)
{
	free(law->bins);
	*law = (struct law){.bins = NULL};
}

#define BINS_MAX 65536u
#define NUMBER_MAX ((uint64_t)1 << 53)

static enum tr_status find_word(const char *word, enum law_sort sort, struct law *law,
				struct tr_error *err)
{
	char known[200] = "";

	for (unsigned i = 0; i < LAWS; i++) {
		if (i == LAW_GEOMETRIC && sort != LAW_NUMBERS)
			continue;
		if (strcmp(law_kinds[i].word, word) == 0) {
			law->name = i;
			return TR_OK;
		}
		strncat(known, *known ? ", " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, law_kinds[i].word, sizeof(known) - strlen(known) - 1);
	}
	return tr_fail(err, "unknown distribution \"%.40s\"; expected one of %s", word, known);
}

// "lognormal 0.8", "exponential".
static enum tr_status law_get_law(const char *value, enum law_sort sort, struct law *law,
				  struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *shape;
	const struct law_kind *kind;

	(void)snprintf(text, sizeof(text), "%s", value);
	shape = strchr(text, ' ');
	if (shape)
		*shape++ = '\0';
	if (find_word(text, sort, law, err) != TR_OK)
		return TR_ERROR;
	kind = &law_kinds[law->name];
	if (kind->shape_max == 0)
		return shape ? tr_fail(err, "the distribution %s takes no shape", text) : TR_OK;
	if (!shape)
		return tr_fail(err, "the distribution %s needs a shape, as in %s 1.5", text, text);
	if (num_parse_real(shape, &law->shape, err) != TR_OK)
		return TR_ERROR;
	if (!(law->shape >= kind->shape_min && law->shape <= kind->shape_max))
		return tr_fail(err, "the shape %s is outside %g .. %g", shape, kind->shape_min,
			       kind->shape_max);
	return TR_OK;
}

static enum tr_status get_end(const char *text, enum law_sort sort, double *out,
			      struct tr_error *err)
{
	uint64_t number;

	if (sort == LAW_NUMBERS) {
		if (num_parse_count(text, 1, NUMBER_MAX, &number, err) != TR_OK)
			return TR_ERROR;
		*out = (double)number;
		return TR_OK;
	}
	if (model_value(MODEL_TIME, text, out, err) != TR_OK)
		return TR_ERROR;
	return *out >= 0 && *out <= 1e9 ? TR_OK
					: tr_fail(err, "\"%s\" is outside 0 s .. 1e9 s", text);
}

// "12 x 1 ms .. 2 ms", "12 x 1 ms".
static enum tr_status law_get_bin(const char *value, enum law_sort sort, struct law_bin *bin,
				  struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *low, *high;
	uint64_t count;

	(void)snprintf(text, sizeof(text), "%s", value);
	low = strstr(text, " x ");
	if (!low)
		return tr_fail(err, "\"%.60s\" is not like 12 x %s", value,
			       sort == LAW_TIMES ? "3 ms" : "3");
	*low = '\0';
	low += strlen(" x ");
	high = strstr(low, " .. ");
	if (high) {
		*high = '\0';
		high += strlen(" .. ");
	}
	if (num_parse_count(text, 0, UINT64_MAX >> 16, &count, err) != TR_OK ||
	    get_end(low, sort, &bin->low, err) != TR_OK ||
	    get_end(high ? high : low, sort, &bin->high, err) != TR_OK)
		return TR_ERROR;
	bin->count = (double)count;
	return bin->low <= bin->high ? TR_OK
				     : tr_fail(err, "the end of the bin is before its start");
}

static enum tr_status law_add_bin(const char *value, enum law_sort sort, struct law *law,
				  struct tr_error *err)
{
	const size_t n = law->bin_count;

	if (n == BINS_MAX)
		return tr_fail(err, "more than %u bins", BINS_MAX);
	if (!GROW_BY_COUNT(law->bins, n))
		return tr_no_memory(err, "the bins of a law");
	if (law_get_bin(value, sort, &law->bins[n], err) != TR_OK)
		return TR_ERROR;
	law->bin_count++;
	return TR_OK;
}

// Bins and the empirical law require each other, and a mean.
static enum tr_status check_bins(const struct model *model, const struct model_entry *at,
				 const struct law *law, const char *name, struct tr_error *err)
{
	double sum = 0;

	if ((law->name == LAW_EMPIRICAL) != (law->bin_count > 0))
		return model_fail(model, at, err,
				  "\"%s-law empirical\" needs lines of %s-bin, and these need it",
				  name, name);
	for (size_t i = 0; i < law->bin_count; i++)
		sum += law->bins[i].count * (law->bins[i].low + law->bins[i].high);
	return law->bin_count == 0 || sum > 0
		       ? TR_OK
		       : model_fail(model, at, err, "the bins of %s are empty or all at zero",
				    name);
}

enum tr_status law_get(const struct model *model, const char *section, const char *name,
		       enum law_sort sort, struct law *law, struct tr_error *err)
{
	const struct model_entry *last = model_find_section(model, section), *first = NULL,
				 *entry = NULL;
	const size_t bytes = strlen(name);

	while ((entry = model_next(model, section, NULL, entry))) {
		enum tr_status status = TR_OK;
		struct tr_error why = {""};

		if (strncmp(entry->key, name, bytes) != 0)
			continue;
		if (strcmp(entry->key + bytes, "-bin") == 0) {
			status = law_add_bin(entry->value, sort, law, &why);
		} else if (strcmp(entry->key + bytes, "-law") == 0) {
			if (first)
				return model_fail(model, entry, err, "%s is given twice",
						  entry->key);
			first = entry;
			status = law_get_law(entry->value, sort, law, &why);
		} else {
			continue;
		}
		last = entry;
		if (status != TR_OK)
			return model_fail_for(model, entry, err, &why, entry->key);
	}
	return check_bins(model, first ? first : last, law, name, err);
}

static const char *end_text(enum law_sort sort, double value, char out[MODEL_NUMBER_BYTES])
{
	if (sort == LAW_TIMES)
		return model_format(MODEL_TIME, value, out);
	(void)snprintf(out, MODEL_NUMBER_BYTES, "%.0f", value);
	return out;
}

void law_put(struct model *model, const char *name, enum law_sort sort, const struct law *law,
	     enum law_name usual)
{
	char key[32], text[3 * MODEL_NUMBER_BYTES], low[MODEL_NUMBER_BYTES],
		high[MODEL_NUMBER_BYTES];
	const struct law_kind *kind = &law_kinds[law->name];

	if (law->name == usual)
		return;
	(void)snprintf(key, sizeof(key), "%s-law", name);
	if (kind->shape_max > 0)
		(void)snprintf(text, sizeof(text), "%s %s", kind->word,
			       model_format(MODEL_REAL, law->shape, low));
	else
		(void)snprintf(text, sizeof(text), "%s", kind->word);
	model_key(model, key, text, NULL);
	(void)snprintf(key, sizeof(key), "%s-bin", name);
	for (size_t i = 0; i < law->bin_count; i++) {
		const struct law_bin *bin = &law->bins[i];

		if (bin->low == bin->high)
			(void)snprintf(text, sizeof(text), "%.0f x %s", bin->count,
				       end_text(sort, bin->low, low));
		else
			(void)snprintf(text, sizeof(text), "%.0f x %s .. %s", bin->count,
				       end_text(sort, bin->low, low),
				       end_text(sort, bin->high, high));
		model_key(model, key, text, NULL);
	}
}

const char *law_describe(const struct law *law, char out[LAW_DESCRIPTION_BYTES])
{
	const struct law_kind *kind = &law_kinds[law->name];

	if (kind->shape_max > 0)
		(void)snprintf(out, LAW_DESCRIPTION_BYTES, "%s %.6g", kind->what, law->shape);
	else
		(void)snprintf(out, LAW_DESCRIPTION_BYTES, "%s", kind->what);
	return out;
}
