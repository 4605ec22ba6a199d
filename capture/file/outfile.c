// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/foreign_folder.h"

static bool ends_in(const char *path, const char *ending)
{
	const size_t bytes = strlen(path), ending_bytes = strlen(ending);

	return bytes > ending_bytes && strcmp(path + bytes - ending_bytes, ending) == 0;
}

static const char *outfile_find(const char *path, const char *const *endings)
{
	while (*endings && !ends_in(path, *endings))
		endings++;
	return *endings;
}

enum tr_status tr_out_name_check(const char *path, enum tr_out_form form, struct tr_error *err)
{
	static const char *const packed[] = {".gz", ".xz", ".bz2", ".lz4", NULL};
	static const char *const not_streams[] = {
		".pcap",       ".pcapng",  ".csv",	  ".ndjson",  ".npy", ".pcap.zst",
		".pcapng.zst", ".csv.zst", ".ndjson.zst", ".npy.zst", NULL};
	static const char *const not_pcap[] = {".pcapng", ".flt", ".zst", NULL};
	const char *ending = outfile_find(path, packed);

	if (form == TR_OUT_STREAM) {
		if (ending)
			return tr_fail(err,
				       "%s: a trace can only be compressed with zstd (suffix .zst)",
				       path);
		ending = outfile_find(path, not_streams);
		return ending ? tr_fail(err,
					"%s: this program writes traces, not %s (flitcut -w "
					"converts a trace)",
					path, ending + 1)
			      : TR_OK;
	}
	ending = ending ? ending : outfile_find(path, not_pcap);
	return ending ? tr_fail(err, "%s: the frames are written as pcap, not %s", path, ending + 1)
		      : TR_OK;
}

#define HIDDEN_ENDING ".flitpart"
#define KEPT_ENDING ".part"
#define BASE_BYTES 200 // of the name that a temporary one keeps, so that it is not too long
#define NAMES_TRIED 10000u
#define DESCRIPTORS_SEARCHED 1024
#define COPY_BYTES ((size_t)64 << 10)

struct tr_outfile {
	struct tr_outfile_options options;
	char *path;	 // as asked for
	char *target;	 // absolute, links followed; NULL if an existing file is written in place
	char *temporary; // beside target; NULL if written in place
	char *within; // root's, in a folder of others: what is opened, never through a link; NULL:
		      // the path
	int folder;   // of within; -1: none
	char *shown;  // the temporary name, for messages, where it is within such a folder
	int fd;
	FILE *stream;
	bool regular;
	bool exposed;
	bool created; // under its own name
};

static enum tr_status outfile_fail(const struct tr_outfile *file, struct tr_error *err)
{
	return tr_fail(err, "%s: %s", file->path, errno ? strerror(errno) : "could not be written");
}

// ---- opening

static bool is_opened_as_is(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static int not_followed(const struct tr_outfile *file)
{
	return file->within ? O_NOFOLLOW : 0;
}

static enum tr_status open_in_place(struct tr_outfile *file, struct tr_error *err)
{
	const char *path = file->within ? file->within : file->path;
	struct stat info;

	free(file->target);
	file->target = NULL;
	file->created = stat(path, &info) != 0 && errno == ENOENT;
	file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | not_followed(file), 0666);
	if (file->fd < 0 || fstat(file->fd, &info) != 0)
		return outfile_fail(file, err);
	file->regular = S_ISREG(info.st_mode);
	return TR_OK;
}

// A new file in the target's folder; -1 with errno.
static int create_beside(struct tr_outfile *file, mode_t mode)
{
	const char *base = strrchr(file->target, '/') + 1;
	const int folder_bytes = (int)(base - file->target);
	const bool kept = file->options.keep;
	int fd = -1;

	errno = EEXIST;
	for (unsigned n = 0; n < NAMES_TRIED && fd < 0 && errno == EEXIST; n++) {
		free(file->temporary);
		if (asprintf(&file->temporary, "%.*s%s%.*s.%ld.%u%s", folder_bytes, file->target,
			     kept ? "" : ".", BASE_BYTES, base, (long)getpid(), n,
			     kept ? KEPT_ENDING : HIDDEN_ENDING) < 0) {
			file->temporary = NULL;
			errno = ENOMEM;
			return -1;
		}
		fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  mode);
	}
	if (fd >= 0 && file->within) {
		const char *slash = strrchr(file->path, '/');

		if (asprintf(&file->shown, "%.*s%s", slash ? (int)(slash + 1 - file->path) : 0,
			     file->path, strrchr(file->temporary, '/') + 1) < 0)
			file->shown = NULL;
	}
	if (fd < 0) {
		int why = errno;

		free(file->temporary);
		file->temporary = NULL;
		errno = why;
	}
	return fd;
}

// Gives the new file the owner and mode of the old one. A group that cannot be kept gets the rights
// of others.
static enum tr_status take_over(const struct tr_outfile *file, const struct stat *old,
				struct tr_error *err)
{
	mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);

	if (fchown(file->fd, old->st_uid, old->st_gid) != 0 &&
	    fchown(file->fd, (uid_t)-1, old->st_gid) != 0)
		mode = (mode & ~(mode_t)S_IRWXG) | ((mode & S_IRWXO) << 3 & mode);
	return fchmod(file->fd, mode) == 0 ? TR_OK : outfile_fail(file, err);
}

static enum tr_status open_beside(struct tr_outfile *file, const struct stat *old,
				  struct tr_error *err)
{
	if (old && faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS) != 0)
		return outfile_fail(file, err);
	file->fd = create_beside(file, old ? S_IRUSR | S_IWUSR : 0666);
	if (file->fd < 0 && old && (errno == EACCES || errno == EPERM || errno == EROFS)) {
		file->exposed = true;
		return open_in_place(file, err);
	}
	if (file->fd < 0)
		return outfile_fail(file, err);
	file->regular = true;
	return old ? take_over(file, old, err) : TR_OK;
}

// A new file under its own name.
static enum tr_status open_new(struct tr_outfile *file, struct tr_error *err)
{
	file->fd = open(file->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return errno == EEXIST ? open_in_place(file, err) : outfile_fail(file, err);
	file->created = file->regular = true;
	return TR_OK;
}

static enum tr_status outfile_open_file(struct tr_outfile *file, struct tr_error *err)
{
	const bool as_is = is_opened_as_is(file->path);
	struct stat info;

	if (!as_is && tr_foreign_folder(file->path, &file->folder, &file->within, err) != TR_OK)
		return TR_ERROR;
	if (file->options.in_place && stat(file->within ? file->within : file->path, &info) == 0) {
		file->exposed = S_ISREG(info.st_mode);
		return open_in_place(file, err);
	}
	if (as_is)
		return open_in_place(file, err);
	errno = 0;
	file->target = file->within ? strdup(file->within) : tr_files_resolve(file->path);
	if (!file->target)
		return errno == ENOMEM ? outfile_fail(file, err) : open_in_place(file, err);
	if ((file->within ? lstat : stat)(file->target, &info) == 0)
		return S_ISREG(info.st_mode) ? open_beside(file, &info, err)
					     : open_in_place(file, err);
	if (errno != ENOENT)
		return outfile_fail(file, err);
	return file->options.grows || file->options.in_place ? open_new(file, err)
							     : open_beside(file, NULL, err);
}

static void outfile_free(struct tr_outfile *file)
{
	free(file->path);
	free(file->target);
	free(file->temporary);
	free(file->within);
	free(file->shown);
	if (file->folder >= 0)
		(void)close(file->folder);
	free(file);
}

enum tr_status tr_outfile_open(struct tr_outfile **out, const char *path,
			       const struct tr_outfile_options *options, struct tr_error *err)
{
	struct tr_outfile *file;

	*out = NULL;
	if ((options->another ? tr_files_allow_another : tr_files_allow)(options->files, path,
									 err) != TR_OK)
		return TR_ERROR;
	file = calloc(1, sizeof(*file));
	if (!file || !(file->path = strdup(path))) {
		free(file);
		return tr_no_memory(err, "%s", path);
	}
	file->fd = file->folder = -1;
	file->options = *options;
	if (outfile_open_file(file, err) == TR_OK) {
		*out = file;
		return TR_OK;
	}
	if (file->fd >= 0)
		(void)close(file->fd);
	if (file->temporary)
		(void)unlink(file->temporary);
	outfile_free(file);
	return TR_ERROR;
}

int tr_outfile_descriptor(const struct tr_outfile *file)
{
	return file->fd;
}

FILE *tr_outfile_stream(struct tr_outfile *file)
{
	if (!file->stream)
		file->stream = fdopen(file->fd, "w");
	return file->stream;
}

bool tr_outfile_is_exposed(const struct tr_outfile *file)
{
	return file->exposed;
}

const char *tr_outfile_part(const struct tr_outfile *file)
{
	return !file->options.keep ? NULL : file->shown ? file->shown : file->temporary;
}

// ---- closing

static bool outfile_write_all(int fd, const char *data, size_t bytes)
{
	while (bytes > 0) {
		ssize_t put = write(fd, data, bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		data += put;
		bytes -= (size_t)put;
	}
	return true;
}

static bool copy_bytes(int from, int to)
{
	char *buffer = malloc(COPY_BYTES);
	ssize_t got = -1;

	while (buffer &&
	       ((got = read(from, buffer, COPY_BYTES)) > 0 || (got < 0 && errno == EINTR)))
		if (got > 0 && !outfile_write_all(to, buffer, (size_t)got)) {
			got = -1;
			break;
		}
	free(buffer);
	return got == 0;
}

// Overwrites a file that cannot be replaced (a mount point, another user's file in a sticky folder)
// with the whole new one.
static enum tr_status copy_over(const struct tr_outfile *file, struct tr_error *err)
{
	int from = open(file->temporary, O_RDONLY | O_CLOEXEC);
	int to = from < 0 ? -1
			  : open(file->target, O_WRONLY | O_TRUNC | O_CLOEXEC | not_followed(file));
	bool done = to >= 0 && copy_bytes(from, to) && (!file->options.sync || fsync(to) == 0);
	int why = errno;

	if (to >= 0 && close(to) != 0 && done) {
		done = false;
		why = errno;
	}
	if (from >= 0)
		(void)close(from);
	if (done || to < 0) {
		(void)unlink(file->temporary);
		errno = why;
		return done ? TR_OK : outfile_fail(file, err);
	}
	return tr_fail(err, "%s: %s; the complete output is in %s", file->path, strerror(why),
		       file->shown ? file->shown : file->temporary);
}

// Syncs the new name to disk.
static bool sync_folder(const char *path)
{
	char *folder = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	bool done = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);

	if (fd >= 0)
		(void)close(fd);
	free(folder);
	return done;
}

static enum tr_status outfile_take_name(const struct tr_outfile *file, struct tr_error *err)
{
	if (rename(file->temporary, file->target) != 0) {
		if (errno == EBUSY || errno == EPERM || errno == EACCES || errno == EXDEV)
			return copy_over(file, err);
		(void)outfile_fail(file, err);
		(void)unlink(file->temporary);
		return TR_ERROR;
	}
	if (file->options.sync && !sync_folder(file->target))
		return outfile_fail(file, err);
	return TR_OK;
}

// Flushes and closes. false with errno.
static bool outfile_finish(struct tr_outfile *file, bool whole)
{
	bool done = !file->stream || fflush(file->stream) == 0;
	int why = errno;

	if (done && file->stream &&
	    ferror(file->stream)) { // the stream kept no errno: writing another byte finds it again
		done = false;
		why = write(file->fd, "\n", 1) < 0 ? errno : 0;
	}
	if (done && whole && file->options.sync && file->regular && fsync(file->fd) != 0) {
		done = false;
		why = errno;
	}
	if (!(done && whole) && file->regular && !file->temporary && !file->options.grows)
		(void)!ftruncate(file->fd, 0); // a part must not look whole
	if ((file->stream ? fclose(file->stream) : close(file->fd)) != 0 && done) {
		done = false;
		why = errno;
	}
	errno = why;
	return done;
}

static bool outfile_is_empty(const char *path)
{
	struct stat info;

	return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

// Removes the target of a link, which the opener may not have resolved.
static void remove_empty(const struct tr_outfile *file)
{
	char *target = file->within ? strdup(file->within) : realpath(file->path, NULL);

	if (target && outfile_is_empty(target))
		(void)unlink(target);
	free(target);
}

enum tr_status tr_outfile_close(struct tr_outfile *file, bool whole, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (!file)
		return TR_OK;
	errno = 0;
	if (!outfile_finish(file, whole))
		status = outfile_fail(file, err);
	if (file->temporary && whole && status == TR_OK)
		status = outfile_take_name(file, err);
	else if (file->temporary && (!file->options.keep || outfile_is_empty(file->temporary)))
		(void)unlink(file->temporary);
	if (file->created && !(whole && status == TR_OK))
		remove_empty(file);
	outfile_free(file);
	return status;
}

// Only system calls: the open descriptors are the list of unfinished files.
void tr_outfile_remove_all(void)
{
	static const char folder[] = "/proc/self/fd/";
	const size_t ending = sizeof(HIDDEN_ENDING) - 1;
	char path[PATH_MAX];

	for (unsigned fd = 0; fd < DESCRIPTORS_SEARCHED; fd++) {
		char name[sizeof(folder) + 4];
		char *at = name + sizeof(folder) - 1;
		ssize_t bytes;

		memcpy(name, folder, sizeof(folder) - 1);
		for (unsigned unit = 1000; unit > 0; unit /= 10)
			if (fd >= unit || unit == 1)
				*at++ = (char)('0' + fd / unit % 10);
		*at = '\0';
		bytes = readlink(name, path, sizeof(path) - 1);
		if (bytes <= (ssize_t)ending ||
		    memcmp(path + bytes - ending, HIDDEN_ENDING, ending) != 0)
			continue;
		path[bytes] = '\0';
		(void)unlink(path);
	}
}
