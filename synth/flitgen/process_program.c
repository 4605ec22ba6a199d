// SPDX-License-Identifier: GPL-3.0-or-later
// A program of processes as a schedule; a build without studies refuses it.
#include <limits.h>

#include "flitgen.h"
#include "text/program_file.h"
#ifdef FLIT_STUDIES
#include "gen/processes/process_schedule.h"

static struct tr_source *process_program_open_costs(void *context, const char *path)
{
	return tool_open_source(context, path);
}

static bool process_program_read(struct tool *tool, const char *text, struct proc_program *program)
{
	const struct proc_opener opener = {process_program_open_costs, tool};
	struct tr_error err = {.text = ""};
	char name[PATH_MAX];
	const char *overrides;
	struct tr_source *source;
	bool read = false;

	if (program_file_split(text, name, sizeof(name), &overrides, &err) == TR_OK) {
		source = tool_open_source(tool, name);
		read = source && proc_read(program, source, overrides, &opener, &err) == TR_OK;
		tr_source_close(source);
	}
	if (*err.text)
		tool_error(tool, "%s", err.text);
	return read;
}

void process_program_write(struct tool *tool, const struct gen_request *request)
{
	struct proc_program program = {.name = NULL};
	struct tr_error err;
	FILE *out;

	if (process_program_read(tool, request->program, &program)) {
		out = tool_printable_output(tool, request->output);
		if (out && process_schedule_write(&program, out, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
	}
	proc_clear(&program);
}

#else
void process_program_write(struct tool *tool, const struct gen_request *request)
{
	tool_error(tool,
		   "--program: %s: no algorithm, and this flitline was built without programs of "
		   "processes (-DFLIT_STUDIES=OFF)",
		   request->program);
}
#endif
