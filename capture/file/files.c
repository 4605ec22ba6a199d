// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 // the kernel's limit

struct tr_file_entry {
	struct tr_file_entry *next;
	char *name;
	char *target; // of an output: the resolved path; NULL if its folder does not exist
	bool written;
	bool exists; // then identified by device and inode
	dev_t device;
	ino_t inode;
};

static bool is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

// Names of open descriptors: "/dev/stdout" is standard output, not another output to the same file.
static bool names_descriptor(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static const char *shown(const char *name)
{
	return is_standard(name) ? "standard input" : name;
}

static bool files_same(const struct stat *a, dev_t device, ino_t inode)
{
	return a->st_dev == device && a->st_ino == inode;
}

static bool stat_regular(const char *path, struct stat *info)
{
	int status = is_standard(path) ? fstat(STDIN_FILENO, info) : stat(path, info);

	return status == 0 && S_ISREG(info->st_mode);
}

static bool descriptor_is(int fd, const struct stat *info)
{
	struct stat own;

	return fstat(fd, &own) == 0 && files_same(&own, info->st_dev, info->st_ino);
}

static size_t folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

// The target of the dangling link at path, freed by the caller; NULL with errno if path is not a
// link.
static char *link_target(const char *path)
{
	char text[PATH_MAX];
	char *joined = NULL;
	ssize_t bytes = readlink(path, text, sizeof(text) - 1);

	if (bytes < 0)
		return NULL;
	text[bytes] = '\0';
	if (text[0] == '/')
		return strdup(text);
	if (asprintf(&joined, "%.*s%s", (int)folder_bytes(path), path, text) < 0)
		return NULL;
	return joined;
}

// Resolves the folder, and keeps the last component as it is.
static char *resolve_folder(const char *path)
{
	const size_t bytes = folder_bytes(path);
	char *folder = bytes ? strndup(path, bytes) : strdup(".");
	char *whole = folder ? realpath(folder, NULL) : NULL;
	char *joined = NULL;

	if (whole &&
	    asprintf(&joined, "%s/%s", strcmp(whole, "/") == 0 ? "" : whole, path + bytes) < 0)
		joined = NULL;
	free(folder);
	free(whole);
	return joined;
}

char *tr_files_resolve(const char *path)
{
	char *whole = realpath(path, NULL);
	char *at, *next;

	if (whole || errno != ENOENT)
		return whole;
	at = strdup(path);
	for (int links = 0; at && links < LINKS_MAX; links++) {
		next = link_target(at);
		if (!next && errno == ENOMEM)
			break;
		if (!next) {
			whole = resolve_folder(at);
			break;
		}
		free(at);
		at = next;
	}
	free(at);
	return whole;
}

static enum tr_status files_add(struct tr_files *files, const char *path, bool written,
				struct tr_error *err)
{
	struct tr_file_entry *entry = calloc(1, sizeof(*entry));
	struct stat info;

	if (!entry || !(entry->name = strdup(path))) {
		free(entry);
		return tr_no_memory(err, "%s", path);
	}
	entry->written = written;
	entry->exists = stat_regular(path, &info);
	if (entry->exists) {
		entry->device = info.st_dev;
		entry->inode = info.st_ino;
	}
	entry->target = written ? tr_files_resolve(path) : NULL;
	entry->next = files->entries;
	files->entries = entry;
	return TR_OK;
}

static enum tr_status refuse_input(const char *output, const char *input, struct tr_error *err)
{
	if (strcmp(output, input) == 0)
		return tr_fail(err,
			       "%s: is an input and would be overwritten; choose another output",
			       output);
	return tr_fail(err, "%s: is the same file as the input %s; choose another output", output,
		       shown(input));
}

static enum tr_status refuse_second(const char *output, const char *other, struct tr_error *err)
{
	if (strcmp(output, other) == 0)
		return tr_fail(err, "%s: two outputs to one file", output);
	return tr_fail(err, "%s: two outputs to one file, also named %s", output, other);
}

// Whether the entry is that file. Another process may have replaced an output since, so that
// another file has its number.
static bool is_entrys_file(const struct tr_file_entry *entry, const struct stat *info)
{
	struct stat now;

	if (!entry->exists || !entry->written)
		return entry->exists && files_same(info, entry->device, entry->inode);
	return stat_regular(entry->name, &now) && files_same(info, now.st_dev, now.st_ino);
}

// Whether the entry is the file of info (NULL: not there yet) or target.
static bool is_entry(const struct tr_file_entry *entry, const struct stat *info, const char *target)
{
	if (entry->exists && info)
		return is_entrys_file(entry, info);
	return entry->target && target && strcmp(entry->target, target) == 0;
}

// The same for an output whose folder was created after it was added.
static bool became_entry(const struct tr_file_entry *entry, const char *target)
{
	char *now = entry->written && !entry->target && target ? tr_files_resolve(entry->name)
							       : NULL;
	const bool is = now && strcmp(now, target) == 0;

	free(now);
	return is;
}

// twice: also refuses another output of the same name.
static enum tr_status allow(const struct tr_files *files, const char *path, bool twice,
			    struct tr_error *err)
{
	struct stat info;
	const bool exists = stat_regular(path, &info);
	char *target = exists ? NULL : tr_files_resolve(path);
	enum tr_status status = TR_OK;

	if (!exists && stat(path, &info) == 0) { // pipes and devices are always allowed
		free(target);
		return TR_OK;
	}
	if (exists && !names_descriptor(path)) {
		if (descriptor_is(STDOUT_FILENO, &info))
			status = refuse_second(path, "standard output", err);
		else if (descriptor_is(STDERR_FILENO, &info))
			status = refuse_second(path, "standard error", err);
	}
	for (const struct tr_file_entry *entry = files->entries; entry; entry = entry->next) {
		if (!is_entry(entry, exists ? &info : NULL, target) && !became_entry(entry, target))
			continue;
		if (!entry->written)
			status = refuse_input(path, entry->name, err);
		else if (status == TR_OK && (twice || strcmp(entry->name, path) != 0))
			status = refuse_second(path, entry->name, err);
	}
	free(target);
	return status;
}

enum tr_status tr_files_allow(const struct tr_files *files, const char *path, struct tr_error *err)
{
	return files && !is_standard(path) ? allow(files, path, false, err) : TR_OK;
}

enum tr_status tr_files_allow_another(const struct tr_files *files, const char *path,
				      struct tr_error *err)
{
	return files && !is_standard(path) ? allow(files, path, true, err) : TR_OK;
}

enum tr_status tr_files_allow_stdout(const struct tr_files *files, struct tr_error *err)
{
	struct stat info;

	if (fstat(STDOUT_FILENO, &info) != 0 || !S_ISREG(info.st_mode))
		return TR_OK;
	for (const struct tr_file_entry *entry = files->entries; entry; entry = entry->next)
		if (!entry->written && entry->exists &&
		    files_same(&info, entry->device, entry->inode))
			return tr_fail(err, "%s: is an input and also standard output%s",
				       shown(entry->name),
				       info.st_size == 0 ? "; the shell has emptied it" : "");
	return TR_OK;
}

enum tr_status tr_files_read(struct tr_files *files, const char *path, struct tr_error *err)
{
	struct stat info;

	if (!stat_regular(path, &info))
		return TR_OK;
	for (const struct tr_file_entry *entry = files->entries; entry; entry = entry->next) {
		if (!is_entrys_file(entry, &info))
			continue;
		return entry->written ? refuse_input(entry->name, path, err) : TR_OK;
	}
	return files_add(files, path, false, err);
}

enum tr_status tr_files_write(struct tr_files *files, const char *path, struct tr_error *err)
{
	if (is_standard(path))
		return TR_OK;
	if (allow(files, path, true, err) != TR_OK)
		return TR_ERROR;
	return files_add(files, path, true, err);
}

char *tr_files_beside(const char *of, const char *path)
{
	const char *slash = of ? strrchr(of, '/') : NULL;
	char *beside = NULL;

	if (*path == '/' || !slash)
		return strdup(path);
	if (asprintf(&beside, "%.*s/%s", (int)(slash - of), of, path) < 0)
		return NULL;
	if (access(beside, F_OK) == 0)
		return beside;
	free(beside);
	return strdup(path);
}

void tr_files_clear(struct tr_files *files)
{
	while (files->entries) {
		struct tr_file_entry *entry = files->entries;

		files->entries = entry->next;
		free(entry->name);
		free(entry->target);
		free(entry);
	}
}
