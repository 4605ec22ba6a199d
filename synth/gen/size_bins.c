// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/size_bins.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "value/grow.h"
#include "value/num.h"

#define BINS_MAX 65536u

static enum tr_status size_bins_get_bin(const char *value, struct size_bin *bin,
					struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1];

	snprintf(text, sizeof(text), "%s", value);
	char *sizes = strstr(text, " x ");

	if (!sizes)
		return tr_fail(err, "expected a bin such as 3520 x 1448 B, found \"%.60s\"", value);
	*sizes = '\0';
	if (num_parse_count(text, 0, UINT64_MAX >> 16, &bin->count, err) != TR_OK)
		return TR_ERROR;
	return size_bin_range(sizes + strlen(" x "), bin, err);
}

static enum tr_status size_bins_add_bin(const struct model *model, const struct model_entry *entry,
					struct size_bin **bins, size_t *count, struct tr_error *err)
{
	struct tr_error why = {""};
	size_t n = *count;

	if (n == BINS_MAX)
		return model_fail(model, entry, err, "more than %u bins", BINS_MAX);
	if (!GROW_BY_COUNT(*bins, n))
		return model_no_memory(model, err);
	if (size_bins_get_bin(entry->value, &(*bins)[n], &why) != TR_OK)
		return model_fail_for(model, entry, err, &why, "bin");
	++*count;
	return TR_OK;
}

enum tr_status size_bins_get(const struct model *model, const char *section, struct size_bin **bins,
			     size_t *count, struct tr_error *err)
{
	const struct model_entry *entry = NULL;
	enum tr_status status = TR_OK;

	*bins = NULL;
	*count = 0;
	while (status == TR_OK && (entry = model_next(model, section, "bin", entry)))
		status = size_bins_add_bin(model, entry, bins, count, err);
	if (status != TR_OK) {
		free(*bins);
		*bins = NULL;
		*count = 0;
	}
	return status;
}

enum tr_status size_bins_or_size(const struct model *model, const char *section,
				 struct size_bin **bins, size_t *count, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, section, "size");
	struct tr_error why = {""};
	enum tr_status status;

	if (size_bins_get(model, section, bins, count, err) != TR_OK)
		return TR_ERROR;
	if (!entry && *count == 0)
		return model_fail(model, model_find_section(model, section), err,
				  "expected a size, or bins of sizes");
	if (!entry)
		return TR_OK;
	if (*count > 0) {
		status = model_fail(model, entry, err, "size and bin cannot be combined");
	} else {
		*bins = calloc(1, sizeof(**bins));
		*count = 1;
		status = *bins ? size_bin_range(entry->value, *bins, &why)
			       : tr_no_memory(&why, "a size");
		if (status != TR_OK)
			status = model_fail_for(model, entry, err, &why, "size");
		else
			(*bins)->count = 1;
	}
	if (status != TR_OK) {
		free(*bins);
		*bins = NULL;
		*count = 0;
	}
	return status;
}

void size_bins_put(struct model *model, const struct size_bin *bins, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char size[SIZE_TEXT_BYTES], text[SIZE_TEXT_BYTES + MODEL_NUMBER_BYTES];

		(void)snprintf(text, sizeof(text), "%llu x %s", (unsigned long long)bins[i].count,
			       size_bin_format(&bins[i], size));
		model_key(model, "bin", text, NULL);
	}
}

void size_bins_or_size_put(struct model *model, const struct size_bin *bins, size_t count)
{
	char size[SIZE_TEXT_BYTES];

	if (count == 1)
		model_key(model, "size", size_bin_format(bins, size), NULL);
	else
		size_bins_put(model, bins, count);
}

#define ATOMS 64 // a size with 1/64 of the packets or more has a bin of its own

enum tr_status size_gather(const struct tally_value *sizes, size_t count, uint64_t packets,
			   struct size_bin **bins, size_t *bin_count, struct tr_error *err)
{
	uint64_t enough = packets / ATOMS + 1;
	size_t n = 0;

	*bin_count = 0;
	*bins = calloc(count ? count : 1, sizeof(**bins));
	if (!*bins)
		return tr_no_memory(err, "the sizes");
	for (size_t i = 0; i < count; i++) {
		uint64_t of_size = (uint64_t)sizes[i].count;
		struct size_bin *last = n ? &(*bins)[n - 1] : NULL;
		bool joins = last && count > ATOMS && of_size < enough && last->count < enough;

		if (!joins)
			last = &(*bins)[n++];
		*last = (struct size_bin){.low_B = joins ? last->low_B : (uint32_t)sizes[i].low,
					  .high_B = (uint32_t)sizes[i].high,
					  .count = (joins ? last->count : 0) + of_size};
	}
	*bin_count = n;
	return TR_OK;
}

#define SIZE_TALLY_BITS 15

enum tr_status packet_sizes(const struct packet_sample *sample, const uint32_t *which, size_t count,
			    struct size_bin **bins, size_t *bin_count, double *header_B,
			    struct tr_error *err)
{
	struct tally sizes = {.bits = SIZE_TALLY_BITS};
	struct tally_value *values;
	enum tr_status status;
	double header = 0;
	size_t different;

	for (size_t i = 0; i < count; i++) {
		const size_t at = which ? which[i] : i;

		tally_add(&sizes, sample->payload_B[at], 1);
		header += (double)sample->wire_B[at] - (double)sample->payload_B[at];
	}
	*header_B = count ? fmin(fmax(round(header / (double)count), 0), 65535) : 0;
	status = tally_values(&sizes, &values, &different, err);
	tally_clear(&sizes);
	if (status != TR_OK)
		return status;
	status = size_gather(values, different, count, bins, bin_count, err);
	free(values);
	return status;
}
