// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the parameters of a sweep (lines up to a blank one), a word of its command, and the
// output of its runs: rejected with a message, or accepted; then every row has as many columns as
// the header, if the output's rows had. The same bytes as a list of runs, whose parameters then all
// have as many values, and as what Slurm's squeue printed.
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "flitsweep/flitsweep.h"
#include "flitsweep/slurm.h"

#define RUNS_MAX 1000

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void put_runs(const struct sweep_grid *grid, const char *output)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct sweep_results results = {.grid = grid,
					.name = "fuzz",
					.first_lines = "# fuzz",
					.tables = {1},
					.table_count = 1};
	struct tr_error err = {""};

	if (!out || sweep_results_start(&results, out, &err) != TR_OK)
		abort();
	for (size_t run = 0; run < sweep_grid_runs(grid); run++)
		if (sweep_results_put(&results, run, output, &err) != TR_OK && err.text[0] == '\0')
			abort();
	results.out = NULL;
	(void)sweep_results_close(&results, &err);
	if (fclose(out) != 0 || (bytes > 0 && strncmp(text, "# fuzz\n", 7) != 0))
		abort();
	free(text);
}

static void sweep(char *text)
{
	struct sweep_grid grid = {0};
	struct tr_error err = {""};
	char *rest = text, *line;
	enum tr_status status = TR_OK;

	while (status == TR_OK && (line = strsep(&rest, "\n")) != NULL && *line != '\0')
		status = sweep_grid_add(&grid, line, &err);
	if (status != TR_OK && err.text[0] == '\0')
		abort();
	if (status == TR_OK && rest && sweep_grid_runs(&grid) <= RUNS_MAX) {
		const char *const words[] = {"program", rest};
		const struct sweep_command command = {words, 2};
		char name[64];

		(void)sweep_command_check(&command, &grid, &err);
		(void)sweep_grid_name(&grid, sweep_grid_runs(&grid) - 1, name, sizeof(name));
		put_runs(&grid, rest);
	}
	sweep_grid_clear(&grid);
}

static void list(const unsigned char *data, size_t size)
{
	struct sweep_grid grid = {0};
	struct tr_source *source;
	struct tr_error err = {""};

	if (tr_source_open_memory(&source, data, size, "list", &err) != TR_OK)
		return;
	if (sweep_grid_read(&grid, source, &err) == TR_OK) {
		for (size_t i = 0; i < grid.count; i++)
			if (grid.parameters[i].count != sweep_grid_runs(&grid) ||
			    *sweep_grid_value(&grid, 0, i) == '\0')
				abort();
	} else if (err.text[0] == '\0') {
		abort();
	}
	tr_source_close(source);
	sweep_grid_clear(&grid);
}

static void queue(const char *text)
{
	const char *const end = text + strlen(text);
	struct sweep_queue_entry entry;
	struct tr_error err = {""};
	enum tr_status status;

	while ((status = sweep_queue_next(&text, &entry, &err)) == TR_OK)
		if (text > end || entry.state > SWEEP_TASK_CANCELLED)
			abort();
	if (status == TR_ERROR && err.text[0] == '\0')
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	list(data, size);
	queue(text);
	sweep(text);
	free(text);
	return 0;
}
