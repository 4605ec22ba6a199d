// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/foreign_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40u

struct walk {
	int folder;	     // where it stands
	bool foreign;	     // others may put links into the folder
	bool any;	     // and into one on the way
	char rest[PATH_MAX]; // of the path, from the folder
	unsigned links;
};

static bool may_others_write(int folder)
{
	struct stat info;

	return fstat(folder, &info) != 0 || info.st_uid != 0 || (info.st_mode & S_IWOTH) ||
	       ((info.st_mode & S_IWGRP) && info.st_gid != 0);
}

// Stands in this folder, which the walk closes.
static bool enter_folder(struct walk *walk, int folder)
{
	if (walk->folder >= 0)
		(void)close(walk->folder);
	walk->folder = folder;
	walk->foreign = folder >= 0 && may_others_write(folder);
	walk->any = walk->any || walk->foreign;
	return folder >= 0;
}

// Puts path before the rest, and begins at its root or in the folder where the walk stands.
static bool begin_path(struct walk *walk, const char *path, const char *rest)
{
	char joined[2 * PATH_MAX + 2];

	if (snprintf(joined, sizeof(joined), "%s%s%s", path, *rest ? "/" : "", rest) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(walk->rest, joined, strlen(joined) + 1);
	return *path != '/' || enter_folder(walk, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// The first name of the rest into name; *after: what follows it.
static bool next_name(struct walk *walk, char name[NAME_MAX + 1], const char **after)
{
	const char *at = walk->rest + strspn(walk->rest, "/");
	const size_t bytes = strcspn(at, "/");

	if (bytes > NAME_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	(void)snprintf(name, NAME_MAX + 1, "%.*s", (int)(bytes > 0 ? bytes : 1),
		       bytes > 0 ? at : "."); // the root itself
	*after = at + bytes + strspn(at + bytes, "/");
	return true;
}

static enum tr_status fail_walk(const char *path, struct tr_error *err)
{
	return tr_fail(err, "%s: %s", path, strerror(errno));
}

// Goes on at what the link means, unless another user may have put it there.
static enum tr_status follow_link(struct walk *walk, const char *path, int link, const char *name,
				  const char *after, struct tr_error *err)
{
	char target[PATH_MAX];
	struct stat info;
	const ssize_t bytes = fstat(link, &info) == 0
				      ? readlinkat(link, "", target, sizeof(target) - 1)
				      : -1;

	if (bytes < 0)
		return fail_walk(path, err);
	target[bytes] = '\0';
	if (walk->foreign && info.st_uid != 0)
		return tr_fail(err,
			       "%s: not written: %s is a symbolic link to %s, owned by user %ld in "
			       "a folder that others can write; root does not follow such a link: "
			       "remove it, name its target, or run as that user",
			       path, name, target, (long)info.st_uid);
	errno = ELOOP;
	return ++walk->links <= LINKS_MAX && begin_path(walk, target, after) ? TR_OK
									     : fail_walk(path, err);
}

// One name of the path. TR_END: it is the last, and no link.
static enum tr_status take_name_of(struct walk *walk, const char *path, char name[NAME_MAX + 1],
				   struct tr_error *err)
{
	enum tr_status status = TR_OK;
	struct stat info;
	const char *after;
	int at;

	if (!next_name(walk, name, &after))
		return fail_walk(path, err);
	at = openat(walk->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (at < 0)
		return errno == ENOENT && !*after ? TR_END : fail_walk(path, err);
	if (fstat(at, &info) == 0 && S_ISLNK(info.st_mode)) {
		char rest[PATH_MAX];

		memcpy(rest, after, strlen(after) + 1);
		status = follow_link(walk, path, at, name, rest, err);
	} else if (!*after) {
		status = TR_END;
	} else {
		memmove(walk->rest, after, strlen(after) + 1);
		return enter_folder(walk, at) ? TR_OK : fail_walk(path, err);
	}
	(void)close(at);
	return status;
}

enum tr_status tr_foreign_folder(const char *path, int *folder, char **within, struct tr_error *err)
{
	struct walk walk = {.folder = -1};
	enum tr_status status = TR_OK;
	char name[NAME_MAX + 1];

	*folder = -1;
	*within = NULL;
	if (geteuid() != 0)
		return TR_OK;
	if (!enter_folder(&walk, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) ||
	    !begin_path(&walk, path, ""))
		status = fail_walk(path, err);
	walk.any = walk.foreign; // not the working folder, where the path begins at the root
	while (status == TR_OK)
		status = take_name_of(&walk, path, name, err);
	if (status == TR_END && walk.any) {
		*folder = walk.folder;
		walk.folder = -1;
		if (asprintf(within, "/proc/self/fd/%d/%s", *folder, name) < 0) {
			*within = NULL;
			(void)close(*folder);
			status = tr_no_memory(err, "%s", path);
		}
	}
	if (walk.folder >= 0)
		(void)close(walk.folder);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

enum tr_status tr_folder_make(const char *path, int *folder, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	int parent, made;
	char *within;

	if (tr_foreign_folder(path, &parent, &within, err) != TR_OK)
		return TR_ERROR;
	if (mkdir(within ? within : path, 0777) != 0)
		status = errno == EEXIST ? TR_END : fail_walk(path, err);
	made = status == TR_ERROR ? -1
				  : open(within ? within : path, O_PATH | O_DIRECTORY | O_CLOEXEC |
									 (within ? O_NOFOLLOW : 0));
	if (status != TR_ERROR && made < 0)
		status = fail_walk(path, err);
	if (made >= 0 && !folder)
		(void)close(made);
	if (folder)
		*folder = made;
	if (parent >= 0)
		(void)close(parent);
	free(within);
	return status;
}
