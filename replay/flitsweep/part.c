// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm.h"

#include <string.h>

static void put_option(const char *option, const char *value, FILE *out)
{
	fprintf(out, " %s ", option);
	sweep_command_put_word(value, out);
}

void sweep_part_put(const struct sweep_part *part, const char *numbers, FILE *out)
{
	const struct sweep_command *command = part->folder->command;

	sweep_command_put_word(part->program, out);
	fprintf(out, " -q --keep-going -j %s --run %s", part->jobs, numbers);
	put_option("-d", part->folder->path, out);
	if (part->list)
		put_option("--list", part->list, out);
	for (size_t i = 0; i < part->parameters->count; i++)
		put_option("-p", part->parameters->words[i], out);
	if (part->seeds)
		put_option("-s", part->seeds, out);
	fputs(" --", out);
	for (size_t i = 0; i < command->count; i++) {
		fputc(' ', out);
		sweep_command_put_word(command->words[i], out);
	}
	fputc('\n', out);
}
