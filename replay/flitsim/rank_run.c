// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim under mpirun or srun. What passes letters between ranks is in a library for each MPI, of
// the package flitline-mpi, and is loaded where the environment tells of several ranks.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/spawn.h"
#include "mpi/post_mpi.h"
#include "run_engine.h"
#include "value/num.h"

#define NAME_BYTES 64u
#define ALONE "env -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE -u PMIX_RANK flitsim"

// MPI libraries, and the variables in which their starters say how many ranks there are, and which
// one this is. own: the library of flitsim, by its path from the program's folder; NULL: not built.
static const struct rank_starter {
	const char *name, *count, *rank, *own;
	const char *libraries[3];
} starters[] = {
	{"Open MPI",
	 "OMPI_COMM_WORLD_SIZE",
	 "OMPI_COMM_WORLD_RANK",
	 FLIT_MPI_OPENMPI,
	 {"libmpi.so.40"}},
	{"MPICH", "PMI_SIZE", "PMI_RANK", FLIT_MPI_MPICH, {"libmpich.so.12", "libmpi.so.12"}},
	{"Open MPI", "SLURM_STEP_NUM_TASKS", "PMIX_RANK", FLIT_MPI_OPENMPI, {"libmpi.so.40"}},
};

// What rank 0 says before the run; its version and arguments follow.
struct rank_begin {
	uint64_t ticks_per_s;
	struct net_sampling sampling;
	uint64_t files;
	uint32_t threads;
	uint32_t words_bytes;
	char engine[NAME_BYTES];
};

// ---- which rank

static uint64_t rank_number(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);
	uint64_t number;

	return text && num_parse_count(text, 0, UINT32_MAX, &number, NULL) == TR_OK ? number
										    : otherwise;
}

// The starter of this process: what an earlier one in the list says, a later one may have said of a
// process around it. NULL: none.
static const struct rank_starter *rank_starter_said(void)
{
	for (size_t i = 0; i < sizeof(starters) / sizeof(*starters); i++)
		if (getenv(starters[i].count) && getenv(starters[i].rank))
			return &starters[i];
	return NULL;
}

// NULL: this is one process.
static const struct rank_starter *rank_started_by(void)
{
	const struct rank_starter *starter = rank_starter_said();

	return starter && rank_number(starter->count, 1) > 1 ? starter : NULL;
}

// Open MPI gives a rank a terminal of its own, whatever its output goes to. Behind a pipe what is
// printed is what a file gets; the process that copies it ends once all of it is written.
static void rank_leave_terminal(void)
{
	char bytes[65536];
	int ends[2];
	ssize_t count;

	if (!isatty(STDOUT_FILENO) || pipe(ends) != 0)
		return;
	switch (fork()) {
	case -1: break;
	case 0:
		(void)close(ends[1]);
		while ((count = read(ends[0], bytes, sizeof(bytes))) > 0)
			for (ssize_t done = 0, part = 0; done < count; done += part)
				if ((part = write(STDOUT_FILENO, bytes + done,
						  (size_t)(count - done))) <= 0)
					_exit(1);
		_exit(0);
	default: (void)dup2(ends[1], STDOUT_FILENO);
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
}

void rank_run_prepare(struct rank_run *run, int argc, char **argv)
{
	const struct rank_starter *starter = rank_started_by();
	int nowhere;

	*run = (struct rank_run){.argv = (const char *const *)argv, .argc = argc, .said = -1};
	if (rank_starter_said() == starters && rank_number(starters->rank, 0) == 0)
		rank_leave_terminal();
	if (!starter || rank_number(starter->rank, 0) == 0)
		return;
	run->said = memfd_create("messages", MFD_CLOEXEC);
	run->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0)
		(void)dup2(nowhere, STDOUT_FILENO);
	if (run->said >= 0)
		(void)dup2(run->said, STDERR_FILENO);
}

bool rank_run_follows(const struct rank_run *run)
{
	return run->several && run->ranks.post.rank > 0;
}

// ---- the library

static enum tr_status rank_load_mpi(const struct rank_starter *starter, struct tr_error *err)
{
	for (size_t i = 0; starter->libraries[i]; i++)
		if (dlopen(starter->libraries[i], RTLD_NOW | RTLD_GLOBAL))
			return TR_OK;
	return tr_fail(err, "%s", dlerror());
}

static enum tr_status rank_load(const struct rank_starter *starter, post_mpi_open **open,
				struct tr_error *err)
{
	char path[PATH_MAX];
	void *library;

	if (!starter->own)
		return tr_fail(err, "this flitsim was built without %s", starter->name);
	if (tr_spawn_file_beside(starter->own, path, err) != TR_OK ||
	    rank_load_mpi(starter, err) != TR_OK)
		return TR_ERROR;
	library = dlopen(path, RTLD_NOW);
	if (!library)
		return tr_fail(err, "%s", dlerror());
	*(void **)open = dlsym(library, POST_MPI_OPEN);
	return *open ? TR_OK : tr_fail(err, "%s: not of this flitline", path);
}

bool rank_run_join(struct rank_run *run, struct tool *tool)
{
	const struct rank_starter *starter = rank_started_by();
	struct sim_post post;
	post_mpi_open *open;
	struct tr_error err;

	if (!starter)
		return true;
	if (rank_load(starter, &open, &err) != TR_OK) {
		tool_error(tool,
			   "%s has started %llu ranks, and what joins them is missing: %s; install "
			   "the package flitline-mpi, or start one: mpirun -n 1 flitsim",
			   starter->name, (unsigned long long)rank_number(starter->count, 1),
			   err.text);
		return false;
	}
	if (!open(&post)) {
		tool_error(tool, "%s does not start", starter->name);
		return false;
	}
	run->several = true;
	if (!sim_ranks_open(&run->ranks, &post)) {
		tool_no_memory(tool, "the ranks");
		return false;
	}
	if (post.count == rank_number(starter->count, 1))
		return true;
	tool_error(tool,
		   "%s is %s, of which %u joined: the variable is left from another start, or "
		   "that was by another MPI library; for a run of its own, " ALONE,
		   starter->count, getenv(starter->count), post.count);
	return false;
}

// ---- rank 0 tells the others what it runs

// The version and the arguments, each with its terminating zero. Returns their size; words NULL:
// nothing else.
static uint32_t rank_words(const struct rank_run *run, char *words)
{
	size_t bytes = 0;

	for (int i = 0; i < run->argc; i++) {
		const char *word = i == 0 ? FLIT_VERSION : run->argv[i];

		if (words)
			memcpy(words + bytes, word, strlen(word) + 1);
		bytes += strlen(word) + 1;
	}
	return (uint32_t)bytes;
}

void rank_run_begin(struct rank_run *run, const struct net_engine *engine, struct net_setup *setup)
{
	struct rank_begin begin = {.ticks_per_s = setup->ticks_per_s,
				   .sampling = setup->sampling,
				   .files = run->files,
				   .threads = setup->threads,
				   .words_bytes = rank_words(run, NULL)};

	if (!run->several)
		return;
	setup->ranks = &run->ranks;
	(void)snprintf(begin.engine, sizeof(begin.engine), "%s", engine->name);
	sim_ranks_order(&run->ranks, SIM_ORDER_BEGIN);
	for (uint32_t i = 1; i < run->ranks.post.count; i++) {
		char *words;

		sim_ranks_put(&run->ranks, i, &begin, sizeof(begin));
		words = sim_ranks_add(&run->ranks, i, begin.words_bytes);
		if (words)
			(void)rank_words(run, words);
	}
	(void)sim_ranks_send_order(&run->ranks); // a failure shows in the next one
	sim_ranks_settle(&run->ranks);
}

static bool rank_has_words(const struct rank_run *run, const char *words, uint32_t bytes)
{
	char *own;
	bool same;

	if (!words || rank_words(run, NULL) != bytes)
		return false;
	own = malloc(bytes);
	if (own)
		(void)rank_words(run, own);
	same = own && memcmp(own, words, bytes) == 0;
	free(own);
	return same;
}

bool rank_run_follow(struct rank_run *run, struct tool *tool, const struct fabric *fabric,
		     struct net_setup *setup)
{
	const struct rank_begin *begin = NULL;
	const struct net_engine *engine;
	struct net_totals totals;
	struct tr_error err;
	const char *words;

	if (sim_ranks_hear(&run->ranks) != SIM_ORDER_OVER)
		begin = sim_ranks_get(&run->ranks, 0, sizeof(*begin));
	if (!begin)
		return true;
	words = sim_ranks_get(&run->ranks, 0, begin->words_bytes);
	if (!rank_has_words(run, words, begin->words_bytes)) {
		tool_error(tool, "started with other arguments, or of another version, than rank "
				 "0: for runs of their own, " ALONE);
		return false;
	}
	if (begin->files != run->files) {
		tool_error(tool, "the file of its network, routes or keys is not that of rank 0");
		return false;
	}
	setup->ranks = &run->ranks;
	setup->ticks_per_s = begin->ticks_per_s;
	setup->sampling = begin->sampling;
	setup->threads = begin->threads;
	engine = fabric_engine(fabric, begin->engine, &err);
	if (engine && fabric_setup(fabric, setup, &err) == TR_OK &&
	    engine->run(setup, &totals, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
}

// ---- the end

// The last line of what a rank above 0 has said.
static void rank_last_line(const struct rank_run *run, char *text, size_t text_bytes)
{
	const off_t end = run->said >= 0 ? lseek(run->said, 0, SEEK_END) : 0;
	const size_t most = text_bytes - 1;
	const off_t from = end > (off_t)most ? end - (off_t)most : 0;
	const ssize_t read = run->said >= 0 ? pread(run->said, text, most, from) : 0;
	const size_t bytes = read > 0 ? (size_t)read : 0;
	char *line;

	text[bytes] = '\0';
	if (bytes > 0 && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (strncmp(line, "flitsim: ", 9) == 0)
		line += 9;
	memmove(text, line, strlen(line) + 1);
}

// One that has not joined has nobody to tell.
static void rank_say_itself(const struct rank_run *run)
{
	struct tr_error err = {0};

	(void)fflush(stderr);
	rank_last_line(run, err.text, sizeof(err.text));
	if (*err.text != '\0')
		dprintf(run->errors, "flitsim: a rank above 0: %s\n", err.text);
}

int rank_run_leave(struct rank_run *run, int status)
{
	struct sim_ranks *ranks = &run->ranks;
	struct tr_error err = {0};

	if (run->said >= 0 && !rank_run_follows(run))
		rank_say_itself(run);
	if (!run->several)
		return status;
	if (rank_run_follows(run)) {
		(void)fflush(stderr);
		rank_last_line(run, err.text, sizeof(err.text));
		sim_ranks_refuse(ranks, err.text, sizeof(err.text));
		status = ranks->status;
	} else {
		sim_ranks_end(ranks, status);
	}
	sim_ranks_close(ranks);
	return status;
}
