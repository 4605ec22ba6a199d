// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/foreign_folder.h"
#include "file/outfile.h"
#include "value/memstream.h"
#include "value/xxh3.h"

#define STATUS "# status "
#define NAME_BYTES 240 // of a file name without its suffix
#define HASH_BYTES 18

static enum tr_status folder_fail(const char *path, struct tr_error *err)
{
	return tr_fail(err, "%s: %s", path, strerror(errno));
}

enum tr_status sweep_folder_open(const struct sweep_folder *folder, struct tr_error *err)
{
	return tr_folder_make(folder->path, NULL, err) == TR_ERROR ? TR_ERROR : TR_OK;
}

// Writes a value: characters not allowed in file names, and the name's "," and "=", become % and
// two digits.
static void folder_put_value(const char *value, FILE *out)
{
	for (; *value != '\0'; value++) {
		const bool plain = !strchr("/,=%", *value) && (unsigned char)*value > ' ' &&
				   *value != 0x7f;

		fprintf(out, plain ? "%c" : "%%%02X", (unsigned char)*value);
	}
}

// "load=0.1,seed=3", or "run" without parameters; to be freed. NULL if out of memory.
static char *make_name(const struct sweep_grid *grid, size_t run)
{
	char *name = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&name, &bytes);

	if (!out)
		return NULL;
	if (grid->count == 0)
		fputs("run", out);
	for (size_t i = 0; i < grid->count; i++) {
		fprintf(out, "%s%s=", i > 0 ? "," : "", grid->parameters[i].name);
		folder_put_value(sweep_grid_value(grid, run, i), out);
	}
	if (tr_memstream_close(out))
		return name;
	free(name);
	return NULL;
}

// "FOLDER/load=0.1,seed=3.tsv". Of a name that is too long for a file, the end is replaced by a
// hash of it.
static enum tr_status name_file(const struct sweep_folder *folder, size_t run, char out[PATH_MAX],
				struct tr_error *err)
{
	char *name = make_name(folder->grid, run), hash[HASH_BYTES] = "";
	int bytes;

	if (!name)
		return tr_no_memory(err, "a file name");
	if (strlen(name) > NAME_BYTES)
		snprintf(hash, sizeof(hash), "%%%016llx",
			 (unsigned long long)XXH3_64bits(name, strlen(name)));
	bytes = snprintf(out, PATH_MAX, "%s/%.*s%s.tsv", folder->path,
			 *hash != '\0' ? NAME_BYTES - HASH_BYTES : NAME_BYTES, name, hash);
	free(name);
	return bytes < PATH_MAX ? TR_OK
				: tr_fail(err, "%s: %s", folder->path, strerror(ENAMETOOLONG));
}

// The file's first line, without its newline; to be freed. NULL if out of memory.
static char *first_line(const struct sweep_folder *folder, size_t run)
{
	char *command = sweep_command_text(folder->command, folder->grid, run), *line = NULL;

	if (command && asprintf(&line, "# flitsweep %s: %s", FLIT_VERSION, command) < 0)
		line = NULL;
	free(command);
	return line;
}

// The whole file, zero-terminated, to be freed. TR_END: it is absent.
static enum tr_status folder_read_file(const char *path, char **out, struct tr_error *err)
{
	FILE *file = fopen(path, "r");
	size_t room = 0;
	bool failed;

	*out = NULL;
	if (!file)
		return errno == ENOENT ? TR_END : folder_fail(path, err);
	failed = getdelim(out, &room, '\0', file) < 0; // an empty file is not a run's
	failed = failed && ferror(file) && folder_fail(path, err) != TR_OK;
	if (!failed && feof(file) && ftell(file) == 0) {
		free(*out);
		*out = strdup("");
	}
	fclose(file);
	return failed ? TR_ERROR : *out ? TR_OK : tr_no_memory(err, "a kept run");
}

bool sweep_take_end(char *text)
{
	const size_t mark = strlen(SWEEP_END) + 16 + 1, bytes = strlen(text);
	char expected[40];

	if (bytes < mark)
		return false;
	snprintf(expected, sizeof(expected), SWEEP_END "%016llx\n",
		 (unsigned long long)XXH3_64bits(text, bytes - mark));
	if (strcmp(text + bytes - mark, expected) != 0)
		return false;
	text[bytes - mark] = '\0';
	return true;
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
	if (end == text + strlen(STATUS) || *end != '\n' || status < 0 || status > 255)
		return NULL;
	*exit_status = (int)status;
	return end + 1;
}

enum tr_status sweep_folder_get(const struct sweep_folder *folder, size_t run, char **whole,
				const char **text, int *exit_status, struct tr_error *err)
{
	char path[PATH_MAX], *first;
	enum tr_status status;

	*whole = NULL;
	*exit_status = 0;
	if (name_file(folder, run, path, err) != TR_OK ||
	    tr_files_allow_another(folder->files, path, err) != TR_OK)
		return TR_ERROR;
	status = folder_read_file(path, whole, err);
	if (status != TR_OK)
		return status;
	first = first_line(folder, run);
	*text = first && sweep_take_end(*whole) ? skip_lines(*whole, first, exit_status) : NULL;
	status = !first			      ? tr_no_memory(err, "a kept run")
		 : *text && *exit_status <= 1 ? TR_OK
					      : TR_END;
	free(first);
	if (status == TR_OK)
		return TR_OK;
	free(*whole);
	*whole = NULL;
	return status;
}

enum tr_status sweep_folder_forget(const struct sweep_folder *folder, size_t run,
				   struct tr_error *err)
{
	char path[PATH_MAX], *within;
	enum tr_status status;
	int parent;

	if (name_file(folder, run, path, err) != TR_OK)
		return TR_ERROR;
	if (tr_foreign_folder(path, &parent, &within, err) != TR_OK)
		return TR_ERROR;
	status = unlink(within ? within : path) == 0 || errno == ENOENT ? TR_OK
									: folder_fail(path, err);
	free(within);
	if (parent >= 0)
		(void)close(parent);
	return status;
}

enum tr_status sweep_folder_put(const struct sweep_folder *folder, size_t run, const char *text,
				int exit_status, struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = folder->files, .another = true};
	char path[PATH_MAX], *first, *whole = NULL;
	struct tr_outfile *file;
	FILE *out;
	int bytes;

	if (name_file(folder, run, path, err) != TR_OK ||
	    tr_outfile_open(&file, path, &options, err) != TR_OK)
		return TR_ERROR;
	first = first_line(folder, run);
	out = tr_outfile_stream(file);
	bytes = first && out ? asprintf(&whole, "%s\n" STATUS "%d\n%s", first, exit_status, text)
			     : -1;
	free(first);
	if (bytes >= 0) {
		(void)fprintf(out, "%s" SWEEP_END "%016llx\n", whole,
			      (unsigned long long)XXH3_64bits(whole, (size_t)bytes));
		free(whole);
		return tr_outfile_close(file, true, err);
	}
	(void)tr_outfile_close(file, false, NULL);
	return tr_no_memory(err, "a kept run");
}
