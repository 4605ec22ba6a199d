// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm.h"

#include <string.h>

#include "value/escape.h"

static void part_put_option(const char *option, const char *value, FILE *out)
{
	fprintf(out, " %s ", option);
	text_write_shell(out, value);
}

void sweep_part_put(const struct sweep_part *part, const char *numbers, FILE *out)
{
	const struct sweep_command *command = part->folder->command;

	text_write_shell(out, part->program);
	fprintf(out, " -q --keep-going -j %s --run %s", part->jobs, numbers);
	part_put_option("-d", part->folder->path, out);
	if (part->list)
		part_put_option("--list", part->list, out);
	for (size_t i = 0; i < part->parameters->count; i++)
		part_put_option("-p", part->parameters->words[i], out);
	if (part->seeds)
		part_put_option("-s", part->seeds, out);
	fputs(" --", out);
	for (size_t i = 0; i < command->count; i++) {
		fputc(' ', out);
		text_write_shell(out, command->words[i]);
	}
	fputc('\n', out);
}

enum tr_status sweep_parts_put(const struct sweep_part *part, const bool *kept, size_t group,
			       FILE *out, struct tr_error *err)
{
	const struct sweep_command *command = part->folder->command;
	const size_t runs = sweep_grid_runs(part->folder->grid);

	group = group > 0 ? group : 1;
	for (size_t i = 0; i < command->count; i++)
		if (strchr(command->words[i], '\n'))
			return tr_fail(err,
				       "--commands: \"%.40s\" has a newline, and each command is "
				       "to be one line",
				       command->words[i]);
	for (size_t first = 0, end; first < runs; first = end) {
		char numbers[64];

		end = group < runs - first ? first + group : runs;
		if (!memchr(kept + first, false, end - first))
			continue;
		snprintf(numbers, sizeof(numbers), end == first + 1 ? "%zu" : "%zu..%zu", first + 1,
			 end);
		sweep_part_put(part, numbers, out);
	}
	return TR_OK;
}
