// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program's ranks by the launcher of its MPI library, or by one that was named.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file/spawn.h"
#include "flitmpi.h"

#define SETTINGS 4u // environment variables that ranks get

struct command {
	const char **words;
	size_t count;
	char launcher[PATH_MAX];		// --launcher, cut into words
	char settings[SETTINGS][PATH_MAX + 64]; // NAME=VALUE
};

static void mpi_launch_add(struct command *command, const char *word)
{
	command->words[command->count++] = word;
}

// Where several MPI libraries are installed, Debian adds the library's name to that of its
// launcher.
static const char *own_launcher(enum mpi_kind kind)
{
	static const char *const names[][2] = {{"mpirun.openmpi", "mpirun"},
					       {"mpiexec.hydra", "mpiexec"}};
	struct tr_error err;
	char path[PATH_MAX];

	return names[kind][mpi_find_program(names[kind][0], path, &err) != TR_OK];
}

static enum tr_status add_launcher(struct command *command, const struct mpi_launch *launch,
				   struct tr_error *err)
{
	char *rest = NULL;

	if (!launch->launcher) {
		mpi_launch_add(command, own_launcher(launch->kind));
		return TR_OK;
	}
	if (snprintf(command->launcher, sizeof(command->launcher), "%s", launch->launcher) >=
	    (int)sizeof(command->launcher))
		return tr_fail(err, "--launcher: too long");
	for (char *word = strtok_r(command->launcher, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		if (command->count == MPI_LAUNCH_WORDS)
			return tr_fail(err, "--launcher: expected at most %u words",
				       MPI_LAUNCH_WORDS);
		mpi_launch_add(command, word);
	}
	return command->count > 0 ? TR_OK
				  : tr_fail(err, "--launcher: expected a command, found none");
}

// Launchers of the MPI libraries hand variables to ranks on other hosts if told to; others hand
// over their own environment.
static enum tr_status add_setting(struct command *command, const struct mpi_launch *launch,
				  unsigned number, const char *name, const char *value,
				  struct tr_error *err)
{
	char *setting = command->settings[number];
	const char *slash = strrchr(command->words[0], '/'),
		   *launcher = slash ? slash + 1 : command->words[0];
	const bool mpi = !strncmp(launcher, "mpi", 3) || !strncmp(launcher, "orterun", 7) ||
			 !strncmp(launcher, "prterun", 7);

	if (snprintf(setting, sizeof(command->settings[0]), "%s=%s", name, value) >=
	    (int)sizeof(command->settings[0]))
		return tr_fail(err, "%s: too long", name);
	if (!mpi)
		return setenv(name, value, 1) == 0 ? TR_OK : tr_no_memory(err, "the environment");
	if (launch->kind == MPI_OPENMPI) {
		mpi_launch_add(command, "-x");
		mpi_launch_add(command, setting);
	} else {
		setting[strlen(name)] = '\0';
		mpi_launch_add(command, "-genv");
		mpi_launch_add(command, setting);
		mpi_launch_add(command, setting + strlen(name) + 1);
	}
	return TR_OK;
}

static enum tr_status make_command(struct command *command, const struct mpi_launch *launch,
				   struct tr_error *err)
{
	if (add_launcher(command, launch, err) != TR_OK)
		return TR_ERROR;
	if (launch->ranks) {
		mpi_launch_add(command, "-n");
		mpi_launch_add(command, launch->ranks);
	}
	if (add_setting(command, launch, 0, "LD_PRELOAD", launch->preload->libraries, err) !=
		    TR_OK ||
	    add_setting(command, launch, 1, "FLIT_MPI_RECORD", launch->record, err) != TR_OK ||
	    (launch->clock_each &&
	     add_setting(command, launch, 2, "FLIT_MPI_CLOCKS", "rank", err) != TR_OK) ||
	    (launch->preload->folders && add_setting(command, launch, 3, "LD_LIBRARY_PATH",
						     launch->preload->folders, err) != TR_OK))
		return TR_ERROR;
	for (size_t i = 0; i < launch->program_words; i++)
		mpi_launch_add(command, launch->program[i]);
	return TR_OK;
}

// ---- its end

// What is sent to the launcher, and to what it leaves behind, when a signal is to end the run. Open
// MPI's mpirun drops its ranks if a second signal comes while it ends them, so one from a terminal,
// or to the whole group, has its time first.
static const struct {
	int after_ms;
	int signal; // 0: the one that came, if not from a terminal
} steps[] = {{300, 0}, {3000, SIGTERM}, {8000, SIGKILL}, {8500, SIGKILL}, {9000, SIGKILL}};

#define STEPS (sizeof(steps) / sizeof(*steps))
#define END_MS 10000 // after a signal

static int64_t mpi_launch_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// To all children, those of an ended launcher among them, which we inherit.
static void signal_children(pid_t launcher, int signal)
{
	FILE *children = fopen("/proc/thread-self/children", "r"); // numbers, each with a blank
	char *word = NULL;
	size_t room = 0;

	if (!children) {
		(void)kill(launcher, signal);
		return;
	}
	while (getdelim(&word, &room, ' ', children) > 0) {
		const long child = strtol(word, NULL, 10);

		if (child > 0)
			(void)kill((pid_t)child, signal);
	}
	free(word);
	(void)fclose(children);
}

// Takes all ended children; returns whether one still runs.
static bool reap(pid_t launcher, bool *launcher_runs, int *how)
{
	int ended;
	pid_t child;

	while ((child = waitpid(-1, &ended, WNOHANG)) > 0) {
		if (child != launcher)
			continue;
		*launcher_runs = false;
		*how = ended;
	}
	return child == 0;
}

// Waits until the launcher has ended and, after a signal (of held), also all that it started.
static enum tr_status wait_for(const struct tr_child *child, const sigset_t *held,
			       struct mpi_end *end, struct tr_error *err)
{
	const struct timespec look = {.tv_nsec = 100000000};
	bool runs = true, terminal = false;
	int64_t since = 0;
	size_t step = 0;
	int how = 0;

	while (reap(child->process, &runs, &how) && (runs || end->signal != 0)) {
		siginfo_t info;
		const int signal = end->signal == 0 ? sigwaitinfo(held, &info)
						    : sigtimedwait(held, &info, &look);

		if (signal > 0 && signal != SIGCHLD && end->signal == 0) {
			end->signal = signal;
			terminal = info.si_code == SI_KERNEL;
			since = mpi_launch_now_ms();
		}
		if (end->signal == 0)
			continue;
		for (; step < STEPS && mpi_launch_now_ms() - since >= steps[step].after_ms; step++)
			if (steps[step].signal != 0 || !terminal)
				signal_children(child->process, steps[step].signal != 0
									? steps[step].signal
									: end->signal);
		if (mpi_launch_now_ms() - since > END_MS)
			return tr_fail(
				err, "%s: does not end, even when killed: its ranks may still run",
				child->program);
	}
	end->exit_status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
	return TR_OK;
}

// Shells without job control ignore SIGINT in what they run in the background; launchers take it
// all the same, and so do we.
void mpi_hold_signals(sigset_t *held)
{
	static const int ending[] = {SIGHUP, SIGQUIT};
	struct sigaction present;

	(void)sigemptyset(held);
	(void)sigaddset(held, SIGCHLD);
	(void)sigaddset(held, SIGINT);
	(void)sigaddset(held, SIGTERM);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
			(void)sigaddset(held, ending[i]);
	(void)sigprocmask(SIG_BLOCK, held, NULL);
}

enum tr_status mpi_wait(const struct tr_child *child, const sigset_t *held, int *exit_status,
			struct mpi_end *end, struct tr_error *err)
{
	siginfo_t info;
	int signal;

	do {
		signal = sigwaitinfo(held, &info);
		if (signal > 0 && signal != SIGCHLD) {
			end->signal = signal;
			(void)kill(child->process, SIGTERM);
		}
		info.si_pid = 0; // of another child, which was inherited
	} while (waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		 info.si_pid == 0);
	return tr_spawn_wait(child, exit_status, err);
}

static enum tr_status mpi_launch_run(const char *const *words, const sigset_t *held,
				     struct mpi_end *end, struct tr_error *err)
{
	struct tr_child child;
	enum tr_status status;

	(void)signal(SIGCHLD, SIG_DFL); // not ignored, or its end would be lost
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	status = tr_spawn_start(&child, words, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, err);
	if (status == TR_OK)
		status = wait_for(&child, held, end, err);
	return status;
}

enum tr_status mpi_launch(const struct mpi_launch *launch, struct mpi_end *end,
			  struct tr_error *err)
{
	struct command *command = calloc(1, sizeof(*command));
	enum tr_status status = TR_ERROR;

	if (command)
		command->words = calloc(2 * MPI_LAUNCH_WORDS + launch->program_words + 1,
					sizeof(*command->words));
	if (!command || !command->words)
		status = tr_no_memory(err, "the command");
	else if (make_command(command, launch, err) == TR_OK)
		status = mpi_launch_run(command->words, &launch->held, end, err);
	for (const char *const *name = (const char *const[]){"LD_PRELOAD", "FLIT_MPI_RECORD",
							     "FLIT_MPI_CLOCKS", NULL};
	     *name; name++)
		(void)unsetenv(*name); // for what runs after it
	if (command)
		free(command->words);
	free(command);
	return status;
}
