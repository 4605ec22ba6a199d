// SPDX-License-Identifier: GPL-3.0-or-later
// Which MPI library a program uses, and its recorder.
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/spawn.h"
#include "flitmpi.h"

const struct opt_choice mpi_kinds[] = {
	{"auto", MPI_UNKNOWN, "the one that the program is linked to"},
	{"openmpi", MPI_OPENMPI, "Open MPI"},
	{"mpich", MPI_MPICH, "MPICH"},
	{NULL, 0},
};

// recorder: its path from the folder of flitmpi; NULL: not built.
static const struct {
	const char *name, *library, *recorder;
} kinds[] = {
	[MPI_OPENMPI] = {"Open MPI", "libmpi.so.40", FLIT_MPI_OPENMPI},
	[MPI_MPICH] = {"MPICH", "libmpich.so.12", FLIT_MPI_MPICH},
};

enum tr_status mpi_find_program(const char *program, char path[PATH_MAX], struct tr_error *err)
{
	if (strchr(program, '/')) {
		(void)snprintf(path, PATH_MAX, "%s", program);
		return access(path, X_OK) == 0
			       ? TR_OK
			       : tr_fail(err, "%s: expected a program, found none", program);
	}
	return tr_spawn_find(program, X_OK, path)
		       ? TR_OK
		       : tr_fail(err, "%s: expected a program, found none on PATH", program);
}

// The dynamic loader that a program names; false: it is not a dynamically linked program of this
// machine.
static bool loader_of(int file, char loader[PATH_MAX])
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (pread(file, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		if (pread(file, &segment, sizeof(segment),
			  (off_t)(header.e_phoff + i * sizeof(segment))) !=
		    (ssize_t)sizeof(segment))
			return false;
		if (segment.p_type != PT_INTERP)
			continue;
		memset(loader, 0, PATH_MAX);
		return segment.p_filesz < PATH_MAX &&
		       pread(file, loader, segment.p_filesz, (off_t)segment.p_offset) ==
			       (ssize_t)segment.p_filesz;
	}
	return false;
}

// Open MPI's library comes with one of its own; MPICH's is called so by Debian, and libmpi.so by
// others whose interface is the same (the MPICH ABI: Intel MPI, MVAPICH).
static enum mpi_kind kind_in(FILE *list)
{
	char line[PATH_MAX];
	bool open_pal = false, mpich = false;

	while (fgets(line, sizeof(line), list)) {
		open_pal = open_pal || strstr(line, "libopen-pal.so");
		mpich = mpich || strstr(line, "libmpich.so") || strstr(line, "libmpi.so");
	}
	return open_pal ? MPI_OPENMPI : mpich ? MPI_MPICH : MPI_UNKNOWN;
}

enum tr_status mpi_linked_to(const char *path, enum mpi_kind *kind, struct tr_error *err)
{
	char loader[PATH_MAX];
	const char *const argv[] = {loader, "--list", path, NULL};
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	const bool linked = file >= 0 && loader_of(file, loader);
	struct tr_child child;
	FILE *list;
	int out;

	if (file >= 0)
		(void)close(file);
	*kind = MPI_UNKNOWN;
	if (!linked)
		return TR_OK;
	if (tr_spawn_read(&child, argv, NULL, &out, err) != TR_OK)
		return TR_ERROR;
	list = fdopen(out, "r");
	if (list)
		*kind = kind_in(list);
	if (list)
		(void)fclose(list);
	else
		(void)close(out);
	return tr_spawn_end(&child, err) == TR_OK ? TR_OK : TR_ERROR;
}

static enum tr_status find_recorder(enum mpi_kind kind, char path[PATH_MAX], struct tr_error *err)
{
	if (!kinds[kind].recorder)
		return tr_fail(err,
			       "flitline was built without the recorder for %s, which needs that "
			       "library's header files",
			       kinds[kind].name);
	if (tr_spawn_file_beside(kinds[kind].recorder, path, err) != TR_OK)
		return tr_fail_in(err, "the recorder for %s is missing from this installation",
				  kinds[kind].name);
	return TR_OK;
}

// Names that the dynamic loader finds in the folders of LD_LIBRARY_PATH.
static enum tr_status preload_by_name(struct mpi_preload *preload, const char *recorder,
				      struct tr_error *err)
{
	const char *before = getenv("LD_LIBRARY_PATH");
	const int folder = (int)(strrchr(recorder, '/') - recorder);

	if (recorder[strcspn(recorder, ":;")] != '\0')
		return tr_fail(err,
			       "%s: the dynamic loader takes no path with a colon or a semicolon: "
			       "install flitline elsewhere",
			       recorder);
	if (asprintf(&preload->folders, "%.*s%s%s", folder, recorder,
		     before && *before != '\0' ? ":" : "", before ? before : "") >= 0)
		return TR_OK;
	preload->folders = NULL;
	return tr_no_memory(err, "the names of folders");
}

enum tr_status mpi_preload_make(struct mpi_preload *preload, enum mpi_kind kind, bool late,
				struct tr_error *err)
{
	const char *before = getenv("LD_PRELOAD"), *name;
	char recorder[PATH_MAX];

	if (find_recorder(kind, recorder, err) != TR_OK)
		return TR_ERROR;
	if (recorder[strcspn(recorder, " :")] != '\0' &&
	    preload_by_name(preload, recorder, err) != TR_OK)
		return TR_ERROR;
	name = preload->folders ? strrchr(recorder, '/') + 1 : recorder;
	if (asprintf(&preload->libraries, "%s%s%s%s%s", name, late ? ":" : "",
		     late ? kinds[kind].library : "", before && *before != '\0' ? ":" : "",
		     before ? before : "") >= 0)
		return TR_OK;
	preload->libraries = NULL;
	return tr_no_memory(err, "the names of libraries");
}

void mpi_preload_clear(struct mpi_preload *preload)
{
	free(preload->libraries);
	free(preload->folders);
	*preload = (struct mpi_preload){0};
}
