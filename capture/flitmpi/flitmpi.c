// SPDX-License-Identifier: GPL-3.0-or-later
// flitmpi: runs an MPI program and records what its ranks send, receive and take part in.
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "flitmpi.h"
#include "foreign/event_goal.h"
#include "foreign/mpi_record.h"
#include "tool/tool.h"

#define RECORD_NAME "rank" // of the files in a folder of ours

struct flitmpi_recording {
	struct tool *tool;
	const char *ranks;
	int mpi; // enum mpi_kind
	const char *launcher;
	bool clock_each;
	const char *messages, *goal;
	const char *keep; // the records' name without the rank; NULL: they go
	struct opt_list ways;
	bool print_library;
	const char **program; // and its arguments
	size_t words;
	char folder[PATH_MAX]; // made for the records; empty: none
	char record[PATH_MAX + 16];
	uint32_t recorded; // ranks
	sigset_t held;	   // until the folder is removed
	struct mpi_end end;
};

// ---- the library

// What to preload, and the kind of MPI that decided it.
static enum tr_status choose_library(const struct flitmpi_recording *recording, enum mpi_kind *kind,
				     struct mpi_preload *preload, struct tr_error *err)
{
	char program[PATH_MAX];
	enum mpi_kind linked = MPI_UNKNOWN;

	if (mpi_find_program(recording->program[0], program, err) != TR_OK ||
	    mpi_linked_to(program, &linked, err) != TR_OK)
		return TR_ERROR;
	*kind = recording->mpi == MPI_UNKNOWN ? linked : (enum mpi_kind)recording->mpi;
	if (*kind == MPI_UNKNOWN)
		return tr_fail(
			err,
			"%s: not linked to an MPI library that flitmpi can record; if it loads one "
			"at run time or starts another program, name the library with --library",
			program);
	if (linked != MPI_UNKNOWN && linked != *kind)
		return tr_fail(err, "%s: is linked to another MPI library than --library names",
			       program);
	return mpi_preload_make(preload, *kind, linked == MPI_UNKNOWN, err);
}

static enum tr_status print_library(const struct flitmpi_recording *recording,
				    const struct mpi_preload *preload, struct tr_error *err)
{
	if (preload->folders)
		return tr_fail(err,
			       "LD_PRELOAD cannot take the recorder's path, which contains a "
			       "blank: set LD_PRELOAD='%s' and LD_LIBRARY_PATH='%s'",
			       preload->libraries, preload->folders);
	(void)fprintf(tool_stdout(recording->tool), "%s\n", preload->libraries);
	return TR_OK;
}

// ---- the records

static enum tr_status make_folder(struct flitmpi_recording *recording, struct tr_error *err)
{
	const char *temporary = getenv("TMPDIR");
	char *absolute;

	if (recording->keep) {
		if (recording->keep[0] != '/') { // ranks may run in folders of their own
			absolute = getcwd(NULL, 0);
			if (!absolute)
				return tr_fail(err,
					       "%s: cannot find the path of the current folder",
					       recording->keep);
			(void)snprintf(recording->record, sizeof(recording->record), "%s/%s",
				       absolute, recording->keep);
			free(absolute);
		} else {
			(void)snprintf(recording->record, sizeof(recording->record), "%s",
				       recording->keep);
		}
		return TR_OK;
	}
	(void)snprintf(recording->folder, sizeof(recording->folder), "%s/flitmpi.XXXXXX",
		       temporary && *temporary != '\0' ? temporary : "/tmp");
	if (!mkdtemp(recording->folder)) {
		recording->folder[0] = '\0';
		return tr_fail(
			err,
			"cannot create a folder for the records (--record names another place)");
	}
	(void)snprintf(recording->record, sizeof(recording->record), "%s/" RECORD_NAME,
		       recording->folder);
	return TR_OK;
}

static void remove_folder(const struct flitmpi_recording *recording)
{
	char path[sizeof(recording->record) + 16];

	if (recording->folder[0] == '\0')
		return;
	for (uint32_t rank = 0; rank < recording->recorded; rank++) {
		(void)snprintf(path, sizeof(path), "%s.%" PRIu32, recording->record, rank);
		(void)unlink(path);
	}
	(void)rmdir(recording->folder);
}

// What all records say together.
struct flitmpi_summary {
	uint64_t operations, lost;
	uint32_t cut, unfinalized, compared;
	uint64_t round_ns; // the longest
	int64_t residual_ns;
	double drift; // the largest
};

static void take_clocks(struct flitmpi_summary *sum, const struct mpi_record *record)
{
	const struct mpi_record_clock *clock = record->clock;
	double drift;

	sum->compared += clock[0].round_ns > 0;
	for (int i = 0; i < 2; i++) {
		const int64_t residual = clock[i].residual_ns < 0 ? -clock[i].residual_ns
								  : clock[i].residual_ns;

		sum->round_ns = clock[i].round_ns > sum->round_ns ? clock[i].round_ns
								  : sum->round_ns;
		sum->residual_ns = residual > sum->residual_ns ? residual : sum->residual_ns;
	}
	if (!clock[0].known || !clock[1].known || clock[1].at_ns <= clock[0].at_ns)
		return;
	drift = (double)(clock[1].offset_ns - clock[0].offset_ns) /
		(double)(clock[1].at_ns - clock[0].at_ns);
	drift = drift < 0 ? -drift : drift;
	sum->drift = drift > sum->drift ? drift : sum->drift;
}

static enum tr_status flitmpi_take_record(struct flitmpi_recording *recording, uint32_t rank,
					  struct flitmpi_summary *sum, struct tr_error *err)
{
	char path[sizeof(recording->record) + 16];
	struct mpi_record record = {0};
	struct tr_source *source;
	enum tr_status status;

	(void)snprintf(path, sizeof(path), "%s.%" PRIu32, recording->record, rank);
	status = tr_source_open(&source, path, err);
	if (status == TR_OK) {
		status = mpi_record_read(&record, source, err);
		tr_source_close(source);
	}
	if (status == TR_OK) {
		recording->recorded = record.ranks;
		sum->operations += record.operations;
		sum->lost += record.lost;
		sum->cut += !record.ended;
		sum->unfinalized += record.ended && !record.finalized;
		take_clocks(sum, &record);
	}
	mpi_record_clear(&record);
	return status;
}

static void flitmpi_tell(struct flitmpi_recording *recording, const struct flitmpi_summary *sum)
{
	struct tool *tool = recording->tool;

	tool_warn(tool, "%" PRIu32 " ranks, %" PRIu64 " operations", recording->recorded,
		  sum->operations);
	if (sum->cut > 0)
		tool_warn(tool, "%" PRIu32 " ranks were killed: their records end there", sum->cut);
	if (sum->unfinalized > 0)
		tool_warn(tool, "%" PRIu32 " ranks ended without MPI_Finalize", sum->unfinalized);
	if (sum->lost > 0)
		tool_survived(tool, "%" PRIu64 " calls are not recorded: no room for their records",
			      sum->lost);
	if (sum->compared > 0)
		tool_warn(tool,
			  "clocks of %" PRIu32 " ranks: off by at most %" PRIu64 ".%03" PRIu64
			  " us when compared, drift up to %.2f ppm, "
			  "residual up to %" PRIu64 ".%03" PRIu64 " us",
			  sum->compared, sum->round_ns / 2000, sum->round_ns / 2 % 1000,
			  sum->drift * 1e6, (uint64_t)sum->residual_ns / 1000,
			  (uint64_t)sum->residual_ns % 1000);
}

// Whether a signal came since the ranks ended.
static bool is_ended(struct flitmpi_recording *recording, struct tr_error *err)
{
	const struct timespec none = {0};
	sigset_t ending = recording->held;
	int signal;

	(void)sigdelset(&ending, SIGCHLD);
	signal = sigtimedwait(&ending, NULL, &none);
	if (signal <= 0)
		return false;
	recording->end.signal = signal;
	(void)tr_fail(err, "%s (signal %d) while the records were read", strsignal(signal), signal);
	return true;
}

// Reads the records of the ranks. TR_END: there is none.
static enum tr_status inspect(struct flitmpi_recording *recording, struct tr_error *err)
{
	struct flitmpi_summary sum = {0};
	char path[sizeof(recording->record) + 16];

	(void)snprintf(path, sizeof(path), "%s.0", recording->record);
	if (access(path, R_OK) != 0)
		return tr_fail(err, "%s was not recorded: rank 0 did not return from MPI_Init",
			       recording->program[0]);
	if (flitmpi_take_record(recording, 0, &sum, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t rank = 1; rank < recording->recorded; rank++)
		if (is_ended(recording, err) ||
		    flitmpi_take_record(recording, rank, &sum, err) != TR_OK)
			return TR_ERROR;
	flitmpi_tell(recording, &sum);
	return TR_OK;
}

// ---- the outputs, which flitread makes

static enum tr_status flitmpi_convert(struct flitmpi_recording *recording, const char *target,
				      const char *output, struct tr_error *err)
{
	char path[PATH_MAX], first[sizeof(recording->record) + 16];
	const bool goal = !strcmp(target, "goal");
	const size_t ways = goal ? recording->ways.count : 0;
	const char **argv = calloc(12 + 2 * ways, sizeof(*argv));
	struct tr_child child;
	enum tr_status status;
	size_t count = 0;
	int exit_status;

	if (!argv)
		return tr_no_memory(err, "a command");
	(void)snprintf(first, sizeof(first), "%s.0", recording->record);
	argv[count++] = tr_spawn_beside("flitread", path);
	argv[count++] = "--from=mpi";
	argv[count++] = "--format";
	argv[count++] = target;
	argv[count++] = "--write";
	argv[count++] = output;
	for (size_t i = 0; i < ways; i++) {
		argv[count++] = "--collective";
		argv[count++] = recording->ways.words[i];
	}
	if (tool_quiet(recording->tool))
		argv[count++] = "--quiet";
	argv[count++] = first;
	status = tr_spawn_start(&child, argv, STDIN_FILENO, STDERR_FILENO, STDERR_FILENO, err);
	if (status == TR_OK)
		status = mpi_wait(&child, &recording->held, &exit_status, &recording->end, err);
	if (status == TR_OK && exit_status != 0)
		status = tr_fail(err, "%s: not written (flitread ended with status %d)", output,
				 exit_status);
	free(argv);
	return status;
}

static enum tr_status write_outputs(struct flitmpi_recording *recording, struct tr_error *err)
{
	enum tr_status status = inspect(recording, err);

	if (status == TR_OK && recording->messages)
		status = flitmpi_convert(recording, "messages", recording->messages, err);
	if (status == TR_OK && recording->goal)
		status = flitmpi_convert(recording, "goal", recording->goal, err);
	return status;
}

static enum tr_status record(struct flitmpi_recording *recording, struct tr_error *err)
{
	struct mpi_preload preload = {0};
	struct mpi_launch launch = {.launcher = recording->launcher,
				    .ranks = recording->ranks,
				    .preload = &preload,
				    .record = recording->record,
				    .clock_each = recording->clock_each,
				    .program = recording->program,
				    .program_words = recording->words};
	enum tr_status status = choose_library(recording, &launch.kind, &preload, err);

	if (status == TR_OK && recording->print_library) {
		status = print_library(recording, &preload, err);
	} else if (status == TR_OK) {
		mpi_hold_signals(&recording->held);
		launch.held = recording->held;
		status = make_folder(recording, err);
		if (status == TR_OK)
			status = mpi_launch(&launch, &recording->end, err);
		if (status == TR_OK && recording->end.signal != 0)
			tool_survived(recording->tool,
				      "%s (signal %d) ended the run: the output contains what was "
				      "recorded until then",
				      strsignal(recording->end.signal), recording->end.signal);
		if (status == TR_OK)
			status = write_outputs(recording, err);
	}
	mpi_preload_clear(&preload);
	return status;
}

static void flitmpi_run(struct flitmpi_recording *recording)
{
	struct tool *tool = recording->tool;
	struct tr_error err;

	recording->words = tool_operand_count(tool);
	recording->program = calloc(recording->words + 1, sizeof(*recording->program));
	if (!recording->program) {
		tool_no_memory(tool, "the program's arguments");
		return;
	}
	for (size_t i = 0; i < recording->words; i++)
		recording->program[i] = tool_operand(tool, i);
	if (recording->words == 0)
		tool_error(tool, "expected a program, as in: flitmpi -n 4 -w run.flt ./program");
	else if (!recording->messages && !recording->goal && !recording->keep &&
		 !recording->print_library)
		tool_error(tool, "nothing to write: expected -w, --goal or --record");
	else if (record(recording, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (recording->end.signal == 0 && recording->end.exit_status != 0)
		tool_verdict(tool, "%s ended with status %d", recording->program[0],
			     recording->end.exit_status);
	remove_folder(recording);
	free(recording->program);
}

int main(int argc, char **argv)
{
	struct flitmpi_recording recording = {.mpi = MPI_UNKNOWN};
	const struct opt opts[] = {
		OPT_GROUP("Run"),
		OPT_STRING('n', "ranks", "N", &recording.ranks,
			   "number of ranks" OPT_DEFAULT("as the launcher decides")),
		OPT_CHOICE(0, "library", &recording.mpi, mpi_kinds,
			   "MPI library, if the program is not linked to it"),
		OPT_STRING(0, "launcher", "COMMAND", &recording.launcher,
			   "start the ranks with this command (\"srun -N 2\")"),
		OPT_FLAG(0, "clock-each", &recording.clock_each,
			 "compare the clock of each rank, even on one host"),
		OPT_FLAG(0, "print-library", &recording.print_library,
			 "print what to preload, and exit"),
		OPT_GROUP("Output"),
		OPT_ALSO_WRITE(&recording.messages),
		OPT_SILENT_FILE(0, "goal", &recording.goal,
				"write the operations to FILE, as a program to replay"),
		OPT_COLLECTIVE(&recording.ways),
		OPT_STRING(0, "record", "NAME", &recording.keep,
			   "keep the ranks' records as NAME.0, NAME.1 and so on"),
		OPT_ONLY_WITH("collective", "goal"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitmpi",
		"[option ...] program [argument ...]",
		"Runs an MPI program and records its messages and operations.",
		opts,
		NULL,
		true};
	int status;

	recording.tool = tool_start(argc, argv, &spec);
	flitmpi_run(&recording);
	status = tool_finish(recording.tool, TOOL_OK);
	if (recording.end.signal != 0) {
		(void)signal(recording.end.signal, SIG_DFL);
		(void)sigprocmask(SIG_UNBLOCK, &recording.held, NULL);
		(void)raise(
			recording.end.signal); // as it would have been without an output to finish
	}
	return status;
}
