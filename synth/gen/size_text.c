// SPDX-License-Identifier: GPL-3.0-or-later
// A size, a range of sizes or a law of sizes as words.
#include <math.h>
#include <string.h>

#include "gen/model_field.h"
#include "gen/size_bins.h"

#define MEAN_MAX 4294967295.0 // B

// The words at hand; what is taken is gone.
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

// A number and its unit, which may be a word of its own ("1448 B", "1448B").
static enum tr_status take_size(struct words *words, double *out, struct tr_error *err)
{
	char text[MODEL_NUMBER_BYTES];
	const char *number = take_word(words), *unit = begins_unit(words->next) ? take_word(words) : "";
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

static enum tr_status take_bytes(struct words *words, uint32_t *out, struct tr_error *err)
{
	double value;

	if (take_size(words, &value, err) != TR_OK)
		return TR_ERROR;
	if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
		return tr_fail(err, "\"%.9g B\" is no whole size below 4 GiB", value);
	*out = (uint32_t)value;
	return TR_OK;
}

// "1448 B", "1 B .. 5 B".
static enum tr_status get_range(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const char *dots;

	bin->law = SIZE_ALIKE;
	if (take_bytes(words, &bin->low_B, err) != TR_OK)
		return TR_ERROR;
	bin->high_B = bin->low_B;
	dots = take_word(words);
	if (!dots)
		return TR_OK;
	if (strcmp(dots, "..") != 0)
		return tr_fail(err, "\"%.20s\" stands where \"..\" may", dots);
	return take_bytes(words, &bin->high_B, err);
}

static enum tr_status take_shape(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const struct law_kind *kind = &law_kinds[size_laws[bin->law].name];
	const char *word;

	bin->shape = 0;
	if (bin->law == SIZE_NORMAL) {
		if (take_size(words, &bin->shape, err) != TR_OK)
			return TR_ERROR;
		return bin->shape >= 0 && bin->shape <= MEAN_MAX ? TR_OK : tr_fail(err, "no such deviation");
	}
	if (kind->shape_max == 0)
		return TR_OK;
	word = take_word(words);
	if (!word)
		return tr_fail(err, "the law %s needs a shape", kind->word);
	if (model_value(MODEL_REAL, word, &bin->shape, err) != TR_OK)
		return TR_ERROR;
	return bin->shape >= kind->shape_min && bin->shape <= kind->shape_max
		       ? TR_OK
		       : tr_fail(err, "the shape %s is outside %g .. %g", word, kind->shape_min, kind->shape_max);
}

static enum tr_status take_limits(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const char *word = take_word(words);

	bin->low_B = 0;
	bin->high_B = UINT32_MAX;
	if (word && strcmp(word, "from") == 0) {
		if (take_bytes(words, &bin->low_B, err) != TR_OK)
			return TR_ERROR;
		word = take_word(words);
	}
	if (word && strcmp(word, "cut") == 0) {
		if (take_bytes(words, &bin->high_B, err) != TR_OK)
			return TR_ERROR;
		word = take_word(words);
	}
	return word ? tr_fail(err, "\"%.20s\" stands where \"from\" or \"cut\" may", word) : TR_OK;
}

// "pareto 500 B 1.5 from 40 B cut 8192 B".
static enum tr_status get_law(struct words *words, struct size_bin *bin, struct tr_error *err)
{
	const char *word = take_word(words);
	double least = 0;

	bin->law = SIZE_NORMAL;
	while (bin->law < SIZE_LAWS && strcmp(size_laws[bin->law].word, word) != 0)
		bin->law++;
	if (bin->law == SIZE_LAWS)
		return tr_fail(err, "\"%.20s\" is none of normal, exponential, pareto, lognormal, weibull, gamma", word);
	if (take_size(words, &bin->mean_B, err) != TR_OK || take_shape(words, bin, err) != TR_OK ||
	    take_limits(words, bin, err) != TR_OK)
		return TR_ERROR;
	if (bin->law == SIZE_NORMAL)
		least = -MEAN_MAX;
	else if (!(bin->mean_B > 0))
		return tr_fail(err, "the mean must be above 0 B");
	return bin->mean_B >= least && bin->mean_B <= MEAN_MAX ? TR_OK : tr_fail(err, "no such mean");
}

enum tr_status size_bin_range(const char *text, struct size_bin *bin, struct tr_error *err)
{
	struct law_plan plan;
	struct words words;
	enum tr_status status;

	(void)snprintf(words.text, sizeof(words.text), "%s", text);
	words.next = words.text;
	bin->mean_B = bin->shape = 0;
	status = *text >= 'a' && *text <= 'z' ? get_law(&words, bin, err) : get_range(&words, bin, err);
	if (status == TR_OK && words.next)
		status = tr_fail(err, "\"%.20s\" stands after the size", words.next);
	if (status == TR_OK && bin->low_B > bin->high_B)
		status = tr_fail(err, "the bin ends before it begins");
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
			(void)snprintf(out, SIZE_TEXT_BYTES, "%u B .. %u B", bin->low_B, bin->high_B);
		return out;
	}
	if (bin->law == SIZE_NORMAL || law_kinds[kind->name].shape_max > 0)
		model_format(bin->law == SIZE_NORMAL ? MODEL_SIZE : MODEL_REAL, bin->shape, shape);
	if (bin->low_B > 0)
		(void)snprintf(from, sizeof(from), " from %u B", bin->low_B);
	if (bin->high_B < UINT32_MAX)
		(void)snprintf(cut, sizeof(cut), " cut %u B", bin->high_B);
	(void)snprintf(out, SIZE_TEXT_BYTES, "%s %.50s%s%.50s%s%s", kind->word, model_format(MODEL_SIZE, bin->mean_B, mean),
		       *shape ? " " : "", shape, from, cut);
	return out;
}
