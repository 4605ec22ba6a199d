// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "value/num.h"

#define ROOM_MIN 64u	  // for orders
#define LOOKS_AT_CHILD 20 // 10 ms apart

struct run {
	struct tool *tool;
	const struct bench_setup *setup;
	struct bench_results *results;
	struct channel channel;
	int processors[2]; // of each side; -1: any
};

// ---- processors

static enum tr_status parse_pin(const char *text, int processors[2], struct tr_error *err)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	const char *const words[] = {text, comma ? comma + 1 : NULL};

	processors[0] = processors[1] = -1;
	for (size_t i = 0; i < 2 && words[i]; i++) {
		char word[16];
		uint64_t number;
		const size_t length = i == 0 && comma ? (size_t)(comma - text) : strlen(words[i]);

		(void)snprintf(word, sizeof(word), "%.*s",
			       (int)(length < sizeof(word) ? length : sizeof(word)), words[i]);
		if (num_parse_count(word, 0, CPU_SETSIZE - 1, &number, err) != TR_OK)
			return tr_fail_in(err, "--pin %s", text);
		processors[i] = (int)number;
	}
	return TR_OK;
}

// Those that this process may use, as "0-3,8".
static void list_processors(char *text, size_t bytes)
{
	cpu_set_t set;

	*text = '\0';
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	for (unsigned first = 0; first < CPU_SETSIZE; first++) {
		const size_t used = strlen(text);
		unsigned last = first;

		if (!CPU_ISSET(first, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		(void)snprintf(text + used, bytes - used, last > first ? "%s%u-%u" : "%s%u",
			       used > 0 ? "," : "", first, last);
		first = last;
	}
}

static enum tr_status pin(const struct run *run, enum channel_side side, struct tr_error *err)
{
	const int processor = run->processors[side];
	char usable[128];
	cpu_set_t set;

	if (processor < 0)
		return TR_OK;
	CPU_ZERO(&set);
	CPU_SET((unsigned)processor, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		return TR_OK;
	list_processors(usable, sizeof(usable));
	return tr_fail(err, "--pin: processor %d: %s; this process may use %s", processor,
		       strerror(errno), usable);
}

// ---- the sides

static void launch_show_progress(void *context, size_t repeat)
{
	const struct run *run = context;

	tool_progress_part(run->tool, (double)repeat / (double)run->setup->repeats,
			   "%zu of %" PRIu64 " repeats", repeat, run->setup->repeats);
}

static bool loggp_sizes(const struct run *run)
{
	struct loggp *loggp = run->results->loggp;
	const size_t bytes_min = run->channel.transport->bytes_min,
		     sizes = bench_sizes(run->setup, bytes_min, NULL);
	uint64_t *bytes = calloc(sizes, sizeof(*bytes));

	loggp->list = calloc(sizes, sizeof(*loggp->list));
	if (bytes && loggp->list) {
		(void)bench_sizes(run->setup, bytes_min, bytes);
		for (size_t i = 0; i < sizes; i++)
			loggp->list[i].bytes = bytes[i];
		loggp->sizes = sizes;
	}
	free(bytes);
	return loggp->sizes > 0;
}

// The work of a side whose channel is open.
static enum tr_status launch_take_part(struct run *run, enum channel_side side,
				       struct tr_error *err)
{
	if (side == CHANNEL_ANSWERS)
		return bench_answer(&run->channel, err);
	if (run->results->loggp) {
		run->results->over = run->channel.transport->name;
		if (!loggp_sizes(run))
			return tr_no_memory(err, "the sizes");
		return bench_loggp(&run->channel, run->setup, run->results->loggp,
				   launch_show_progress, run, err);
	}
	return bench_time(&run->channel, run->setup, run->results, launch_show_progress, run, err);
}

static bool launch_end(struct run *run, enum tr_status status, const struct tr_error *err)
{
	channel_close(&run->channel);
	if (status != TR_OK && *err->text != '\0')
		tool_error(run->tool, "%s", err->text);
	return status == TR_OK;
}

// ---- two processes of this host

// The child answers, says what went wrong, and ends; it does nothing else of this program.
static void answer_and_exit(struct run *run, pid_t parent)
{
	struct tr_error err;
	bool well;

	// It must not outlive its parent, which may have ended already.
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		_exit(TOOL_FAILED);
	channel_set_deadline(&run->channel);
	well = pin(run, CHANNEL_ANSWERS, &err) == TR_OK &&
	       run->channel.transport->join(&run->channel, CHANNEL_ANSWERS, &err) == TR_OK &&
	       bench_answer(&run->channel, &err) == TR_OK;
	if (!well)
		tool_error(run->tool, "the answering process: %s", err.text);
	_exit(well ? TOOL_OK : TOOL_FAILED);
}

// Whether the child has ended by itself, with a message; a side that failed notices before the
// other has quite gone.
static bool has_ended(pid_t child, int *how)
{
	for (int looks = 0; looks < LOOKS_AT_CHILD; looks++) {
		if (waitpid(child, how, WNOHANG) == child)
			return true;
		(void)usleep(10000);
	}
	return false;
}

// Waits for the child. If our side failed it is killed, unless it has ended by itself; then it has
// said why, and err is empty.
static enum tr_status launch_reap(pid_t child, enum tr_status status, struct tr_error *err)
{
	int how = 0;

	if (status != TR_OK && has_ended(child, &how)) {
		if (WIFEXITED(how) && WEXITSTATUS(how) == TOOL_FAILED)
			*err->text = '\0';
		return status;
	}
	if (status != TR_OK)
		(void)kill(child, SIGKILL);
	while (waitpid(child, &how, 0) < 0)
		if (errno != EINTR)
			return tr_fail(err, "the answering process is lost: %s", strerror(errno));
	if (status != TR_OK || (WIFEXITED(how) && WEXITSTATUS(how) == 0))
		return status;
	*err->text = '\0';
	return WIFEXITED(how) ? TR_ERROR : tr_fail(err, "a signal ended the answering process");
}

static enum tr_status run_forked(struct run *run, struct tr_error *err)
{
	const struct transport *transport = run->channel.transport;
	const pid_t parent = getpid();
	enum tr_status status;

	if (transport->prepare(&run->channel, err) != TR_OK)
		return TR_ERROR;
	run->channel.partner = fork();
	if (run->channel.partner < 0)
		return tr_fail(err, "cannot start the answering process: %s", strerror(errno));
	if (run->channel.partner == 0)
		answer_and_exit(run, parent);
	channel_set_deadline(&run->channel);
	status = pin(run, CHANNEL_TIMES, err);
	if (status == TR_OK)
		status = transport->join(&run->channel, CHANNEL_TIMES, err);
	if (status == TR_OK)
		status = launch_take_part(run, CHANNEL_TIMES, err);
	return launch_reap(run->channel.partner, status, err);
}

// ---- two hosts, and MPI

static void say_listening(void *context, unsigned port)
{
	const struct run *run = context;
	FILE *out = tool_stdout(run->tool);

	(void)fprintf(out, "listening on port %u\n", port);
	(void)fflush(out);
}

static enum tr_status run_listening(struct run *run, const char *address, struct tr_error *err)
{
	run->channel.room = ROOM_MIN; // what the other side asks for comes with its first order
	if (pin(run, CHANNEL_ANSWERS, err) != TR_OK ||
	    channel_listen(&run->channel, address, say_listening, run, err) != TR_OK)
		return TR_ERROR;
	return launch_take_part(run, CHANNEL_ANSWERS, err);
}

static enum tr_status run_connecting(struct run *run, const char *address, struct tr_error *err)
{
	if (pin(run, CHANNEL_TIMES, err) != TR_OK ||
	    channel_connect(&run->channel, address, err) != TR_OK)
		return TR_ERROR;
	return launch_take_part(run, CHANNEL_TIMES, err);
}

static enum tr_status run_mpi(struct run *run, struct tr_error *err)
{
	enum channel_side side;

	if (channel_join_mpi(&run->channel, &side, err) != TR_OK || pin(run, side, err) != TR_OK)
		return TR_ERROR;
	return launch_take_part(run, side, err);
}

bool launch_run(struct tool *tool, const struct launch *launch, const struct bench_setup *setup,
		int64_t timeout_ns, struct bench_results *results)
{
	struct run run = {.tool = tool, .setup = setup, .results = results};
	struct tr_error err = {""};
	enum tr_status status;
	bool well;

	run.channel.transport = launch->over == LAUNCH_TCP || launch->listen || launch->connect
					? &transport_tcp
					: &transport_shm;
	run.channel.room = setup->max_bytes > ROOM_MIN ? (size_t)setup->max_bytes : ROOM_MIN;
	run.channel.timeout_ns = timeout_ns;
	if (parse_pin(launch->pin, run.processors, &err) != TR_OK)
		status = TR_ERROR;
	else if (launch->over == LAUNCH_MPI)
		status = run_mpi(&run, &err);
	else if (launch->listen)
		status = run_listening(&run, launch->listen, &err);
	else if (launch->connect)
		status = run_connecting(&run, launch->connect, &err);
	else
		status = run_forked(&run, &err);
	well = launch_end(&run, status, &err);
	if (launch->over ==
	    LAUNCH_MPI) // after the message: it ends this process, too, if something failed
		channel_end_mpi(well);
	return well;
}
