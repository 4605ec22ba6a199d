// SPDX-License-Identifier: GPL-3.0-or-later
// The model reader on any text: what it accepts must be written as a text that reads the same, and
// a generator made from it must give packets in time order.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/pulse_train/pulse_train.h"
#include "gen/streams_model.h"
#include "stat/intervals/numeric_errors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status read_bytes(struct model *model, const void *data, size_t size_bytes,
				 struct tr_error *err)
{
	struct tr_source *source;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	enum tr_status status = model_read(model, source, err);

	tr_source_close(source);
	return status;
}

static char *write_bytes(const struct model *model, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);

	promise(out && model_write(model, out, NULL) == TR_OK);
	promise(fclose(out) == 0);
	return text;
}

// The text is written as it will be written again.
static void come_back(const struct model *model)
{
	size_t size_bytes, again_bytes;
	char *text = write_bytes(model, &size_bytes);
	struct model again;
	struct tr_error err;

	promise(read_bytes(&again, text, size_bytes, &err) == TR_OK);
	char *text_again = write_bytes(&again, &again_bytes);

	promise(size_bytes == again_bytes && memcmp(text, text_again, size_bytes) == 0);
	free(text);
	free(text_again);
	model_clear(&again);
}

static void generate(const struct model *model)
{
	struct generator_settings settings = {.seed = 1, .ticks_per_s = 1000000000, .nodes = 3};
	struct tr_packet packets[64];
	struct generator generator;
	struct tr_error err = {""};
	const struct model_entry *entry = model_find(model, "", "sender");
	const bool sender = entry &&
			    strcmp(entry->value, "included") == 0; // may be its own destination
	int64_t before = 0;
	size_t count;

	// A series is made whole: a million counts at most.
	if (model_find(model, "", "hurst"))
		settings.end_ticks = 1000000;
	if (generator_open(&generator, model, &settings, &err) != TR_OK) {
		promise(*err.text);
		return;
	}
	for (int i = 0; i < 8 && generator_next(&generator, packets, 64, &count, &err) == TR_OK;
	     i++)
		for (size_t k = 0; k < count; k++) {
			promise(packets[k].time_ticks >= before);
			promise(packets[k].src < 3 && packets[k].dst < 3);
			promise(sender || packets[k].src != packets[k].dst);
			before = packets[k].time_ticks;
		}
	generator_close(&generator);
}

// The typed parameters too: put as text and read again they are the same text.
static void parameters_come_back(const struct model *model)
{
	struct model text = {.name = NULL}, text_again = {.name = NULL};
	struct pulse_model pulse, again;
	size_t size_bytes, again_bytes;
	struct tr_error err;

	if (pulse_model_get(model, &pulse, &err) != TR_OK)
		return;
	pulse_model_put(&text, &pulse, NULL);
	char *first = write_bytes(&text, &size_bytes);

	if (pulse_model_get(&text, &again, &err) == TR_OK) {
		pulse_model_put(&text_again, &again, NULL);
		char *second = write_bytes(&text_again, &again_bytes);

		promise(size_bytes == again_bytes && memcmp(first, second, size_bytes) == 0);
		free(second);
		pulse_model_clear(&again);
	}
	free(first);
	pulse_model_clear(&pulse);
	model_clear(&text);
	model_clear(&text_again);
}

// Of the arrival processes, too.
static void streams_come_back(const struct model *model)
{
	const struct model_entry *family = model_find(model, "", "family");
	struct model text = {.name = NULL}, text_again = {.name = NULL};
	struct streams_model streams, again;
	size_t size_bytes, again_bytes;
	struct tr_error err = {""};

	if (!family || !family_find(family->value) || !family_find(family->value)->arrivals ||
	    streams_model_get(model, &streams, &err) != TR_OK)
		return;
	streams_model_put(&text, &streams, NULL);
	char *first = write_bytes(&text, &size_bytes);

	if (streams_model_get(&text, &again, &err) ==
	    TR_OK) { // rounding may have moved a number over its bound
		streams_model_put(&text_again, &again, NULL);
		char *second = write_bytes(&text_again, &again_bytes);

		promise(size_bytes == again_bytes && memcmp(first, second, size_bytes) == 0);
		free(second);
		streams_model_clear(&again);
	}
	free(first);
	streams_model_clear(&streams);
	model_clear(&text);
	model_clear(&text_again);
}

// In words, without asking what for.
static void explained(const struct model *model)
{
	const struct family *family;
	struct tr_error err = {""};
	char *text = NULL;
	size_t bytes;
	FILE *out;

	if (family_of(model, &family, &err) != TR_OK)
		return;
	out = open_memstream(&text, &bytes);
	promise(out);
	if (family->generator->explain(model, out, &err) != TR_OK)
		promise(*err.text);
	promise(fclose(out) == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct model model;
	struct tr_error err = {""};

	numeric_errors_give_nan();
	if (read_bytes(&model, data, size_bytes, &err) != TR_OK) {
		promise(*err.text);
		return 0;
	}
	come_back(&model);
	generate(&model);
	parameters_come_back(&model);
	streams_come_back(&model);
	explained(&model);
	model_clear(&model);
	return 0;
}
