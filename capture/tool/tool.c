// SPDX-License-Identifier: GPL-3.0-or-later
#include "tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "table/table.h"
#include "tool/tool_state.h"
#include "value/memstream.h"
#include "value/printable.h"

bool tool_option_given(const struct tool *tool, const char *name)
{
	return opt_given(&tool->options, name);
}

bool tool_input_takes(struct tool *tool, const char *input, const char *kind,
		      const char *const *options)
{
	bool ok = true;

	for (; *options && tool->operand_count <= 1; options++) {
		if (!opt_given(&tool->options, *options))
			continue;
		tool_error(tool, "%s: --%s has no effect on %s", input, *options, kind);
		ok = false;
	}
	return ok;
}

bool tool_memory_holds(struct tool *tool, struct num_ratio memory_B, uint64_t each_bytes,
		       uint64_t least, const char *thing, uint64_t *count)
{
	*count = memory_B.num > 0 ? (uint64_t)(memory_B.num / memory_B.den) / each_bytes : 0;
	if (*count >= least)
		return true;
	tool_error(tool, "--memory: expected at least %llu B: a %s takes %llu",
		   (unsigned long long)(least * each_bytes), thing, (unsigned long long)each_bytes);
	return false;
}

static void exit_misused(const struct tool_spec *spec, const char *why)
{
	(void)fprintf(stderr, "%s: ", spec->name);
	(void)tr_print_text(stderr, why);
	(void)fprintf(stderr, " (try %s --help)\n", spec->name);
	exit(TOOL_FAILED);
}

// Ends the program after printing help or the like.
static void exit_after_print(const struct tool_spec *spec)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fprintf(stderr, "%s: standard output: %s\n", spec->name, strerror(errno));
		exit(TOOL_FAILED);
	}
	exit(TOOL_OK);
}

// The format of tables that has the name of a program's format; AUTO: none.
static int table_format_of(const struct opt_choice *words, int value)
{
	const struct opt_choice *table = table_format_words;

	while (words->word && words->value != value)
		words++;
	while (words->word && table->word && strcmp(table->word, words->word) != 0)
		table++;
	return words->word && table->word ? table->value : TABLE_AUTO;
}

// The style that the options ask for, as the programs that have TABLE_OPTIONS use it.
static struct table_style style_of(const struct opt_set *options)
{
	struct table_style style = {0};

	for (size_t i = 0; i < options->count; i++) {
		const struct opt *row = options->rows[i];

		if (row->type == OPT_TYPE_CHOICE && row->name && strcmp(row->name, "format") == 0)
			style.format = table_format_of(row->choices, *(const int *)row->value);
		else if (row->type == OPT_TYPE_FLAG && row->name && strcmp(row->name, "json") == 0)
			style.json = *(const bool *)row->value;
	}
	return style;
}

static enum tr_status tool_print_words(const struct opt *row, struct table_style style,
				       const char *program, struct tr_error *err)
{
	char title[80];
	struct table *table;

	(void)snprintf(title, sizeof(title), "Words of --%s", row->name);
	table = table_new("words", title);
	table_columns(table, "word meaning");
	for (const struct opt_choice *choice = row->choices; choice->word; choice++) {
		table_text(table, choice->word);
		table_text(table, choice->what);
	}
	return tables_finish(&table, 1, style, program, stdout, err);
}

// Prints the words of an option and ends the program.
static void answer_words(const struct tool_spec *spec, const struct opt *row,
			 struct table_style style)
{
	struct tr_error err;

	if ((row->list ? row->list(style, stdout, &err)
		       : tool_print_words(row, style, spec->name, &err)) == TR_OK)
		exit_after_print(spec);
	(void)fprintf(stderr, "%s: --%s list: %s\n", spec->name, row->name, err.text);
	exit(TOOL_FAILED);
}

static enum tr_status add_file(void *context, const char *path, bool written, struct tr_error *err)
{
	struct tr_files *files = context;

	return written ? tr_files_write(files, path, err) : tr_files_read(files, path, err);
}

// No output may be an input or another output. Files of options are known here; operands may be
// words, and are added when the first is opened as a file.
static void check_files(struct tool *tool)
{
	struct tr_error err;

	if (opt_each_file(&tool->options, add_file, &tool->files, &err) == TR_OK &&
	    tr_files_allow_stdout(&tool->files, &err) == TR_OK)
		return;
	(void)fprintf(stderr, "%s: %s\n", tool->name, err.text);
	exit(TOOL_FAILED);
}

// The completion script of a shell, or the words for one.
static void answer_about_itself(const struct tool *tool, const struct tool_spec *spec, int argc,
				char **argv)
{
	static const char completion[] = "--completion=";
	const struct table_style words = {.format = TABLE_WORDS};
	const char *asked = argc == 2 ? argv[1] + sizeof(completion) - 1 : NULL;
	const struct opt operands = {.name = "operands", .list = spec->operands};
	const struct opt *row;
	struct tr_error err;

	if (!asked || strncmp(argv[1], completion, sizeof(completion) - 1) != 0)
		return;
	row = spec->operands && strcmp(asked, operands.name) == 0
		      ? &operands
		      : opt_find_words(&tool->options, asked);
	if (row)
		answer_words(spec, row, words);
	if (opt_completion(&tool->options, tool->name, asked, stdout, &err) != TR_OK)
		exit_misused(spec, err.text);
	exit_after_print(spec);
}

// Starts the provenance with the program and the options that affect the result.
static void record_options(struct tool *tool)
{
	char *lines = NULL, *rest;
	size_t bytes = 0;
	FILE *text = tr_memstream_open(&lines, &bytes);
	bool whole = text;

	tr_provenance_line(&tool->provenance, 0, tool->name, FLIT_VERSION);
	if (text) {
		opt_record(&tool->options, text);
		whole = tr_memstream_close(text);
	}
	if (whole)
		for (char *line = strtok_r(lines, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			tr_provenance_line(&tool->provenance, 1, "option", line);
	free(lines);
	if (whole && !tool->provenance.failed)
		return;
	(void)fprintf(stderr, "%s: " TR_OUT_OF_MEMORY "\n", tool->name);
	exit(TOOL_FAILED);
}

// The rows that every program has.
static void add_common(struct tool *tool, const struct tool_spec *spec)
{
	const struct opt rows[] = {
		OPT_SILENT_FLAG('q', "quiet", &tool->quiet, "print no warnings and no progress"),
		OPT_FLAG(0, "keep-going", &tool->keep_going,
			 "use a damaged input up to its damage (status 2)"),
		OPT_SILENT_FLAG('h', "help", &tool->help, "print this help and exit"),
		OPT_SILENT_FLAG('V', "version", &tool->version, "print the version and exit"),
		OPT_END,
	};

	_Static_assert(sizeof(rows) == sizeof(tool->common), "options that every program has");
	memcpy(tool->common, rows, sizeof(rows));
	opt_set_make(&tool->options, spec->opts, tool->common);
	tool->options.hint = spec->hint;
	tool->options.command = spec->command;
	tool->options.operands = spec->operands;
}

#define STACK_BYTES (512u << 10)

static __attribute__((noinline)) void touch_stack(void)
{
	volatile char deep[STACK_BYTES];

	deep[0] = 0;
	(void)deep[0];
}

// The stack grows to what any program takes of it: later, at a limit of memory, it could not, which
// ends a program by a signal. False if it cannot now, by as much room elsewhere and some more. A
// stack that is bounded to less (ulimit -s) stays as it is.
static bool grow_stack(void)
{
	const size_t more = 2 * STACK_BYTES;
	struct rlimit limit;
	void *room;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < more)
		return true;
	room = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return false;
	(void)munmap(room, more);
	touch_stack();
	return true;
}

struct tool *tool_start(int argc, char **argv, const struct tool_spec *spec)
{
	struct tool *tool = calloc(1, sizeof(*tool));
	struct tr_error err;
	int first;

	if (!tool || !grow_stack()) {
		(void)fprintf(stderr, "%s: " TR_OUT_OF_MEMORY "\n", spec->name);
		exit(TOOL_FAILED);
	}
	tool_hold_signals();
	tool->name = spec->name;
	tool->progress_wanted = isatty(STDERR_FILENO);
	tool_answer_progress(tool);
	add_common(tool, spec);
	answer_about_itself(tool, spec, argc, argv);
	if (opt_parse(&tool->options, argc, argv, &first, &err) != TR_OK)
		exit_misused(spec, err.text);
	if (tool->help)
		opt_help(&tool->options, spec->name, spec->synopsis, spec->summary, stdout);
	else if (tool->version)
		(void)printf("%s (flitline) %s\n", spec->name, FLIT_VERSION);
	else if (tool->options.listed)
		answer_words(spec, tool->options.listed, style_of(&tool->options));
	else if (spec->operands && argc - first == 1 && strcmp(argv[first], "list") == 0)
		answer_words(spec, &(struct opt){.name = "operands", .list = spec->operands},
			     style_of(&tool->options));
	if (tool->help || tool->version)
		exit_after_print(spec);
	tool->operands = argv + first;
	tool->operand_count = (size_t)(argc - first);
	check_files(tool);
	record_options(tool);
	return tool;
}

int tool_finish(struct tool *tool, enum tool_status status)
{
	int worst;

	if ((int)status > tool->worst)
		tool->worst = (int)status;
	tool_close_input(tool, tool->in.current);
	tool_close_outputs(tool);
	tool_clear_progress(tool);
	worst = tool->worst;
	tr_provenance_clear(&tool->provenance);
	tr_files_clear(&tool->files);
	free(tool->in.odd);
	opt_set_clear(&tool->options);
	free(tool);
	return worst;
}
