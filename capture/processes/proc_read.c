// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a flitline-program text outside its processes.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processes/proc_code.h"
#include "text/program_file.h"

#define SPEED_MAX 1e6 // a processor is this many times as fast at most

static const struct proc_settings usual_settings = {.processors = 1,
						    .quantum = 10,
						    .unit_ns = 1000,
						    .value_bytes = 4,
						    .control_bytes = 4,
						    .processes = 65536,
						    .messages = 1048576,
						    .seed = 1,
						    .steps = UINT64_C(1000000000)};

// ---- lines of the header

static bool parse_param(struct proc_text *text)
{
	struct proc_program *program = text->program;
	struct proc_param param = {.value = 0};
	bool given;
	double value;

	if (!proc_new_name(text))
		return false;
	if (program->param_count == PROC_PARAMS_MAX)
		return proc_words_wrong(&text->words, "more than %u parameters", PROC_PARAMS_MAX);
	memcpy(param.name, text->words.word, sizeof(param.name));
	proc_words_next(&text->words);
	if (!proc_words_take(&text->words, "="))
		return proc_words_expected(&text->words, "\"=\"");
	if (!proc_constant(text, &param.value) ||
	    !proc_override_of(text, param.name, &given, &value))
		return false;
	if (given)
		param.value = value;
	program->params[program->param_count++] = param;
	return true;
}

// NAME or NAME[side, ...]
static bool proc_read_parse_array(struct proc_text *text, struct proc_array *arrays,
				  uint32_t *count, uint32_t *cells)
{
	struct proc_array array = {.first = *cells, .cells = 1};

	if (!proc_new_name(text))
		return false;
	if (*count == PROC_ARRAYS_MAX)
		return proc_words_wrong(&text->words, "more than %u names of this sort",
					PROC_ARRAYS_MAX);
	memcpy(array.name, text->words.word, sizeof(array.name));
	proc_words_next(&text->words);
	if (proc_words_take(&text->words, "[")) {
		do {
			uint32_t *side = &array.sides[array.side_count];

			if (array.side_count == PROC_SIDES_MAX)
				return proc_words_wrong(&text->words,
							"an array has at most %u sides",
							PROC_SIDES_MAX);
			if (!proc_whole(text, 1, (double)PROC_CELLS_MAX / array.cells, "a side",
					side))
				return false;
			array.cells *= *side;
			array.side_count++;
		} while (proc_words_take(&text->words, ","));
		if (!proc_words_take(&text->words, "]"))
			return proc_words_expected(&text->words, "\"]\"");
	}
	if (array.cells > PROC_CELLS_MAX - *cells)
		return proc_words_wrong(&text->words, "more than %u variables or mailboxes",
					PROC_CELLS_MAX);
	*cells += array.cells;
	arrays[(*count)++] = array;
	return true;
}

static bool parse_shared(struct proc_text *text)
{
	struct proc_program *program = text->program;

	do {
		if (!proc_read_parse_array(text, program->shared, &program->shared_count,
					   &program->shared_cells))
			return false;
	} while (proc_words_take(&text->words, ","));
	return true;
}

static bool parse_channel(struct proc_text *text)
{
	struct proc_program *program = text->program;

	do {
		if (!proc_read_parse_array(text, program->channels, &program->channel_count,
					   &program->channel_cells))
			return false;
	} while (proc_words_take(&text->words, ","));
	return true;
}

// speed PROCESSOR = FACTOR
static bool parse_speed(struct proc_text *text)
{
	struct proc_program *program = text->program;
	const struct proc_param *processors = proc_find_param(program, "processors");
	uint32_t processor;
	double factor;

	if (!processors || !(processors->value >= 1 && processors->value <= 1048576))
		return proc_words_wrong(&text->words, "the parameter processors must come first");
	if (!proc_whole(text, 0, processors->value - 1, "a processor", &processor))
		return false;
	if (!proc_words_take(&text->words, "="))
		return proc_words_expected(&text->words, "\"=\"");
	if (!proc_constant(text, &factor))
		return false;
	if (!(factor >= 0.001 && factor <= SPEED_MAX) ||
	    fabs(factor * 1000 - round(factor * 1000)) > 1e-6)
		return proc_words_wrong(&text->words,
					"expected a speed of 0.001 to %.0f with at most three "
					"decimals, found %.10g",
					SPEED_MAX, factor);
	if (!program->speeds) {
		program->speeds = calloc((size_t)processors->value, sizeof(*program->speeds));
		if (!program->speeds)
			return proc_words_wrong(&text->words, TR_OUT_OF_MEMORY);
		for (uint32_t i = 0; i < (uint32_t)processors->value; i++)
			program->speeds[i] = 1000;
	}
	program->speeds[processor] = (uint32_t)round(factor * 1000);
	return true;
}

// ---- processes

static bool start_kind(struct proc_text *text, const char *name)
{
	struct proc_program *program = text->program;

	if (program->kind_count == PROC_KINDS_MAX)
		return proc_words_wrong(&text->words, "more than %u processes", PROC_KINDS_MAX);
	text->kind = &program->kinds[program->kind_count++];
	*text->kind = (struct proc_kind){.line = (uint32_t)text->words.lines.number,
					 .code = program->code_count};
	(void)snprintf(text->kind->name, sizeof(text->kind->name), "%s", name);
	text->stack = 0;
	return true;
}

static bool parse_parameters(struct proc_text *text)
{
	struct proc_kind *kind = text->kind;

	if (!proc_words_take(&text->words, "("))
		return proc_words_expected(&text->words, "\"(\"");
	while (!proc_words_take(&text->words, ")")) {
		if (kind->parameters > 0 && !proc_words_take(&text->words, ","))
			return proc_words_expected(&text->words, "\",\" or \")\"");
		if (kind->parameters == 64)
			return proc_words_wrong(&text->words, "more than 64 parameters");
		if (proc_words_take(&text->words, "ref"))
			kind->references |= UINT64_C(1) << kind->parameters;
		if (proc_find_variable(text, text->words.word) != PROC_NOBODY)
			return proc_words_wrong(&text->words, "the parameter %s is declared twice",
						text->words.word);
		if (!proc_new_name(text) ||
		    proc_new_variable(text, text->words.word) == PROC_NOBODY)
			return false;
		kind->parameters++;
		proc_words_next(&text->words);
	}
	return true;
}

static bool end_kind(struct proc_text *text)
{
	const bool fine = proc_body(text);

	text->kind = NULL;
	return fine;
}

static bool parse_process(struct proc_text *text)
{
	char name[PROC_NAME_MAX + 1];

	if (!proc_new_name(text))
		return false;
	memcpy(name, text->words.word, sizeof(name));
	proc_words_next(&text->words);
	return start_kind(text, name) && parse_parameters(text) && end_kind(text);
}

static bool parse_once(struct proc_text *text, const char *name, uint32_t *number)
{
	if (*number != PROC_NOBODY)
		return proc_words_wrong(&text->words, "%s is given twice", name);
	*number = text->program->kind_count;
	return start_kind(text, name) && end_kind(text);
}

static bool parse_main(struct proc_text *text)
{
	return parse_once(text, "main", &text->program->main);
}

static bool parse_after(struct proc_text *text)
{
	return parse_once(text, "after", &text->program->after);
}

static bool proc_read_parse_line(struct proc_text *text)
{
	static const struct heading {
		const char *name;
		bool (*parse)(struct proc_text *text);
	} headings[] = {
		{"param", parse_param}, {"shared", parse_shared},   {"channel", parse_channel},
		{"speed", parse_speed}, {"process", parse_process}, {"main", parse_main},
		{"after", parse_after},
	};

	if (proc_words_is(&text->words, "costs"))
		return proc_parse_costs(text);
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		if (proc_words_take(&text->words, headings[i].name))
			return headings[i].parse(text);
	return proc_words_expected(&text->words,
				   "param, costs, speed, shared, channel, process, main or after");
}

static bool parse_first(struct proc_text *text)
{
	struct proc_words *words = &text->words;
	struct tr_error why;
	enum tr_status status;
	char *line;

	status = tr_lines_next(&words->lines, &line, &why);
	if (status == TR_OK && strcmp(line, PROCESSES_MAGIC " 1") == 0)
		return true;
	if (status == TR_OK)
		return proc_words_wrong(words, "expected \"%s 1\", found \"%.60s\"",
					PROCESSES_MAGIC, line);
	if (status == TR_END)
		tr_fail(&why, "%s: empty, expected \"%s 1\"", tr_source_name(words->lines.source),
			PROCESSES_MAGIC);
	*words->err = why;
	words->failed = true;
	return false;
}

// ---- settings

static bool set_setting(struct proc_text *text, const char *name, double min, double max,
			double *value)
{
	const struct proc_param *param = proc_find_param(text->program, name);
	bool given;

	if (param)
		*value = param->value;
	if (!proc_override_of(text, name, &given, value))
		return false;
	if (*value >= min && *value <= max && floor(*value) == *value)
		return true;
	text->words.failed = true;
	tr_fail(text->words.err, "%s: %s: expected a whole number of %.0f to %.0f, found %.10g",
		tr_source_name(text->words.lines.source), name, min, max, *value);
	return false;
}

static bool proc_read_settle(struct proc_text *text)
{
	static const struct setting {
		const char *name;
		size_t offset;
		bool wide; // uint64_t
		double min, max;
	} settings[] = {
		{"processors", offsetof(struct proc_settings, processors), false, 1, 1048576},
		{"quantum", offsetof(struct proc_settings, quantum), false, 1, 1e6},
		{"unit_ns", offsetof(struct proc_settings, unit_ns), false, 1, 1e9},
		{"value_bytes", offsetof(struct proc_settings, value_bytes), false, 1, 65536},
		{"control_bytes", offsetof(struct proc_settings, control_bytes), false, 1, 65536},
		{"processes", offsetof(struct proc_settings, processes), false, 1, 1 << 22},
		{"messages", offsetof(struct proc_settings, messages), false, 1, 1 << 26},
		{"seed", offsetof(struct proc_settings, seed), true, 0, 0x1p53},
		{"steps", offsetof(struct proc_settings, steps), true, 1, 0x1p53},
	};
	char *base = (char *)&text->program->settings;

	text->program->settings = usual_settings;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		uint64_t *wide = (void *)(base + settings[i].offset);
		uint32_t *narrow = (void *)(base + settings[i].offset);
		double value = settings[i].wide ? (double)*wide : (double)*narrow;

		if (!set_setting(text, settings[i].name, settings[i].min, settings[i].max, &value))
			return false;
		if (settings[i].wide)
			*wide = (uint64_t)value;
		else
			*narrow = (uint32_t)value;
	}
	return true;
}

// ---- the whole

static bool check_overrides(struct proc_text *text)
{
	for (uint32_t i = 0; i < text->override_count; i++) {
		struct proc_override *override = &text->overrides[i];

		if (strcmp(override->name, "costs") == 0) {
			if (!proc_open_costs(text, override->value))
				return false;
		} else if (!override->used) {
			text->words.failed = true;
			tr_fail(text->words.err, "%s: no parameter is called %s",
				tr_source_name(text->words.lines.source), override->name);
			return false;
		}
	}
	return true;
}

static bool proc_read_parse_text(struct proc_text *text)
{
	if (!parse_first(text))
		return false;
	for (proc_words_next(&text->words); text->words.token != PROC_END_OF_TEXT;) {
		if (!proc_read_parse_line(text))
			return false;
		if (text->words.token != PROC_LINE)
			return proc_words_expected(&text->words, "the end of the line");
		proc_words_next(&text->words);
	}
	if (text->program->main == PROC_NOBODY)
		return proc_words_expected(&text->words, "main");
	return !text->words.failed && proc_read_settle(text) && check_overrides(text);
}

enum tr_status proc_read(struct proc_program *out, struct tr_source *source, const char *overrides,
			 const struct proc_opener *opener, struct tr_error *err)
{
	struct proc_text *text = calloc(1, sizeof(*text));
	bool fine;

	*out = (struct proc_program){
		.main = PROC_NOBODY, .after = PROC_NOBODY, .name = strdup(tr_source_name(source))};
	if (!text || !out->name) {
		free(text);
		proc_clear(out);
		return tr_no_memory(err, "the program");
	}
	for (int i = 0; i < PROC_COSTS; i++)
		out->costs[i] = 1;
	proc_words_start(&text->words, source, err);
	text->program = out;
	text->opener = opener;
	fine = proc_read_overrides(text, overrides, err) && proc_read_parse_text(text);
	tr_lines_clear(&text->words.lines);
	free(text);
	if (!fine)
		proc_clear(out);
	return fine ? TR_OK : TR_ERROR;
}

void proc_clear(struct proc_program *program)
{
	free(program->name);
	free(program->code);
	free(program->speeds);
	*program = (struct proc_program){0};
}
