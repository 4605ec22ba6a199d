// SPDX-License-Identifier: GPL-3.0-or-later
// The programs that --program names, and what form each has.
#include "program_run.h"

#include <limits.h>
#include <string.h>

#include "program/program.h"
#include "study.h"
#include "text/program_file.h"

// What a program takes of what --memory has room for.
static uint64_t program_read_bytes(const struct goal_program *goal, const struct goal_bound *bound)
{
	uint64_t bytes = (uint64_t)goal->op_count * bound->op_bytes +
			 (uint64_t)goal->need_count * bound->need_bytes;

	for (uint32_t i = 0; i < goal->op_count; i++)
		bytes += goal->ops[i].kind == GOAL_CALC ? 0 : bound->message_bytes;
	return bytes;
}

enum tr_status program_read_goal(struct program_run *run, struct tr_source *source,
				 const char *overrides, struct tr_error *err)
{
	const bool keeps_path = run->options->program.path || run_timeline_is_wanted(run->options);
	const struct goal_bound bound = {
		.memory_bytes = sim_memory_part(run->options, SIM_MEMORY_TRAFFIC) - run->goal_bytes,
		.op_bytes = PROGRAM_OP_BYTES + (keeps_path ? PROGRAM_PATH_BYTES : 0),
		.message_bytes = PROGRAM_MESSAGE_BYTES,
		.need_bytes = PROGRAM_NEED_BYTES};
	struct goal_program goal;

	if (job_runs_read(run, overrides, err) != TR_OK)
		return TR_ERROR;
	if (job_runs_count(run) == 1)
		return goal_read(&run->goal, source, &bound, err);
	if (goal_read(&goal, source, &bound, err) != TR_OK)
		return TR_ERROR;
	run->goal_bytes += program_read_bytes(&goal, &bound);
	return goal_join(&run->goal, &goal, err);
}

// NULL: a program of processes, where the build leaves them out.
static const struct program_form *find_program_form(struct tr_source *source)
{
#define ROW(name) &program_form_##name,
	static const struct program_form *const forms[] = {STUDY_PROGRAM_FORMS(ROW) NULL};
#undef ROW

	for (size_t i = 0; forms[i]; i++)
		if (tr_source_begins(source, forms[i]->magic, strlen(forms[i]->magic)))
			return forms[i];
	if (tr_source_begins(source, PROCESSES_MAGIC, strlen(PROCESSES_MAGIC)))
		return NULL;
	return &program_form_goal;
}

static enum tr_status program_read_source(struct program_run *run, struct tr_source *source,
					  const char *overrides, struct tr_error *err)
{
	const struct program_form *form = find_program_form(source);

	if (!form)
		return tr_fail(err,
			       "%s: this flitline was built without programs of processes "
			       "(-DFLIT_STUDIES=OFF)",
			       tr_source_name(source));
	if (job_runs_count(run) > 1 && form != &program_form_goal)
		return tr_fail(err,
			       "%s: is a program of processes, which runs alone; several programs, "
			       "and those beside a trace, are GOAL",
			       tr_source_name(source));
	run->form = form;
	return form->read(run, source, overrides, err);
}

static bool program_read_file(struct program_run *run, const char *text)
{
	char name[PATH_MAX];
	const char *overrides;
	struct tr_source *source;
	struct tr_error err;
	enum tr_status status;

	if (program_file_split(text, name, sizeof(name), &overrides, &err) != TR_OK) {
		tool_error(run->tool, "%s", err.text);
		return false;
	}
	if (strcmp(name, "-") == 0 && run->reads_stdin) {
		tool_error(run->tool, "standard input holds one program");
		return false;
	}
	run->reads_stdin = run->reads_stdin || strcmp(name, "-") == 0;
	source = tool_open_source(run->tool, name);
	if (!source)
		return false;
	status = program_read_source(run, source, overrides, &err);
	tr_source_close(source);
	if (status != TR_OK)
		tool_error(run->tool, "%s", err.text);
	return status == TR_OK;
}

bool program_run_read(struct program_run *run)
{
	const struct opt_list *files = &run->options->program.files;

	for (size_t i = 0; i < files->count; i++)
		if (!program_read_file(run, files->words[i]))
			return false;
	return true;
}
