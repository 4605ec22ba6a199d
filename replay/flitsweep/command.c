// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/escape.h"
#include "value/memstream.h"

// The next "{name}" in text where name is one; *bytes is the name's length.
static const char *command_next_name(const char *text, size_t *bytes)
{
	for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
		*bytes = strspn(open + 1, "abcdefghijklmnopqrstuvwxyz0123456789_-");
		if (*bytes > 0 && open[1 + *bytes] == '}')
			return open;
	}
	return NULL;
}

static bool is_pipe(const char *word)
{
	return strcmp(word, "|") == 0;
}

static enum tr_status command_check_word(const char *word, const struct sweep_grid *grid,
					 bool *used, struct tr_error *err)
{
	size_t bytes;

	for (const char *at = command_next_name(word, &bytes); at;
	     at = command_next_name(at + bytes + 2, &bytes)) {
		size_t parameter = sweep_grid_find(grid, at + 1, bytes);

		if (parameter == grid->count)
			return tr_fail(err, "%.*s in the command is not a parameter",
				       (int)bytes + 2, at);
		used[parameter] = true;
	}
	return TR_OK;
}

static enum tr_status check_words(const struct sweep_command *command,
				  const struct sweep_grid *grid, bool *used, struct tr_error *err)
{
	bool expected = true; // next is a program's name
	size_t stages = 1;

	for (size_t i = 0; i < command->count; i++) {
		if (is_pipe(command->words[i]) && expected)
			break;
		expected = is_pipe(command->words[i]);
		stages += expected;
		if (command_check_word(command->words[i], grid, used, err) != TR_OK)
			return TR_ERROR;
	}
	if (expected)
		return tr_fail(err, "expected a program and its arguments, after --");
	if (stages > SWEEP_STAGES_MAX)
		return tr_fail(err, "more than %u programs", SWEEP_STAGES_MAX);
	for (size_t i = 0; i < grid->count; i++)
		if (!used[i])
			return tr_fail(err, "the parameter {%s} does not appear in the command",
				       grid->parameters[i].name);
	return TR_OK;
}

enum tr_status sweep_command_check(const struct sweep_command *command,
				   const struct sweep_grid *grid, struct tr_error *err)
{
	bool *used = calloc(grid->count + 1, sizeof(*used));
	enum tr_status status = used ? check_words(command, grid, used, err)
				     : tr_no_memory(err, "a command");

	free(used);
	return status;
}

// The word with values in place of names, allocated; NULL where memory runs out.
static char *command_fill(const char *word, const struct sweep_grid *grid, size_t run)
{
	char *text = NULL;
	size_t text_bytes, bytes;
	FILE *out = tr_memstream_open(&text, &text_bytes);

	if (!out)
		return NULL;
	for (const char *at; (at = command_next_name(word, &bytes)) != NULL; word = at + bytes + 2)
		fprintf(out, "%.*s%s", (int)(at - word), word,
			sweep_grid_value(grid, run, sweep_grid_find(grid, at + 1, bytes)));
	fputs(word, out);
	if (tr_memstream_close(out))
		return text;
	free(text);
	return NULL;
}

// All words of a run, with NULL for "|": consecutive argument vectors.
static char **fill_all(const struct sweep_command *command, const struct sweep_grid *grid,
		       size_t run)
{
	char **words = calloc(command->count + 1, sizeof(*words));
	bool good = words;

	for (size_t i = 0; good && i < command->count; i++) {
		if (is_pipe(command->words[i]))
			continue;
		words[i] = command_fill(command->words[i], grid, run);
		good = words[i];
	}
	for (size_t i = 0; !good && words && i < command->count; i++)
		free(words[i]);
	if (!good)
		free(words);
	return good ? words : NULL;
}

// A text on one line, with blanks for newlines.
static void make_line(char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '\n')
			*text = ' ';
}

char *sweep_command_text(const struct sweep_command *command, const struct sweep_grid *grid,
			 size_t run)
{
	char **words = fill_all(command, grid, run), *text = NULL;
	size_t bytes;
	FILE *out = words ? tr_memstream_open(&text, &bytes) : NULL;

	for (size_t i = 0; out && i < command->count; i++) {
		if (i > 0)
			fputc(' ', out);
		if (words[i])
			text_write_shell(out, words[i]);
		else
			fputc('|', out);
	}
	for (size_t i = 0; words && i < command->count; i++)
		free(words[i]);
	free(words);
	if (out && tr_memstream_close(out)) {
		make_line(text);
		return text;
	}
	free(text);
	return NULL;
}

// Starts one program that reads from pipeline->output, which is closed and replaced by its own.
static enum tr_status start_stage(struct sweep_pipeline *pipeline, char *const *argv, int errors,
				  struct tr_error *err)
{
	enum tr_status status;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return tr_fail(err, "a pipe: %s", strerror(errno));
	status = tr_spawn_start(&pipeline->stages[pipeline->count], (const char *const *)argv,
				pipeline->output, ends[1], errors, err);
	close(ends[1]);
	close(pipeline->output);
	pipeline->output = ends[0];
	pipeline->count += status == TR_OK;
	return status;
}

// Opens the pipe of the programs' standard error; *errors is their end, to be closed here.
static enum tr_status open_said(struct sweep_pipeline *pipeline, int *errors, struct tr_error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return tr_fail(err, "a pipe: %s", strerror(errno));
	pipeline->said = ends[0];
	*errors = ends[1];
	return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
		       ? TR_OK
		       : tr_fail(err, "a pipe: %s", strerror(errno));
}

enum tr_status sweep_command_start(const struct sweep_command *command,
				   const struct sweep_grid *grid, size_t run,
				   struct sweep_pipeline *pipeline, struct tr_error *err)
{
	char **words = fill_all(command, grid, run);
	enum tr_status status = TR_OK;
	int errors = -1, ignored;

	*pipeline = (struct sweep_pipeline){.output = open("/dev/null", O_RDONLY | O_CLOEXEC),
					    .said = -1};
	if (!words)
		status = tr_no_memory(err, "a command");
	else if (pipeline->output < 0)
		status = tr_fail(err, "/dev/null: %s", strerror(errno));
	else
		status = open_said(pipeline, &errors, err);
	for (size_t i = 0; status == TR_OK && i < command->count; i++)
		if (i == 0 || !words[i - 1])
			status = start_stage(pipeline, words + i, errors, err);
	if (errors >= 0)
		close(errors);
	// The programs' names are set to the command's own words.
	for (size_t i = 0, stage = 0; stage < pipeline->count; i++)
		if (i == 0 || is_pipe(command->words[i - 1]))
			pipeline->stages[stage++].program = command->words[i];
	for (size_t i = 0; words && i < command->count; i++)
		free(words[i]);
	free(words);
	if (status != TR_OK && pipeline->output >= 0)
		(void)sweep_pipeline_finish(pipeline, &ignored, NULL);
	return status;
}

enum tr_status sweep_pipeline_finish(struct sweep_pipeline *pipeline, int *exit_status,
				     struct tr_error *err)
{
	enum tr_status status = TR_OK;
	bool no = false;
	int last = 0;

	close(pipeline->output);
	if (pipeline->said >= 0)
		close(pipeline->said);
	for (size_t i = 0; i < pipeline->count; i++) {
		struct tr_error why;
		int ended = 0;

		if (tr_spawn_wait(&pipeline->stages[i], &ended, &why) != TR_OK &&
		    (i + 1 == pipeline->count || ended != 128 + SIGPIPE)) {
			status = status == TR_OK ? tr_fail(err, "%s", why.text) : status;
			*exit_status = ended;
		} else if (status == TR_OK) {
			last = ended;
			no = no || ended == 1;
		}
	}
	if (status == TR_OK)
		*exit_status = last == 0 && no ? 1 : last;
	return status;
}

char *sweep_command_word(const struct sweep_command *command, const struct sweep_grid *grid,
			 size_t run, size_t i)
{
	return command_fill(command->words[i], grid, run);
}

const char *sweep_command_last(const struct sweep_command *command)
{
	size_t at = command->count - 1;

	while (at > 0 && !is_pipe(command->words[at - 1]))
		at--;
	return command->words[at];
}

static bool claim_word(struct tool *tool, const char *word)
{
	const char *value = strchr(word, '=');

	if (strcmp(word, "-") != 0 && strncmp(word, "/dev/", 5) != 0 &&
	    strncmp(word, "/proc/", 6) != 0 && !tool_reads(tool, word))
		return false;
	return !value || claim_word(tool, value + 1);
}

enum tr_status sweep_command_claim(const struct sweep_command *command,
				   const struct sweep_grid *grid, struct tool *tool,
				   struct tr_error *err)
{
	for (size_t i = 0; i < command->count; i++) {
		const bool changes = strchr(command->words[i], '{');

		for (size_t run = 0; run < (changes ? sweep_grid_runs(grid) : 1); run++) {
			char *word = sweep_command_word(command, grid, run, i);
			const bool ok = word && claim_word(tool, word);

			if (!word)
				return tr_no_memory(err, "the names of files");
			free(word);
			if (!ok)
				return TR_END;
		}
	}
	return TR_OK;
}
