// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/model_field.h"

#include <math.h>
#include <string.h>

#include "value/num.h"

#define DECIMALS_MAX 15 // in the chosen unit

// A unit to write a value in: value * per_base is the number beside the word.
struct model_field_unit {
	double from; // the least value it is used for
	double per_base;
	const char *word;
};

#define INTERVAL_DIGITS 4

static const struct model_field_unit time_units[] = {{1.0, 1.0, " s"},
						     {1e-3, 1e3, " ms"},
						     {1e-6, 1e6, " us"},
						     {0.0, 1e9, " ns"}};
static const struct model_field_unit size_units[] = {{0.0, 1.0, " B"}};
static const struct model_field_unit variance_units[] = {{0.0, 1.0, " B^2"}};
static const struct model_field_unit share_units[] = {{0.0, 100.0, " %"}};
static const struct model_field_unit rate_units[] = {{1e9, 1e-9, " Gb/s"},
						     {1e6, 1e-6, " Mb/s"},
						     {0.0, 1.0, " b/s"}};
static const struct model_field_unit plain_units[] = {{0.0, 1.0, ""}};

static const struct model_field_unit *units_of(enum model_type type)
{
	switch (type) {
	case MODEL_TIME: return time_units;
	case MODEL_SIZE: return size_units;
	case MODEL_VARIANCE: return variance_units;
	case MODEL_SHARE: return share_units;
	case MODEL_RATE: return rate_units;
	default: return plain_units;
	}
}

static const struct model_field_unit *model_field_unit_for(enum model_type type, double value)
{
	const struct model_field_unit *unit = units_of(type);

	while (unit->from > fabs(value) && value != 0)
		unit++;
	return unit;
}

// The text without blanks, so that a number and its unit may stand apart.
static bool model_field_join(const char *text, char *out, size_t out_bytes)
{
	size_t n = 0;

	for (; *text; text++) {
		if (*text == ' ')
			continue;
		if (n + 1 >= out_bytes)
			return false;
		out[n++] = *text;
	}
	out[n] = '\0';
	return true;
}

static enum tr_status variance_value(char *joined, double *out, struct tr_error *err)
{
	size_t bytes = strlen(joined);

	if (bytes < 4 || strcmp(joined + bytes - 3, "B^2") != 0)
		return tr_fail(err, "expected a variance such as 2500 B^2, found \"%s\"", joined);
	joined[bytes - 3] = '\0';
	return num_parse_real(joined, out, err);
}

static bool ends_in_digit(const char *text)
{
	size_t bytes = strlen(text);

	return bytes > 0 && text[bytes - 1] >= '0' && text[bytes - 1] <= '9';
}

enum tr_status model_value(enum model_type type, const char *text, double *out,
			   struct tr_error *err)
{
	static const char *const examples[] = {[MODEL_TIME] = "time such as 70 ms",
					       [MODEL_SIZE] = "size such as 8192 B",
					       [MODEL_SHARE] = "share such as 25 %",
					       [MODEL_RATE] = "rate such as 1.28 Gb/s"};
	static const enum num_dimension dimensions[] = {[MODEL_TIME] = NUM_TIME,
							[MODEL_SIZE] = NUM_SIZE,
							[MODEL_SHARE] = NUM_PLAIN,
							[MODEL_RATE] = NUM_RATE};
	char joined[MODEL_NUMBER_BYTES];
	struct num_ratio ratio;

	if (!model_field_join(text, joined, sizeof(joined)))
		return tr_fail(err, "\"%.20s...\" is too long for a number", text);
	if (type == MODEL_VARIANCE)
		return variance_value(joined, out, err);
	if (type == MODEL_REAL)
		return num_parse_real(joined, out, err);
	if (ends_in_digit(joined))
		return tr_fail(err, "\"%s\" has no unit; expected a %s", joined, examples[type]);
	enum tr_status status = num_parse(joined, dimensions[type], &ratio, err);

	if (status == TR_OK)
		*out = num_value(ratio);
	return status;
}

// Formats the value exactly with the fewest decimals; false if 15 are not enough.
static bool format_exactly(enum model_type type, double value, char out[MODEL_NUMBER_BYTES])
{
	const struct model_field_unit *unit = model_field_unit_for(type, value);

	for (int decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
		double back;

		snprintf(out, MODEL_NUMBER_BYTES, "%.*f%s", decimals, value * unit->per_base,
			 unit->word);
		if (model_value(type, out, &back, NULL) == TR_OK && back == value)
			return true;
	}
	return false;
}

const char *model_format(enum model_type type, double value, char out[MODEL_NUMBER_BYTES])
{
	if (!format_exactly(type, value, out))
		format_exactly(type, model_settle(type, value, 9), out);
	return out;
}

double model_settle(enum model_type type, double value, int digits)
{
	const struct model_field_unit *unit = model_field_unit_for(type, value);
	double number = value * unit->per_base, settled = value;
	char text[MODEL_NUMBER_BYTES];
	int decimals;

	if (!isfinite(value))
		return value;
	decimals = number == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(number)));
	snprintf(text, sizeof(text), "%.*f%s",
		 decimals < 0		   ? 0
		 : decimals > DECIMALS_MAX ? DECIMALS_MAX
					   : decimals,
		 number, unit->word);
	return model_value(type, text, &settled, NULL) == TR_OK ? settled : value;
}

static enum tr_status get_word(const struct model *model, const struct model_entry *entry,
			       const struct model_field *field, int *out, struct tr_error *err)
{
	char list[200] = "";
	size_t n = 0;

	for (const struct opt_choice *word = field->words; word->word; word++) {
		if (strcmp(word->word, entry->value) == 0) {
			*out = word->value;
			return TR_OK;
		}
		n += (size_t)snprintf(list + n, n < sizeof(list) ? sizeof(list) - n : 0, "%s%s",
				      n ? ", " : "", word->word);
		if (n >= sizeof(list))
			n = sizeof(list) - 1;
	}
	return model_fail(model, entry, err, "%s: \"%.40s\" is none of %s", field->key,
			  entry->value, list);
}

static enum tr_status get_count(const struct model *model, const struct model_entry *entry,
				const struct model_field *field, uint64_t *out,
				struct tr_error *err)
{
	struct tr_error why = {""};

	if (num_parse_count(entry->value, (uint64_t)field->min, (uint64_t)field->max, out, &why) ==
	    TR_OK)
		return TR_OK;
	return model_fail(model, entry, err, "%s: %s", field->key, why.text);
}

static enum tr_status model_field_get_number(const struct model *model,
					     const struct model_entry *entry,
					     const struct model_field *field, double *out,
					     struct tr_error *err)
{
	char least[MODEL_NUMBER_BYTES], most[MODEL_NUMBER_BYTES];
	struct tr_error why = {""};
	double value;

	if (model_value(field->type, entry->value, &value, &why) != TR_OK)
		return model_fail(model, entry, err, "%s: %s", field->key, why.text);
	if (!(value >= field->min && value <= field->max))
		return model_fail(model, entry, err, "%s: %.40s is outside %s .. %s", field->key,
				  entry->value, model_format(field->type, field->min, least),
				  model_format(field->type, field->max, most));
	*out = value;
	return TR_OK;
}

static enum tr_status get_entry(const struct model *model, const struct model_entry *entry,
				const struct model_field *field, char *out, struct tr_error *err)
{
	if (field->type == MODEL_REPEATED)
		return TR_OK;
	if (model_find(model, entry->section, entry->key) != entry)
		return model_fail(model, entry, err, "%s is given twice", entry->key);
	if (field->type == MODEL_WORD)
		return get_word(model, entry, field, (int *)(void *)(out + field->offset), err);
	if (field->type == MODEL_COUNT)
		return get_count(model, entry, field, (uint64_t *)(void *)(out + field->offset),
				 err);
	return model_field_get_number(model, entry, field, (double *)(void *)(out + field->offset),
				      err);
}

static enum tr_status check_required(const struct model *model, const char *section,
				     const struct model_field *fields, struct tr_error *err)
{
	for (; fields->type != MODEL_END; fields++)
		if (fields->required && !model_find(model, section, fields->key))
			return model_fail(model, model_find_section(model, section), err,
					  "%s%s%s the key %s is missing", *section ? "in [" : "",
					  section, *section ? "]" : "before the sections",
					  fields->key);
	return TR_OK;
}

enum tr_status model_get(const struct model *model, const char *section,
			 const struct model_field *fields, void *out, struct tr_error *err)
{
	const struct model_entry *entry = NULL;

	if (model->failed)
		return model_fail(model, NULL, err,
				  TR_OUT_OF_MEMORY ", or a line longer than %u bytes",
				  MODEL_LINE_MAX);
	while ((entry = model_next(model, section, NULL, entry))) {
		const struct model_field *field = fields;

		while (field->type != MODEL_END && strcmp(field->key, entry->key) != 0)
			field++;
		if (field->type == MODEL_END)
			return model_fail(model, entry, err, "unknown key \"%.40s\"%s%s%s",
					  entry->key, *section ? " in [" : "", section,
					  *section ? "]" : "");
		enum tr_status status = get_entry(model, entry, field, out, err);

		if (status != TR_OK)
			return status;
	}
	return check_required(model, section, fields, err);
}

const char *model_word_of(const struct opt_choice *words, int value)
{
	while (words->word && words->value != value)
		words++;
	return words->word ? words->word : "?";
}

void model_put(struct model *model, const struct model_field *fields, const void *in,
	       const char *const *comments)
{
	for (size_t i = 0; fields[i].type != MODEL_END; i++) {
		const char *at = (const char *)in + fields[i].offset;
		const char *comment = comments ? comments[i] : NULL;
		char text[MODEL_NUMBER_BYTES];

		if (fields[i].type == MODEL_REPEATED)
			continue;
		if (fields[i].type == MODEL_WORD) {
			int value = *(const int *)(const void *)at;

			model_key(model, fields[i].key, model_word_of(fields[i].words, value),
				  comment);
			continue;
		}
		if (fields[i].type == MODEL_COUNT)
			snprintf(text, sizeof(text), "%llu",
				 (unsigned long long)*(const uint64_t *)(const void *)at);
		else
			model_format(fields[i].type, *(const double *)(const void *)at, text);
		model_key(model, fields[i].key, text, comment);
	}
}

const char *model_range(enum model_type type, double low, double high,
			char out[MODEL_INTERVAL_BYTES])
{
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	*out = '\0';
	if (isfinite(low) && isfinite(high))
		(void)snprintf(out, MODEL_INTERVAL_BYTES, "%s .. %s",
			       model_format(type, model_settle(type, low, INTERVAL_DIGITS), a),
			       model_format(type, model_settle(type, high, INTERVAL_DIGITS), b));
	return out;
}

const char *model_interval(enum model_type type, double low, double high, double level,
			   char out[MODEL_INTERVAL_BYTES])
{
	const size_t bytes = strlen(model_range(type, low, high, out));

	if (bytes > 0)
		(void)snprintf(out + bytes, MODEL_INTERVAL_BYTES - bytes, " at %g %%", 100 * level);
	return out;
}
