// SPDX-License-Identifier: GPL-3.0-or-later
// The array's name says which sweep it is, so that tasks are found in the queue after flitsweep was
// killed. What is done is only learned from the folder: whatever a task says or does not say at its
// end, a run is done when its file is there. So every task may be lost at any moment, or run twice.
#include "slurm.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file/spawn.h"
#include "value/memstream.h"
#include "value/xxh3.h"

#define LOSSES_MAX 16u	     // of a task in a row
#define INDICES_BYTES 60000u // of an option, which the system limits to 128 KiB
#define PATIENCE_S 3600	     // for a queue that does not answer
#define POLL_FIRST_MS 200    // between two looks at the queue at first;
#define POLL_PART 20	     // later this part of the time waited,
#define POLL_LAST_MS 10000   // at most this
#define ARRAY_DEFAULT 1001u  // MaxArraySize where Slurm does not say it
#define OPTION_WORDS_MAX 64u

// A group of runs, and what is known of its task.
struct task {
	uint64_t job; // of its latest array; 0: none since we look
	bool queued;
	bool held;
	bool finished; // nothing is left to do
	enum sweep_task_state ended;
	unsigned losses;
	size_t done;	 // its runs that ended, by the last look
	const char *why; // it is given up
};

struct slurm_waiting {
	const struct sweep_slurm *slurm;
	size_t runs, group;
	struct task *tasks;
	bool *submit;
	size_t count;
	char *script;
	char name[32];
	size_t left, running, queued;
	struct timespec start, answered;
};

static int64_t passed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000;
}

// Runs a program of Slurm's; *out is what it printed, to be freed.
static enum tr_status slurm_ask(const char *const argv[], const char *input, char **out,
				struct tr_error *err)
{
	struct tr_scratch scratch;
	enum tr_status status;

	*out = NULL;
	if (tr_scratch_open(&scratch, argv[0], err) != TR_OK)
		return TR_ERROR;
	status = tr_spawn(argv, input, scratch.path, err);
	if (status == TR_OK)
		status = tr_scratch_take(&scratch, argv[0], out, err);
	tr_scratch_close(&scratch);
	return status == TR_OK ? TR_OK : TR_ERROR;
}

// ---- the array

static enum tr_status longest_array(size_t *tasks, struct tr_error *err)
{
	static const char *const argv[] = {"scontrol", "show", "config", NULL};
	static const char key[] = "MaxArraySize";
	const char *at;
	char *text;

	if (slurm_ask(argv, NULL, &text, err) != TR_OK)
		return TR_ERROR;
	at = strstr(text, key);
	at = at ? at + strlen(key) + strspn(at + strlen(key), " =") : "";
	*tasks = *at >= '1' && *at <= '9' ? strtoul(at, NULL, 10) : ARRAY_DEFAULT;
	free(text);
	return TR_OK;
}

static enum tr_status make_groups(struct slurm_waiting *w, struct tr_error *err)
{
	size_t tasks;

	if (longest_array(&tasks, err) != TR_OK)
		return TR_ERROR;
	w->group = w->slurm->group > 0 ? w->slurm->group : (w->runs + tasks - 1) / tasks;
	w->count = (w->runs + w->group - 1) / w->group;
	if (w->count > tasks)
		return tr_fail(err,
			       "--group: %zu runs in groups of %zu are more tasks than Slurm's "
			       "MaxArraySize allows (%zu)",
			       w->runs, w->group, tasks);
	w->tasks = calloc(w->count, sizeof(*w->tasks));
	w->submit = calloc(w->count, sizeof(*w->submit));
	return w->tasks && w->submit ? TR_OK : tr_no_memory(err, "the tasks");
}

// The script of a task, and the name of the array: a hash of the script and of where it runs.
static enum tr_status make_script(struct slurm_waiting *w, struct tr_error *err)
{
	char folder[PATH_MAX];
	XXH64_hash_t hash;
	size_t bytes;
	FILE *out = tr_memstream_open(&w->script, &bytes);

	if (!out)
		return tr_no_memory(err, "the script of a task");
	fprintf(out, "#!/bin/sh\nfirst=$((SLURM_ARRAY_TASK_ID * %zu + 1))\nlast=$((first + %zu))\n",
		w->group, w->group - 1);
	fprintf(out, "[ $last -le %zu ] || last=%zu\nexec ", w->runs, w->runs);
	sweep_part_put(w->slurm->part, "$first..$last", out);
	if (!tr_memstream_close(out))
		return tr_no_memory(err, "the script of a task");
	if (!getcwd(folder, sizeof(folder)))
		*folder = '\0';
	hash = XXH3_64bits_withSeed(w->script, strlen(w->script),
				    XXH3_64bits(folder, strlen(folder)));
	snprintf(w->name, sizeof(w->name), "flitsweep-%016llx", (unsigned long long)hash);
	return TR_OK;
}

// The log's name as a pattern of sbatch, in which % and \ are special.
static void put_pattern(const char *folder, FILE *out)
{
	fputs("--output=", out);
	for (; *folder != '\0'; folder++) {
		if (*folder == '%' || *folder == '\\')
			fputc(*folder, out);
		fputc(*folder, out);
	}
	fputs("/slurm.log", out);
}

// The words of sbatch's options, the user's between ours: those after them cannot be replaced.
struct slurm_options {
	char *text; // all words, each zero-terminated
	const char *argv[OPTION_WORDS_MAX + 2];
	size_t first; // of the tasks that are left for another job
};

static enum tr_status make_options(const struct slurm_waiting *w, struct slurm_options *options,
				   struct tr_error *err)
{
	const struct sweep_slurm *slurm = w->slurm;
	size_t bytes, count = 0;
	FILE *out = tr_memstream_open(&options->text, &bytes);

	if (!out)
		return tr_no_memory(err, "a job");
	fprintf(out, "sbatch%c--requeue%c--open-mode=append%c", 0, 0, 0);
	put_pattern(slurm->part->folder->path, out);
	for (size_t i = 0; i < slurm->options->count; i++)
		for (const char *at = slurm->options->words[i]; *(at += strspn(at, " ")) != '\0';
		     at += strcspn(at, " "))
			fprintf(out, "%c%.*s", 0, (int)strcspn(at, " "), at);
	fprintf(out, "%c--parsable%c--job-name=%s%c--array=", 0, 0, w->name, 0);
	options->first = sweep_queue_indices(w->submit, w->count, INDICES_BYTES, out);
	if (slurm->at_once > 0)
		fprintf(out, "%%%zu", slurm->at_once);
	if (!tr_memstream_close(out))
		return tr_no_memory(err, "a job");
	for (const char *at = options->text; at <= options->text + bytes; at += strlen(at) + 1) {
		if (count == OPTION_WORDS_MAX)
			return tr_fail(err, "--slurm: too many options");
		options->argv[count++] = at;
	}
	options->argv[count] = NULL;
	return TR_OK;
}

// Submits the tasks that are marked so, or the first of very many.
static enum tr_status submit(struct slurm_waiting *w, struct tr_error *err)
{
	struct slurm_options options = {0};
	struct tr_scratch script = {0};
	char *answer = NULL, *end;
	uint64_t job = 0;
	enum tr_status status = make_options(w, &options, err);

	if (status == TR_OK)
		status = tr_scratch_open(&script, "the script of a task", err);
	if (status == TR_OK) {
		fputs(w->script, script.file);
		status = tr_scratch_flush(&script, "the script of a task", err);
	}
	if (status == TR_OK)
		status = slurm_ask(options.argv, script.path, &answer, err);
	if (status == TR_OK) {
		job = strtoull(answer, &end, 10);
		if (job == 0 || (*end != '\n' && *end != ';' && *end != '\0'))
			status = tr_fail(err,
					 "sbatch: expected the number of a job, found \"%.60s\"",
					 answer);
	}
	for (size_t i = 0; status == TR_OK && i < options.first; i++) {
		if (!w->submit[i])
			continue;
		w->tasks[i].job = job;
		w->tasks[i].queued = true;
		w->tasks[i].ended = SWEEP_TASK_ENDED;
		w->submit[i] = false;
	}
	free(answer);
	free(options.text);
	tr_scratch_close(&script);
	return status;
}

// ---- waiting

static void take_living(struct slurm_waiting *w, const struct sweep_queue_entry *entry)
{
	struct task *task = entry->task < w->count ? &w->tasks[entry->task] : NULL;

	if (!task || entry->state > SWEEP_TASK_HELD)
		return;
	task->job = entry->job;
	task->queued = true;
	task->held = entry->state == SWEEP_TASK_HELD;
	task->ended = SWEEP_TASK_ENDED;
	w->running += entry->state == SWEEP_TASK_RUNNING;
	w->queued += entry->state != SWEEP_TASK_RUNNING;
}

// Entries of other jobs than the task's are from before we looked.
static void take_rest(struct slurm_waiting *w, const struct sweep_queue_entry *entry)
{
	for (size_t i = 0;
	     entry->task == SWEEP_TASK_REST && entry->state > SWEEP_TASK_HELD && i < w->count; i++)
		if (w->tasks[i].job == entry->job)
			w->tasks[i].ended = entry->state;
}

static void take_ended(struct slurm_waiting *w, const struct sweep_queue_entry *entry)
{
	if (entry->task < w->count && entry->state > SWEEP_TASK_HELD &&
	    w->tasks[entry->task].job == entry->job)
		w->tasks[entry->task].ended = entry->state;
}

static enum tr_status take_entries(struct slurm_waiting *w, const char *text, struct tr_error *err)
{
	// Tasks with an entry of their own are not of the rest.
	static void (*const take[])(struct slurm_waiting *, const struct sweep_queue_entry *) = {
		take_living, take_rest, take_ended};
	enum tr_status status = TR_END;

	for (size_t i = 0; i < sizeof(take) / sizeof(take[0]) && status == TR_END; i++) {
		struct sweep_queue_entry entry;
		const char *at = text;

		while ((status = sweep_queue_next(&at, &entry, err)) == TR_OK)
			take[i](w, &entry);
	}
	return status == TR_END ? TR_OK : status;
}

static enum tr_status slurm_look(struct slurm_waiting *w, struct tr_error *err)
{
	const char *const argv[] = {"squeue", "--noheader",   "--array",
				    "--me",   "--states=all", "--format=%F %K %T %r",
				    "--name", w->name,	      NULL};
	char *text;
	enum tr_status status = slurm_ask(argv, NULL, &text, err);

	if (status != TR_OK)
		return status;
	w->running = w->queued = 0;
	for (size_t i = 0; i < w->count; i++)
		w->tasks[i].queued = w->tasks[i].held = false;
	status = take_entries(w, text, err);
	free(text);
	return status;
}

// Lets Slurm try again to start a task that it could not start, but not for ever.
static enum tr_status slurm_release(const struct slurm_waiting *w, size_t number,
				    struct tr_error *err)
{
	struct task *task = &w->tasks[number];
	char id[48], *answer;
	const char *const again[] = {"scontrol", "release", id, NULL}, *const cancel[] = {"scancel",
											  id, NULL};
	enum tr_status status;

	task->losses++;
	if (task->losses >= LOSSES_MAX)
		task->why = "Slurm could not start its task";
	snprintf(id, sizeof(id), "%llu_%zu", (unsigned long long)task->job, number);
	status = slurm_ask(task->why ? cancel : again, NULL, &answer, err);
	free(answer);
	return status;
}

// Whether a task that left the queue, with these runs still missing, is to be submitted (again).
static bool again(struct task *task, bool progress)
{
	if (task->job == 0)
		return true;
	task->losses = progress ? 0 : task->losses + 1;
	if (task->why)
		return false;
	if (task->ended == SWEEP_TASK_CANCELLED)
		task->why = "its task was cancelled";
	else if (task->ended == SWEEP_TASK_LIMITED && !progress)
		task->why = "its task used up its time or memory";
	else if (task->losses >= LOSSES_MAX)
		task->why = "its task was lost again and again";
	return !task->why;
}

// Looks which runs of a task that is not in the queue are done.
static enum tr_status slurm_check(struct slurm_waiting *w, size_t number, struct tr_error *err)
{
	const struct sweep_slurm *slurm = w->slurm;
	struct task *task = &w->tasks[number];
	const size_t first = number * w->group,
		     end = first + w->group < w->runs ? first + w->group : w->runs;
	const size_t before = task->done;

	task->done = 0;
	for (size_t run = first; run < end; run++) {
		int exit_status = 0;
		const char *text;
		char *whole = NULL;
		enum tr_status status = slurm->kept[run]
						? TR_OK
						: sweep_folder_get(slurm->part->folder, run, &whole,
								   &text, &exit_status, err);

		free(whole);
		if (status == TR_ERROR)
			return TR_ERROR;
		slurm->kept[run] = status == TR_OK;
		task->done += status == TR_OK || exit_status > 1;
	}
	w->submit[number] = task->done < end - first && again(task, task->done > before);
	task->finished = !w->submit[number];
	w->left -= task->finished;
	return TR_OK;
}

static enum tr_status slurm_check_all(struct slurm_waiting *w, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < w->count && status == TR_OK; i++)
		if (w->tasks[i].held)
			status = slurm_release(w, i, err);
		else if (!w->tasks[i].queued && !w->tasks[i].finished && !w->submit[i])
			status = slurm_check(w, i, err);
	return status;
}

static bool any(const bool *set, size_t count)
{
	return memchr(set, true, count) != NULL;
}

// One look at the queue and the folder, and what follows from it.
static enum tr_status slurm_step(struct slurm_waiting *w, struct tr_error *err)
{
	enum tr_status status = slurm_look(w, err);

	if (status == TR_OK)
		status = slurm_check_all(w, err);
	while (status == TR_OK && any(w->submit, w->count))
		status = submit(w, err);
	return status;
}

static void pause_between(const struct slurm_waiting *w)
{
	int64_t ms = passed_ms(&w->start) / POLL_PART;

	ms = ms < POLL_FIRST_MS ? POLL_FIRST_MS : ms > POLL_LAST_MS ? POLL_LAST_MS : ms;
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void slurm_tell(const struct slurm_waiting *w)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "%zu of %zu tasks left: %zu running, %zu waiting in Slurm's queue", w->left,
		 w->count, w->running, w->queued);
	w->slurm->progress(w->slurm->context, text);
}

// A failure of the first step is the command's; a later one may pass, as when Slurm's controller is
// started again.
static enum tr_status wait_for_all(struct slurm_waiting *w, struct tr_error *err)
{
	enum tr_status status = slurm_step(w, err);
	bool warned = false;

	clock_gettime(CLOCK_MONOTONIC, &w->start);
	w->answered = w->start;
	while ((status == TR_OK && w->left > 0) || (status == TR_ERROR && warned)) {
		slurm_tell(w);
		pause_between(w);
		status = slurm_step(w, err);
		if (status == TR_OK) {
			clock_gettime(CLOCK_MONOTONIC, &w->answered);
			warned = false;
		} else if (passed_ms(&w->answered) > PATIENCE_S * 1000) {
			break;
		} else if (!warned) {
			w->slurm->warn(w->slurm->context, err->text);
			warned = true;
		}
	}
	return status;
}

// Says why runs are missing.
static enum tr_status tell_missing(const struct slurm_waiting *w, struct tr_error *err)
{
	const struct sweep_folder *folder = w->slurm->part->folder;

	for (size_t run = 0; run < w->runs; run++) {
		struct tr_error why;
		int exit_status;
		const char *text;
		char *whole;

		if (w->slurm->kept[run])
			continue;
		if (sweep_folder_get(folder, run, &whole, &text, &exit_status, err) == TR_ERROR)
			return TR_ERROR;
		free(whole);
		tr_fail(&why, "%s ended with status %d; see %s/slurm.log",
			sweep_command_last(folder->command), exit_status, folder->path);
		if (exit_status <= 1)
			tr_fail(&why, "%s",
				w->tasks[run / w->group].why ? w->tasks[run / w->group].why
							     : "was lost");
		w->slurm->failed(w->slurm->context, run, why.text);
	}
	return TR_OK;
}

enum tr_status sweep_slurm_runs(const struct sweep_slurm *slurm, struct tr_error *err)
{
	struct slurm_waiting w = {.slurm = slurm,
				  .runs = sweep_grid_runs(slurm->part->folder->grid)};
	enum tr_status status = make_groups(&w, err);

	w.left = w.count;
	if (status == TR_OK)
		status = make_script(&w, err);
	if (status == TR_OK)
		status = wait_for_all(&w, err);
	if (status == TR_OK)
		status = tell_missing(&w, err);
	free(w.script);
	free(w.tasks);
	free(w.submit);
	return status;
}
