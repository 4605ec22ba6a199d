// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "gen/model_field.h"
#include "gen/size_bins.h"
#include "gen/size_draw.h"

#define RARE 1e-4 // too few values reach the least size
#define FIRST 256 // the first piece of an integral is this fraction of the mean
#define STEPS 32  // of Simpson's rule on a piece

const struct size_law_kind size_laws[SIZE_LAWS] = {
	[SIZE_ALIKE] = {NULL, LAW_UNIFORM},
	[SIZE_NORMAL] = {"normal", LAW_UNIFORM},
	[SIZE_EXPONENTIAL] = {"exponential", LAW_EXPONENTIAL},
	[SIZE_PARETO] = {"pareto", LAW_PARETO},
	[SIZE_LOGNORMAL] = {"lognormal", LAW_LOGNORMAL},
	[SIZE_WEIBULL] = {"weibull", LAW_WEIBULL},
	[SIZE_GAMMA] = {"gamma", LAW_GAMMA},
};

// P(size > x), >= x for a single size, before redrawing and clipping.
static double survival(const struct size_bin *bin, const struct law_plan *plan, double x)
{
	if (bin->law != SIZE_NORMAL)
		return plan->kind->survival(plan, x);
	if (bin->shape == 0)
		return x <= bin->mean_B;
	return 0.5 * erfc((x - bin->mean_B) / (bin->shape * M_SQRT2));
}

enum tr_status size_law_plan(const struct size_bin *bin, struct law_plan *out, struct tr_error *err)
{
	const struct law law = {
		.name = size_laws[bin->law].name, .mean = bin->mean_B, .shape = bin->shape};

	*out = (struct law_plan){.kind = NULL};
	if (bin->low_B > bin->high_B)
		return tr_fail(err, "sizes begin at %u B and end at %u B", bin->low_B, bin->high_B);
	if (bin->law == SIZE_ALIKE)
		return TR_OK;
	if (bin->law != SIZE_NORMAL && law_plan_make(out, &law, 1, err) != TR_OK)
		return TR_ERROR;
	if (survival(bin, out, bin->low_B) >= RARE)
		return TR_OK;
	law_plan_clear(out);
	return tr_fail(err,
		       "sizes with mean %.9g B are almost all below %u B and would be drawn again",
		       bin->mean_B, bin->low_B);
}

uint32_t size_law_draw(const struct size_bin *bin, const struct law_plan *plan,
		       const struct draw_tables *tables, struct tr_random *random)
{
	double size;

	if (bin->low_B == bin->high_B)
		return bin->low_B;
	if (bin->law == SIZE_ALIKE)
		return (uint32_t)(bin->low_B +
				  tr_random_below(random, (uint64_t)bin->high_B - bin->low_B + 1));
	do
		size = bin->law == SIZE_NORMAL
			       ? bin->mean_B + bin->shape * draw_normal(tables, random)
			       : law_draw(plan, tables, random);
	while (size < bin->low_B);
	return (uint32_t)(fmin(size, bin->high_B) + 0.5);
}

// Integrals of P(size > x) and of 2 (x - low) P(size > x) from low to high, on growing pieces:
// E(size - low) and E(size - low)^2 of sizes clipped at high, if none is below low.
static void integrate(const struct size_bin *bin, const struct law_plan *plan, double *first,
		      double *second)
{
	const double low = bin->low_B, high = bin->high_B;
	double width = fmax(fabs(bin->mean_B), 1) / FIRST;

	*first = *second = 0;
	for (double from = low; from < high; from += width, width = fmax(width, (from - low) / 8)) {
		const double step = fmin(width, high - from) / STEPS;

		for (int i = 0; i <= STEPS; i++) {
			const double x = from + i * step, weight = i == 0 || i == STEPS ? 1
								   : i % 2		? 4
											: 2;
			const double above = survival(bin, plan, x) * weight * step / 3;

			*first += above;
			*second += 2 * (x - low) * above;
		}
	}
}

static void size_law_moments(const struct size_bin *bin, double *mean, double *variance)
{
	const double width = (double)bin->high_B - (double)bin->low_B + 1;
	double reach, first, second;
	struct law_plan plan;

	*mean = ((double)bin->low_B + (double)bin->high_B) / 2;
	*variance = (width * width - 1) / 12;
	if (bin->law == SIZE_ALIKE || size_law_plan(bin, &plan, NULL) != TR_OK)
		return;
	if (bin->law == SIZE_NORMAL && bin->shape == 0) {
		*mean = fmin(bin->mean_B, bin->high_B);
		*variance = 0;
		return;
	}
	integrate(bin, &plan, &first, &second);
	reach = survival(bin, &plan, bin->low_B);
	*mean = bin->low_B + (reach > 0 ? first / reach : 0);
	*variance = reach > 0 ? second / reach - first / reach * (first / reach) : 0;
	law_plan_clear(&plan);
}

double size_bins_mean_B(const struct size_bin *bins, size_t count)
{
	double packets = 0, bytes = 0, mean, variance;

	for (size_t i = 0; i < count; i++) {
		size_law_moments(&bins[i], &mean, &variance);
		packets += (double)bins[i].count;
		bytes += (double)bins[i].count * mean;
	}
	return packets > 0 ? bytes / packets : 0;
}

double size_bins_variance_B2(const struct size_bin *bins, size_t count)
{
	const double all = size_bins_mean_B(bins, count);
	double packets = 0, sum = 0, mean, variance;

	for (size_t i = 0; i < count; i++) {
		size_law_moments(&bins[i], &mean, &variance);
		packets += (double)bins[i].count;
		sum += (double)bins[i].count * ((mean - all) * (mean - all) + variance);
	}
	return packets > 0 ? sum / packets : 0;
}

// ---- A size, a range of sizes or a law of sizes as words.

#define MEAN_MAX 4294967295.0 // B

// The remaining words; taken ones are removed.
struct words {
	char text[MODEL_LINE_MAX + 1];
	char *next;
};

// The next word; NULL after the last one.
static char *take_word(struct words *words)
{
	char *word = words->next, *blank = word ? strchr(word, ' ') : NULL;

	if (blank)
		*blank = '\0';
	words->next = blank ? blank + 1 : NULL;
	return word && *word ? word : NULL;
}

// Whether a unit is next: B, kB, KiB.
static bool begins_unit(const char *word)
{
	const size_t bytes = word ? strcspn(word, " ") : 0;

	return bytes > 0 && (*word < '0' || *word > '9') && word[bytes - 1] == 'B';
}

// A number and its unit, which may be a separate word ("1448 B", "1448B").
static enum tr_status take_size(struct words *words, double *out, struct tr_error *err)
{
	char text[MODEL_NUMBER_BYTES];
	const char *number = take_word(words),
		   *unit = begins_unit(words->next) ? take_word(words) : "";
	int bytes;

	if (!number || !*number)
		return tr_fail(err, "a size is missing");
	bytes = snprintf(text, sizeof(text), "%s %s", number, unit);

	if (bytes < 0 || (size_t)bytes >= sizeof(text))
		return tr_fail(err, "\"%.20s...\" is too long for a number", number);
	if (text[strlen(text) - 1] == ' ')
		text[strlen(text) - 1] = '\0';
	return model_value(MODEL_SIZE, text, out, err);
}

static enum tr_status size_law_take_bytes(struct words *words, uint32_t *out, struct tr_error *err)
{
	double value;

	if (take_size(words, &value, err) != TR_OK)
		return TR_ERROR;
	if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
		return tr_fail(err,
			       "expected a whole number of bytes below 4 GiB, found \"%.9g B\"",
			       value);
	*out = (uint32_t)value;
	return TR_OK;
}

// "1448 B", "1 B .. 5 B".
static enum tr_status get_range(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const char *dots;

	bin->law = SIZE_ALIKE;
	if (size_law_take_bytes(words, &bin->low_B, err) != TR_OK)
		return TR_ERROR;
	bin->high_B = bin->low_B;
	dots = take_word(words);
	if (!dots)
		return TR_OK;
	if (strcmp(dots, "..") != 0)
		return tr_fail(err, "expected \"..\", found \"%.20s\"", dots);
	return size_law_take_bytes(words, &bin->high_B, err);
}

static enum tr_status take_shape(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const struct law_kind *kind = &law_kinds[size_laws[bin->law].name];
	const char *word;

	bin->shape = 0;
	if (bin->law == SIZE_NORMAL) {
		if (take_size(words, &bin->shape, err) != TR_OK)
			return TR_ERROR;
		return bin->shape >= 0 && bin->shape <= MEAN_MAX
			       ? TR_OK
			       : tr_fail(err, "the deviation is out of range");
	}
	if (kind->shape_max == 0)
		return TR_OK;
	word = take_word(words);
	if (!word)
		return tr_fail(err, "the distribution %s needs a shape", kind->word);
	if (model_value(MODEL_REAL, word, &bin->shape, err) != TR_OK)
		return TR_ERROR;
	return bin->shape >= kind->shape_min && bin->shape <= kind->shape_max
		       ? TR_OK
		       : tr_fail(err, "the shape %s is outside %g .. %g", word, kind->shape_min,
				 kind->shape_max);
}

static enum tr_status size_law_take_limits(struct words *words, struct size_bin *bin,
					   struct tr_error *err)
{
	const char *word = take_word(words);

	bin->low_B = 0;
	bin->high_B = UINT32_MAX;
	if (word && strcmp(word, "from") == 0) {
		if (size_law_take_bytes(words, &bin->low_B, err) != TR_OK)
			return TR_ERROR;
		word = take_word(words);
	}
	if (word && strcmp(word, "cut") == 0) {
		if (size_law_take_bytes(words, &bin->high_B, err) != TR_OK)
			return TR_ERROR;
		word = take_word(words);
	}
	return word ? tr_fail(err, "expected \"from\" or \"cut\", found \"%.20s\"", word) : TR_OK;
}

// "pareto 500 B 1.5 from 40 B cut 8192 B".
static enum tr_status size_law_get_law(struct words *words, struct size_bin *bin,
				       struct tr_error *err)
{
	const char *word = take_word(words);
	double least = 0;

	bin->law = SIZE_NORMAL;
	while (bin->law < SIZE_LAWS && strcmp(size_laws[bin->law].word, word) != 0)
		bin->law++;
	if (bin->law == SIZE_LAWS)
		return tr_fail(err,
			       "expected normal, exponential, pareto, lognormal, weibull or gamma, "
			       "found \"%.20s\"",
			       word);
	if (take_size(words, &bin->mean_B, err) != TR_OK || take_shape(words, bin, err) != TR_OK ||
	    size_law_take_limits(words, bin, err) != TR_OK)
		return TR_ERROR;
	if (bin->law == SIZE_NORMAL)
		least = -MEAN_MAX;
	else if (!(bin->mean_B > 0))
		return tr_fail(err, "the mean must be above 0 B");
	return bin->mean_B >= least && bin->mean_B <= MEAN_MAX
		       ? TR_OK
		       : tr_fail(err, "the mean is out of range");
}

enum tr_status size_bin_range(const char *text, struct size_bin *bin, struct tr_error *err)
{
	struct law_plan plan;
	struct words words;
	enum tr_status status;

	(void)snprintf(words.text, sizeof(words.text), "%s", text);
	words.next = words.text;
	bin->mean_B = bin->shape = 0;
	status = *text >= 'a' && *text <= 'z' ? size_law_get_law(&words, bin, err)
					      : get_range(&words, bin, err);
	if (status == TR_OK && words.next)
		status = tr_fail(err, "expected nothing after the size, found \"%.20s\"",
				 words.next);
	if (status == TR_OK && bin->low_B > bin->high_B)
		status = tr_fail(err, "the end of the bin is before its start");
	if (status == TR_OK)
		status = size_law_plan(bin, &plan, err);
	if (status == TR_OK)
		law_plan_clear(&plan);
	return status;
}

const char *size_bin_format(const struct size_bin *bin, char out[SIZE_TEXT_BYTES])
{
	char mean[MODEL_NUMBER_BYTES], shape[MODEL_NUMBER_BYTES] = "", from[20] = "", cut[20] = "";
	const struct size_law_kind *kind = &size_laws[bin->law];

	if (bin->law == SIZE_ALIKE) {
		if (bin->low_B == bin->high_B)
			(void)snprintf(out, SIZE_TEXT_BYTES, "%u B", bin->low_B);
		else
			(void)snprintf(out, SIZE_TEXT_BYTES, "%u B .. %u B", bin->low_B,
				       bin->high_B);
		return out;
	}
	if (bin->law == SIZE_NORMAL || law_kinds[kind->name].shape_max > 0)
		model_format(bin->law == SIZE_NORMAL ? MODEL_SIZE : MODEL_REAL, bin->shape, shape);
	if (bin->low_B > 0)
		(void)snprintf(from, sizeof(from), " from %u B", bin->low_B);
	if (bin->high_B < UINT32_MAX)
		(void)snprintf(cut, sizeof(cut), " cut %u B", bin->high_B);
	(void)snprintf(out, SIZE_TEXT_BYTES, "%s %.50s%s%.50s%s%s", kind->word,
		       model_format(MODEL_SIZE, bin->mean_B, mean), *shape ? " " : "", shape, from,
		       cut);
	return out;
}
