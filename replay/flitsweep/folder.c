// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/outfile.h"

#define STATUS "# status "
#define NAME_BYTES 256 // of a file name, with its suffix

static enum tr_status fail(const char *path, struct tr_error *err)
{
	return tr_fail(err, "%s: %s", path, strerror(errno));
}

enum tr_status sweep_folder_open(const struct sweep_folder *folder, struct tr_error *err)
{
	struct stat found;

	if (mkdir(folder->path, 0777) == 0)
		return TR_OK;
	if (errno != EEXIST)
		return fail(folder->path, err);
	if (stat(folder->path, &found) != 0)
		return fail(folder->path, err);
	return S_ISDIR(found.st_mode) ? TR_OK : tr_fail(err, "%s: %s", folder->path, strerror(ENOTDIR));
}

// Adds a value: characters not allowed in file names, and the name's "," and "=", become % and two digits.
static size_t add_value(char *name, size_t used, const char *value)
{
	for (; *value != '\0' && used + 4 < NAME_BYTES; value++) {
		const bool plain = !strchr("/,=%", *value) && (unsigned char)*value > ' ' && *value != 0x7f;

		used += (size_t)snprintf(name + used, NAME_BYTES - used, plain ? "%c" : "%%%02X", (unsigned char)*value);
	}
	return used;
}

// "FOLDER/load=0.1,seed=3.tsv"
static enum tr_status name_file(const struct sweep_folder *folder, size_t run, char out[PATH_MAX], struct tr_error *err)
{
	const struct sweep_grid *grid = folder->grid;
	char name[NAME_BYTES] = "run";
	size_t used = grid->count > 0 ? 0 : strlen(name);

	for (size_t i = 0; i < grid->count && used < NAME_BYTES; i++) {
		used += (size_t)snprintf(name + used, NAME_BYTES - used, "%s%s=", i > 0 ? "," : "", grid->parameters[i].name);
		if (used < NAME_BYTES)
			used = add_value(name, used, sweep_grid_value(grid, run, i));
	}
	if (used + 16 >= NAME_BYTES)
		return tr_fail(err, "the parameters are too long for a file name");
	if (snprintf(out, PATH_MAX, "%s/%s.tsv", folder->path, name) >= PATH_MAX)
		return tr_fail(err, "%s: %s", folder->path, strerror(ENAMETOOLONG));
	return TR_OK;
}

// The file's first line, without its newline; to be freed. NULL without memory.
static char *first_line(const struct sweep_folder *folder, size_t run)
{
	char *command = sweep_command_text(folder->command, folder->grid, run), *line = NULL;

	if (command && asprintf(&line, "# flitsweep %s: %s", FLIT_VERSION, command) < 0)
		line = NULL;
	free(command);
	return line;
}

// The whole file, zero-terminated, to be freed. TR_END: it is absent.
static enum tr_status read_file(const char *path, char **out, struct tr_error *err)
{
	FILE *file = fopen(path, "r");
	size_t room = 0;
	bool failed;

	*out = NULL;
	if (!file)
		return errno == ENOENT ? TR_END : fail(path, err);
	failed = getdelim(out, &room, '\0', file) < 0; // an empty file is not a run's
	failed = failed && ferror(file) && fail(path, err) != TR_OK;
	if (!failed && feof(file) && ftell(file) == 0) {
		free(*out);
		*out = strdup("");
	}
	fclose(file);
	return failed ? TR_ERROR : *out ? TR_OK : tr_no_memory(err, "a kept run");
}

// The text after the two lines; NULL if they do not match.
static const char *skip_lines(const char *text, const char *first, int *exit_status)
{
	const size_t bytes = strlen(first);
	char *end;
	long status;

	if (strncmp(text, first, bytes) != 0 || text[bytes] != '\n')
		return NULL;
	text += bytes + 1;
	if (strncmp(text, STATUS, strlen(STATUS)) != 0)
		return NULL;
	status = strtol(text + strlen(STATUS), &end, 10);
	if (end == text + strlen(STATUS) || *end != '\n' || status < 0 || status > 1)
		return NULL;
	*exit_status = (int)status;
	return end + 1;
}

enum tr_status sweep_folder_get(const struct sweep_folder *folder, size_t run, char **whole, const char **text,
				int *exit_status, struct tr_error *err)
{
	char path[PATH_MAX], *first;
	enum tr_status status;

	*whole = NULL;
	if (name_file(folder, run, path, err) != TR_OK || tr_files_allow_another(folder->files, path, err) != TR_OK)
		return TR_ERROR;
	status = read_file(path, whole, err);
	if (status != TR_OK)
		return status;
	first = first_line(folder, run);
	*text = first ? skip_lines(*whole, first, exit_status) : NULL;
	status = !first ? tr_no_memory(err, "a kept run") : *text ? TR_OK : TR_END;
	free(first);
	if (status == TR_OK)
		return TR_OK;
	free(*whole);
	*whole = NULL;
	return status;
}

enum tr_status sweep_folder_put(const struct sweep_folder *folder, size_t run, const char *text, int exit_status,
				struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = folder->files, .another = true};
	char path[PATH_MAX], *first;
	struct tr_outfile *file;
	FILE *out;

	if (name_file(folder, run, path, err) != TR_OK || tr_outfile_open(&file, path, &options, err) != TR_OK)
		return TR_ERROR;
	first = first_line(folder, run);
	out = tr_outfile_stream(file);
	if (first && out) {
		(void)fprintf(out, "%s\n" STATUS "%d\n%s", first, exit_status, text);
		free(first);
		return tr_outfile_close(file, true, err);
	}
	free(first);
	(void)tr_outfile_close(file, false, NULL);
	return tr_no_memory(err, "a kept run");
}
