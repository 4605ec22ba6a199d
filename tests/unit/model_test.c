// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/pulse_train/pulse_train.h"
#include "value/random.h"

#define HEAD MODEL_FIRST_LINE "\nfamily pulse-train\nnodes 4\n"
#define PART \
	"silence 1 s\npulses 8\ninter-pulse 10 ms\nsize-mean 4000 B\nsize-variance 1000000 B^2\n"

static enum tr_status read_bytes(struct model *model, const char *text, size_t bytes,
				 struct tr_error *err)
{
	struct tr_source *source;

	assert_int_equal(tr_source_open_memory(&source, text, bytes, "t.model", err), TR_OK);
	enum tr_status status = model_read(model, source, err);

	tr_source_close(source);
	return status;
}

static char *written(const struct model *model, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	assert_non_null(out);
	assert_int_equal(model_write(model, out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void text_comes_back(void **state)
{
	static const char text[] = HEAD
		"# a comment\n#\n#  indented # twice\n\nmtu 8192 B  # beside\n\n"
		"[worker data]  # who\n" PART "sizes empirical\n"
		"bin 10 x 1448 B\nbin 3 x 1 B .. 80 B\n";
	struct model model;
	struct tr_error err;
	size_t bytes;

	(void)state;
	assert_int_equal(read_bytes(&model, text, strlen(text), &err), TR_OK);
	char *back = written(&model, &bytes);

	assert_string_equal(back, text);
	free(back);
	model_clear(&model);
}

static void blanks_do_not_matter(void **state)
{
	static const char text[] = HEAD
		"  mtu\t  9000   B#x  \n [ worker   data ]\nsilence 1s\npulses 8\n"
		"inter-pulse  10ms\nsize-mean 4000 B\nsize-variance 1e6 B^2\n";
	struct pulse_model pulse;
	struct model model;
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(read_bytes(&model, text, strlen(text), &err), TR_OK);
	if (pulse_model_get(&model, &pulse, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_true(pulse.mtu_B == 9000);
	assert_true(pulse.part[PULSE_WORKER][PULSE_DATA].inter_pulse_s == 0.01);
	assert_true(pulse.part[PULSE_WORKER][PULSE_DATA].size_floor_B == 750);
	assert_false(pulse.part[PULSE_WORKER][PULSE_OVERHEAD].present);
	pulse_model_clear(&pulse);
	model_clear(&model);
}

static void wrong_texts_name_their_line(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"", "t.model: empty"},
		{"flitline-model 2\n", "t.model:1: expected version 1, found \"flitline-model 2\""},
		{"\x89"
		 "FLT\n",
		 "t.model:1: not a model"},
		{MODEL_FIRST_LINE,
		 "t.model:1: the text is truncated: the last line has no newline"},
		{HEAD "mtu 8192 B",
		 "t.model:4: the text is truncated: the last line has no newline"},
		{HEAD "mtu 8192 B\r\n", "t.model:4: a control character"},
		{HEAD "Mtu 8192 B\n", "t.model:4: expected a key"},
		{HEAD "mtu\n", "t.model:4: key mtu has no value"},
		{HEAD "[worker data\n", "t.model:4: a section is"},
		{HEAD "[]\n", "t.model:4: a section is"},
		{HEAD "[a]\n[ a ]\n", "t.model:5: section [a] is given twice"},
		{HEAD "[a/b]\n",
		 "t.model:4: a section name consists of a-z, 0-9, \"-\" and blanks"},
		{HEAD "mtu 8192\n[worker data]\n" PART, "t.model:4: mtu: \"8192\" has no unit"},
		{HEAD "mtu 8192 s\n[worker data]\n" PART, "t.model:4: mtu: "},
		{HEAD "mtu 0 B\n[worker data]\n" PART, "t.model:4: mtu: 0 B is outside"},
		{HEAD "nodes 5\n[worker data]\n" PART, "t.model:4: nodes is given twice"},
		{HEAD "speed 5\n[worker data]\n" PART, "t.model:4: unknown key \"speed\""},
		{HEAD "silence-from noon\n[worker data]\n" PART,
		 "t.model:4: silence-from: \"noon\" is none of last-pulse, burst-start"},
		{HEAD "[boss data]\n" PART, "t.model:4: unknown section [boss data]"},
		{HEAD "[worker data]\nsilence 1 s\n", "t.model:4: in [worker data] the key pulses"},
		{HEAD "[worker data]\n" PART "pulses 9\n", "t.model:10: pulses is given twice"},
		{HEAD "[worker data]\n" PART "size-floor 9 kB\n",
		 "t.model:4: the floor of the sizes"},
		{HEAD "[worker data]\n" PART "sizes empirical\n",
		 "t.model:4: \"sizes empirical\" needs lines of bin, and these need it"},
		{HEAD "[worker data]\n" PART "bin 4 x 5 B\n",
		 "t.model:4: \"sizes empirical\" needs lines of bin, and these need it"},
		{HEAD "[worker data]\n" PART "sizes empirical\nbin 4 5 B\n", "t.model:11: bin: "},
		{HEAD "[worker data]\n" PART "sizes empirical\nbin 4 x 5.5 B\n",
		 "t.model:11: bin: "},
		{HEAD "[worker data]\n" PART "sizes empirical\nbin 4 x 6 B .. 5 B\n",
		 "t.model:11: bin: the end of the bin is before its start"},
		{HEAD, "t.model: expected at least one section"},
		{MODEL_FIRST_LINE "\nnodes 4\n", "t.model: the key family"},
		{MODEL_FIRST_LINE "\nfamily fgn\n",
		 "t.model:2: unknown family \"fgn\"; expected one of poisson pulse-train"},
		{MODEL_FIRST_LINE "\nfamily pulse-train\n[worker data]\n" PART,
		 "t.model: before the sections the key nodes is missing"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct generator_settings settings = {.seed = 1, .ticks_per_s = 1000};
		struct generator generator = {NULL, NULL};
		struct model model;
		struct tr_error err = {""};
		enum tr_status status = read_bytes(&model, cases[i].text, strlen(cases[i].text),
						   &err);

		if (status == TR_OK)
			status = generator_open(&generator, &model, &settings, &err);
		if (status != TR_ERROR ||
		    strncmp(err.text, cases[i].expected, strlen(cases[i].expected)) != 0)
			fail_msg("case %zu: expected \"%s\", got \"%s\"", i, cases[i].expected,
				 err.text);
		generator_close(&generator);
		model_clear(&model);
	}
}

static void bounds_hold(void **state)
{
	size_t bytes = MODEL_TEXT_MAX + 1;
	char *text = malloc(bytes);
	struct model model;
	struct tr_error err;

	(void)state;
	assert_non_null(text);
	memset(text, '\n', bytes);
	memcpy(text, MODEL_FIRST_LINE, strlen(MODEL_FIRST_LINE));
	assert_int_equal(read_bytes(&model, text, bytes, &err), TR_ERROR);
	assert_int_equal(read_bytes(&model, text, bytes - 1, &err), TR_OK);
	model_clear(&model);
	memset(text + 17, '#', 1023);
	assert_int_equal(read_bytes(&model, text, 17 + 1024, &err), TR_OK);
	model_clear(&model);
	memset(text + 17, '#', 1024);
	assert_int_equal(read_bytes(&model, text, 17 + 1025, &err), TR_ERROR);
	free(text);
}

// Each of many sections is found, in any order; one more than the maximum is rejected.
static void sections_are_found(void **state)
{
	struct model model = {.name = NULL}, back;
	struct tr_error err;
	char name[16], value[16];
	size_t bytes;

	(void)state;
	model_key(&model, "nodes", "1", NULL);
	for (unsigned i = 0; i < MODEL_SECTIONS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "pair %u", i * 7919 % MODEL_SECTIONS_MAX);
		(void)snprintf(value, sizeof(value), "%u", i);
		model_section(&model, name, NULL);
		model_key(&model, "gap", value, NULL);
		model_key(&model, "gap", "again", NULL);
	}
	model_set(&model, "family", "poisson");
	assert_string_equal(model_find(&model, "pair 7919", "gap")->value, "1");
	assert_int_equal(model_count(&model, "pair 7919", "gap"), 2);
	assert_int_equal(model_count(&model, "", "gap"), 0);
	assert_null(model_find(&model, "pair 7919", "nodes"));
	assert_null(model_find(&model, "pair", "gap"));
	char *text = written(&model, &bytes);

	assert_int_equal(read_bytes(&back, text, bytes, &err), TR_OK);
	assert_int_equal(back.sections, MODEL_SECTIONS_MAX);
	assert_string_equal(model_find_section(&back, "pair 0")->key, "pair 0");
	model_clear(&back);
	free(text);
	model_section(&model, "one more", NULL);
	text = written(&model, &bytes);
	assert_int_equal(read_bytes(&back, text, bytes, &err), TR_ERROR);
	free(text);
	model_clear(&model);
}

static double any_of(struct tr_random *random, enum model_type type, double low, double high)
{
	return model_settle(type, low * pow(high / low, tr_random_unit(random)), 9);
}

// What a fit writes is read back as the same numbers, and writes the same bytes.
static void parameters_come_back(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "model");
	for (int i = 0; i < 300; i++) {
		struct pulse_model pulse = {.nodes = 2 + tr_random_below(&random, 1000),
					    .mtu_B = 8192};
		struct pulse_model back;
		struct model model = {.name = NULL}, again = {.name = NULL};
		struct tr_error err = {""};
		size_t bytes, bytes_again;

		pulse.duration_s = any_of(&random, MODEL_TIME, 1e-6, 1e6);
		for (int p = 0; p < 4; p++) {
			struct pulse_part *part = &pulse.part[p / 2][p % 2];

			*part = pulse_part_default(p % 2);
			part->present = p == 0 || tr_random_below(&random, 2);
			part->silence_s = any_of(&random, MODEL_TIME, 1e-9, 1e3);
			part->pulses = any_of(&random, MODEL_REAL, 1, 1e9);
			part->inter_pulse_s = any_of(&random, MODEL_TIME, 1e-9, 1e3);
			part->size_mean_B = any_of(&random, MODEL_SIZE, 1000, 9000);
			part->size_variance_B2 = any_of(&random, MODEL_VARIANCE, 1e3, 1e9);
			part->to_controller = model_settle(MODEL_SHARE, tr_random_unit(&random), 9);
		}
		pulse_model_put(&model, &pulse, NULL);
		char *text = written(&model, &bytes);

		assert_int_equal(read_bytes(&again, text, bytes, &err), TR_OK);
		char *text_again = written(&again, &bytes_again);

		assert_string_equal(text, text_again);
		if (pulse_model_get(&again, &back, &err) != TR_OK)
			fail_msg("%s\n%s", err.text, text);
		assert_true(back.duration_s == pulse.duration_s && back.nodes == pulse.nodes);
		for (int p = 0; p < 4; p++)
			if (pulse.part[p / 2][p % 2].present)
				assert_memory_equal(&back.part[p / 2][p % 2],
						    &pulse.part[p / 2][p % 2],
						    sizeof(struct pulse_part));
		free(text);
		free(text_again);
		model_clear(&model);
		model_clear(&again);
	}
}

// To four digits of the unit that suits; nothing where an end is not known.
static void intervals_are_told(void **state)
{
	char out[MODEL_INTERVAL_BYTES];

	(void)state;
	assert_string_equal(model_interval(MODEL_TIME, 0.00189996, 0.0021, 0.99, out),
			    "1.9 ms .. 2.1 ms at 99 %");
	assert_string_equal(model_interval(MODEL_REAL, 0.5, 1.23456, 0.999, out),
			    "0.5 .. 1.235 at 99.9 %");
	assert_string_equal(model_range(MODEL_SIZE, 40, 1460, out), "40 B .. 1460 B");
	assert_string_equal(model_range(MODEL_REAL, NAN, 1, out), "");
	assert_string_equal(model_interval(MODEL_REAL, 1, INFINITY, 0.95, out), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_comes_back),
		cmocka_unit_test(blanks_do_not_matter),
		cmocka_unit_test(wrong_texts_name_their_line),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(sections_are_found),
		cmocka_unit_test(parameters_come_back),
		cmocka_unit_test(intervals_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
