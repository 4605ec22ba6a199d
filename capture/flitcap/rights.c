// SPDX-License-Identifier: GPL-3.0-or-later
// Captures with no more privileges than writing the outputs needs.
#include "file/outfile.h"
#include "flitcap.h"
#include "packet/privileges.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder of a path into folder[CAP_NAME_BYTES]; false if too long.
static bool folder_of(const char *path, char *folder)
{
	const char *slash = strrchr(path, '/');
	const size_t bytes = slash ? (size_t)(slash - path) : 0;

	if (bytes >= CAP_NAME_BYTES)
		return false;
	(void)snprintf(folder, CAP_NAME_BYTES, "%.*s%s", (int)bytes, path,
		       !slash	? "."
		       : !bytes ? "/"
				: "");
	return true;
}

// Whether files in the folder may be created and replaced: a sticky folder lets only owners
// replace.
static bool may_replace(const char *folder, const struct stat *file)
{
	struct stat info;

	if (access(folder, W_OK | X_OK) != 0)
		return false;
	if (!file || geteuid() == 0 || stat(folder, &info) != 0 || !(info.st_mode & S_ISVTX))
		return true;
	return file->st_uid == geteuid() || info.st_uid == geteuid();
}

// Checks that the current user could write path; false after reporting an error.
static bool check_output(struct cap *cap, const char *path, const char *user)
{
	char folder[CAP_NAME_BYTES];
	struct stat info;
	const bool there = stat(path, &info) == 0;

	if (there && !S_ISREG(info.st_mode)) {
		if (access(path, W_OK) == 0)
			return true;
		tool_error(cap->tool, "%s: not writable by user %s (try -Z root)", path, user);
		return false;
	}
	if (!folder_of(path, folder)) {
		tool_error(cap->tool, "%.60s...: name too long", path);
		return false;
	}
	if (may_replace(folder, there ? &info : NULL) && (!there || access(path, W_OK) == 0))
		return true;
	tool_error(cap->tool,
		   "%s: user %s, who captures the frames, may not write to the directory %s: "
		   "change its owner, choose another user with -Z (-Z root writes anywhere), or "
		   "write to a pipe",
		   path, user, folder);
	return false;
}

// Rotated outputs are opened by name after the rights are dropped.
static bool check_rotation(struct cap *cap, const char *user)
{
	const struct cap_options *o = cap->options;
	char name[CAP_NAME_BYTES] = "";

	// A name that is too long is reported when the stream is opened.
	return !o->period_s.num || !cap_period_name(o->write, 0, time(NULL), name, sizeof(name)) ||
	       check_output(cap, name, user);
}

static enum tr_status open_trace(struct cap *cap, bool in_place, struct tr_error *err)
{
	const struct tr_outfile_options options = {
		.files = tool_files(cap->tool),
		.in_place = in_place,
		.grows = true,
		.sync = true,
		.keep = true,
	};
	const char *path = cap->options->write;

	if (!path || strcmp(path, "-") == 0)
		return TR_OK;
	if (tr_out_name_check(path, TR_OUT_STREAM, err) != TR_OK)
		return TR_ERROR;
	if (cap->options->period_s.num)
		return TR_OK;
	if (tr_outfile_open(&cap->opened, path, &options, err) != TR_OK)
		return TR_ERROR;
	tool_tell_exposed(cap->tool, path, tr_outfile_is_exposed(cap->opened));
	return TR_OK;
}

// Opens an output as the user who will write it, or as root if only root may; it then cannot be
// replaced at the end.
static bool open_as(struct cap *cap, const char *user,
		    enum tr_status (*open)(struct cap *cap, bool in_place, struct tr_error *err))
{
	struct tr_error err;
	enum tr_status status = pk_privileges_lower(user, &err);

	if (status == TR_OK) {
		status = open(cap, false, &err);
		if (status != TR_OK && pk_privileges_raise())
			status = open(cap, true, &err);
	}
	if (status != TR_OK)
		tool_error(cap->tool, "%s", err.text);
	return status == TR_OK;
}

bool cap_drop_privileges(struct cap *cap, const char *user)
{
	struct tr_error err;
	const char *name;

	if (!user)
		user = pk_privileges_user();
	if (!open_as(cap, user, open_trace) || !open_as(cap, user, cap_create_dump))
		return false;
	(void)pk_privileges_raise();
	if (pk_privileges_drop(user, &name, &err) != TR_OK ||
	    pk_privileges_confine(&err) != TR_OK) {
		tool_error(cap->tool, "%s", err.text);
		return false;
	}
	if (!check_rotation(cap, name))
		return false;
	tool_warn(cap->tool, "capturing from %s", cap->interface.name);
	return true;
}
