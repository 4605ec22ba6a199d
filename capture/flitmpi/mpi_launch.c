// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program's ranks by the launcher of its MPI library, or by one that was named.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flitmpi.h"
#include "trace/spawn.h"

#define SETTINGS 3u // environment variables that ranks get

struct command {
	const char **words;
	size_t count;
	char launcher[PATH_MAX];		// --launcher, cut into words
	char settings[SETTINGS][PATH_MAX + 64]; // NAME=VALUE
};

static void add(struct command *command, const char *word)
{
	command->words[command->count++] = word;
}

// Where several MPI libraries are installed, Debian adds the library's name to that of its launcher.
static const char *own_launcher(enum mpi_kind kind)
{
	static const char *const names[][2] = {{"mpirun.openmpi", "mpirun"}, {"mpiexec.hydra", "mpiexec"}};
	struct tr_error err;
	char path[PATH_MAX];

	return names[kind][mpi_find_program(names[kind][0], path, &err) != TR_OK];
}

static enum tr_status add_launcher(struct command *command, const struct mpi_launch *launch, struct tr_error *err)
{
	char *rest = NULL;

	if (!launch->launcher) {
		add(command, own_launcher(launch->kind));
		return TR_OK;
	}
	if (snprintf(command->launcher, sizeof(command->launcher), "%s", launch->launcher) >= (int)sizeof(command->launcher))
		return tr_fail(err, "--launcher: too long");
	for (char *word = strtok_r(command->launcher, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (command->count == MPI_LAUNCH_WORDS)
			return tr_fail(err, "--launcher: expected at most %u words", MPI_LAUNCH_WORDS);
		add(command, word);
	}
	return command->count > 0 ? TR_OK : tr_fail(err, "--launcher: expected a command, found none");
}

// Launchers of the MPI libraries hand variables to ranks on other hosts if told to; others hand over their own environment.
static enum tr_status add_setting(struct command *command, const struct mpi_launch *launch, unsigned number, const char *name,
				  const char *value, struct tr_error *err)
{
	char *setting = command->settings[number];
	const char *slash = strrchr(command->words[0], '/'), *launcher = slash ? slash + 1 : command->words[0];
	const bool mpi = !strncmp(launcher, "mpi", 3) || !strncmp(launcher, "orterun", 7) || !strncmp(launcher, "prterun", 7);

	if (snprintf(setting, sizeof(command->settings[0]), "%s=%s", name, value) >= (int)sizeof(command->settings[0]))
		return tr_fail(err, "%s: too long", name);
	if (!mpi)
		return setenv(name, value, 1) == 0 ? TR_OK : tr_no_memory(err, "the environment");
	if (launch->kind == MPI_OPENMPI) {
		add(command, "-x");
		add(command, setting);
	} else {
		setting[strlen(name)] = '\0';
		add(command, "-genv");
		add(command, setting);
		add(command, setting + strlen(name) + 1);
	}
	return TR_OK;
}

static enum tr_status make_command(struct command *command, const struct mpi_launch *launch, struct tr_error *err)
{
	if (add_launcher(command, launch, err) != TR_OK)
		return TR_ERROR;
	if (launch->ranks) {
		add(command, "-n");
		add(command, launch->ranks);
	}
	if (add_setting(command, launch, 0, "LD_PRELOAD", launch->preload, err) != TR_OK ||
	    add_setting(command, launch, 1, "FLIT_MPI_RECORD", launch->record, err) != TR_OK ||
	    (launch->clock_each && add_setting(command, launch, 2, "FLIT_MPI_CLOCKS", "rank", err) != TR_OK))
		return TR_ERROR;
	for (size_t i = 0; i < launch->program_words; i++)
		add(command, launch->program[i]);
	return TR_OK;
}

static void stay(int signal)
{
	(void)signal;
}

// Handled signals have their default in the child, so the launcher ends as it would alone.
static enum tr_status run(const char *const *words, int *exit_status, struct tr_error *err)
{
	const struct sigaction handler = {.sa_handler = stay, .sa_flags = SA_RESTART};
	const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction before[sizeof(signals) / sizeof(*signals)];
	struct tr_child child;
	enum tr_status status;
	int ended = 0;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		(void)sigaction(signals[i], &handler, &before[i]);
	status = tr_spawn_start(&child, words, STDIN_FILENO, STDOUT_FILENO, err);
	if (status == TR_OK && waitpid(child.process, &ended, 0) < 0)
		status = tr_fail(err, "%s: cannot wait for it", words[0]);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		(void)sigaction(signals[i], &before[i], NULL);
	*exit_status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
	return status;
}

enum tr_status mpi_launch(const struct mpi_launch *launch, int *exit_status, struct tr_error *err)
{
	struct command *command = calloc(1, sizeof(*command));
	enum tr_status status = TR_ERROR;

	if (command)
		command->words = calloc(2 * MPI_LAUNCH_WORDS + launch->program_words + 1, sizeof(*command->words));
	if (!command || !command->words)
		status = tr_no_memory(err, "the command");
	else if (make_command(command, launch, err) == TR_OK)
		status = run(command->words, exit_status, err);
	for (const char *const *name = (const char *const[]){"LD_PRELOAD", "FLIT_MPI_RECORD", "FLIT_MPI_CLOCKS", NULL}; *name;
	     name++)
		(void)unsetenv(*name); // for what runs after it
	if (command)
		free(command->words);
	free(command);
	return status;
}
