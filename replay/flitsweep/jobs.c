// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "value/processors.h"

#define AHEAD 16u // runs that may finish before an earlier one, per running job
#define READ_BYTES 65536u
#define GRACE_MS 100 // for a signal
#define TICK_MS 500  // between calls of progress

enum jobs_state { WAITING, WORKING, FINISHED };

// A run that was started and not yet reported.
struct jobs_running {
	struct sweep_pipeline pipeline;
	struct sweep_result result;
	struct sweep_said *said;
	char *text;
	size_t bytes, room;
	enum jobs_state state;
};

// Runs first .. next - 1, each at its number modulo places.
struct jobs_pool {
	const struct sweep_job *job;
	struct jobs_running *running;
	struct pollfd *polled; // of the running runs, after signals
	sigset_t before;
	int signals; // readable after a terminating signal; -1: signals are not blocked
	size_t places;
	size_t first, next, end;
	size_t working, ended;
	enum tr_status status;
	struct tr_error *err;
};

static struct jobs_running *jobs_place_of(const struct jobs_pool *pool, size_t run)
{
	return &pool->running[run % pool->places];
}

static void jobs_fail_memory(struct jobs_pool *pool)
{
	pool->status = tr_no_memory(pool->err, "the runs");
}

// Reports a finished run.
static void hand_over(struct jobs_pool *pool, struct jobs_running *running)
{
	running->result.text = running->text ? running->text : "";
	if (pool->status == TR_OK && !pool->job->skip[running->result.run])
		pool->status = pool->job->done(pool->job->context, &running->result, pool->err);
}

static void take_remarks(struct jobs_pool *pool, struct jobs_running *running)
{
	if (running->pipeline.said < 0 || sweep_said_take(pool->job->remarks, running->result.run,
							  running->said, running->pipeline.said))
		return;
	(void)close(running->pipeline.said);
	running->pipeline.said = -1;
}

// Nothing more is said by a run.
static void jobs_note_end(struct jobs_pool *pool, struct jobs_running *running)
{
	sweep_said_end(pool->job->remarks, running->result.run, running->said);
	running->said = NULL;
	pool->ended++;
	pool->job->progress(pool->job->context, pool->ended);
}

static void jobs_start(struct jobs_pool *pool)
{
	struct jobs_running *running = jobs_place_of(pool, pool->next);
	struct sweep_result *result = &running->result;

	*running = (struct jobs_running){.result = {.run = pool->next}, .state = FINISHED};
	pool->next++;
	if (pool->job->skip[result->run])
		return;
	running->said = sweep_said_new();
	if (!running->said) {
		jobs_fail_memory(pool);
		return;
	}
	result->failed = sweep_command_start(pool->job->command, pool->job->grid, result->run,
					     &running->pipeline, &result->why) != TR_OK;
	if (result->failed) {
		jobs_note_end(pool, running);
		result->exit_status = 127;
		if (pool->job->unordered)
			hand_over(pool, running);
		return;
	}
	running->state = WORKING;
	pool->working++;
}

static void start_more(struct jobs_pool *pool)
{
	while (pool->status == TR_OK && pool->next < pool->end &&
	       pool->working < pool->job->at_once && pool->next - pool->first < pool->places)
		jobs_start(pool);
}

// Unblocks a pending signal, which then takes effect.
static void release_signals(struct jobs_pool *pool)
{
	if (pool->signals < 0)
		return;
	(void)close(pool->signals);
	pool->signals = -1;
	(void)sigprocmask(SIG_SETMASK, &pool->before, NULL);
}

static void end_runs(struct jobs_pool *pool)
{
	for (size_t run = pool->first; run < pool->next; run++) {
		const struct sweep_pipeline *pipeline = &jobs_place_of(pool, run)->pipeline;

		for (size_t i = 0;
		     jobs_place_of(pool, run)->state == WORKING && i < pipeline->count; i++)
			(void)kill(pipeline->stages[i].process, SIGTERM);
	}
	release_signals(pool);
}

// Programs may close their output and go on: a signal ends them all the same.
static void wait_for_end(struct jobs_pool *pool, struct jobs_running *running)
{
	const struct sweep_pipeline *pipeline = &running->pipeline;
	int wait_ms = 1;

	for (size_t i = 0; i < pipeline->count; i++) {
		siginfo_t ended = {0};

		while (waitid(P_PID, (id_t)pipeline->stages[i].process, &ended,
			      WEXITED | WNOHANG | WNOWAIT) == 0 &&
		       ended.si_pid == 0) {
			struct pollfd polled[] = {{.fd = pool->signals, .events = POLLIN},
						  {.fd = pipeline->said, .events = POLLIN}};

			if (poll(polled, 2, wait_ms) > 0 && polled[0].revents != 0)
				end_runs(pool);
			take_remarks(pool, running);
			wait_ms = wait_ms < GRACE_MS ? 2 * wait_ms : wait_ms;
		}
	}
}

static void jobs_finish(struct jobs_pool *pool, struct jobs_running *running)
{
	struct sweep_result *result = &running->result;

	wait_for_end(pool, running);
	take_remarks(pool, running);
	result->failed = sweep_pipeline_finish(&running->pipeline, &result->exit_status,
					       &result->why) != TR_OK;
	running->state = FINISHED;
	pool->working--;
	jobs_note_end(pool, running);
	// A signal to the whole group may end the programs before it is seen here; then they did
	// not fail.
	if (pool->job->unordered && result->exit_status > 1 && pool->signals >= 0 &&
	    poll(&(struct pollfd){.fd = pool->signals, .events = POLLIN}, 1, GRACE_MS) > 0)
		end_runs(pool);
	if (pool->job->unordered)
		hand_over(pool, running);
}

static bool jobs_make_room(struct jobs_running *running)
{
	size_t room = running->room > 0 ? 2 * running->room : READ_BYTES;
	char *more;

	if (running->room - running->bytes > READ_BYTES / 2)
		return true;
	more = realloc(running->text, room);
	if (!more)
		return false;
	running->text = more;
	running->room = room;
	return true;
}

static void jobs_take_output(struct jobs_pool *pool, struct jobs_running *running)
{
	ssize_t got;

	if (!jobs_make_room(running)) {
		jobs_fail_memory(pool);
		jobs_finish(pool, running);
		return;
	}
	got = read(running->pipeline.output, running->text + running->bytes,
		   running->room - running->bytes - 1);
	if (got < 0 && errno == EINTR)
		return;
	if (got > 0) {
		running->bytes += (size_t)got;
		return;
	}
	running->text[running->bytes] = '\0';
	jobs_finish(pool, running);
}

// Blocks the terminating signals that are not ignored, so that the runs can be ended first.
static void jobs_hold_signals(struct jobs_pool *pool)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction present;
	sigset_t held;

	(void)sigemptyset(&held);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
			(void)sigaddset(&held, ending[i]);
	pool->signals = -1;
	if (sigprocmask(SIG_BLOCK, &held, &pool->before) != 0)
		return;
	pool->signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (pool->signals < 0)
		(void)sigprocmask(SIG_SETMASK, &pool->before, NULL);
}

// Waits for output of the running runs, and reads it.
static void wait_for_output(struct jobs_pool *pool)
{
	nfds_t count = 0;
	int got;

	pool->polled[count++] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
	for (size_t run = pool->first; run < pool->next; run++) {
		const struct sweep_pipeline *pipeline = &jobs_place_of(pool, run)->pipeline;

		if (jobs_place_of(pool, run)->state != WORKING)
			continue;
		pool->polled[count++] = (struct pollfd){.fd = pipeline->output, .events = POLLIN};
		pool->polled[count++] = (struct pollfd){.fd = pipeline->said, .events = POLLIN};
	}
	got = poll(pool->polled, count, TICK_MS);
	pool->job->progress(pool->job->context, pool->ended);
	if (got <= 0)
		return;
	if (pool->polled[0].revents != 0)
		end_runs(pool);
	count = 1;
	for (size_t run = pool->first; run < pool->next; run++) {
		struct jobs_running *running = jobs_place_of(pool, run);

		if (running->state != WORKING)
			continue;
		count += 2;
		if (pool->polled[count - 1].revents != 0)
			take_remarks(pool, running);
		if (pool->polled[count - 2].revents != 0)
			jobs_take_output(pool, running);
	}
}

static void jobs_tell(struct jobs_pool *pool)
{
	for (; pool->first < pool->next && jobs_place_of(pool, pool->first)->state == FINISHED;
	     pool->first++) {
		struct jobs_running *running = jobs_place_of(pool, pool->first);

		if (!pool->job->unordered)
			hand_over(pool, running);
		free(running->text);
		*running = (struct jobs_running){.state = WAITING};
	}
}

// Each of the runs at once has its share of threads, unless the user says how many.
static void jobs_share_processors(size_t at_once)
{
	char threads[12];

	if (at_once < 2)
		return;
	snprintf(threads, sizeof(threads), "%u",
		 processors_allowed() > at_once ? processors_allowed() / (uint32_t)at_once : 1);
	(void)setenv("FLIT_THREADS", threads, 0); // without it runs are only slower
}

enum tr_status sweep_runs(const struct sweep_job *job, struct tr_error *err)
{
	struct jobs_pool pool = {.job = job,
				 .places = job->at_once * AHEAD,
				 .end = sweep_grid_runs(job->grid),
				 .status = TR_OK,
				 .err = err};

	pool.running = calloc(pool.places, sizeof(*pool.running));
	pool.polled = calloc(2 * pool.places + 1, sizeof(*pool.polled));
	if (!pool.running || !pool.polled)
		jobs_fail_memory(&pool);
	jobs_hold_signals(&pool);
	jobs_share_processors(job->at_once < pool.end ? job->at_once : pool.end);
	start_more(&pool);
	while (pool.first < pool.next) {
		if (pool.working > 0)
			wait_for_output(&pool);
		jobs_tell(&pool);
		start_more(&pool);
	}
	release_signals(&pool);
	free(pool.running);
	free(pool.polled);
	return pool.status;
}
