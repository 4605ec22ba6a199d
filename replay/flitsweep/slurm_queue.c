// SPDX-License-Identifier: GPL-3.0-or-later
// The states of jobs are those of squeue(1), JOB STATE CODES, and the reasons those of JOB REASON
// CODES, in Slurm 22.05; a job in a state that is not named here is still alive.
#include "slurm.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	enum sweep_task_state state;
} states[] = {
	{"RUNNING", SWEEP_TASK_RUNNING},  {"COMPLETING", SWEEP_TASK_RUNNING},
	{"COMPLETED", SWEEP_TASK_ENDED},  {"FAILED", SWEEP_TASK_ENDED},
	{"NODE_FAIL", SWEEP_TASK_ENDED},  {"BOOT_FAIL", SWEEP_TASK_ENDED},
	{"PREEMPTED", SWEEP_TASK_ENDED},  {"REVOKED", SWEEP_TASK_ENDED},
	{"TIMEOUT", SWEEP_TASK_LIMITED},  {"OUT_OF_MEMORY", SWEEP_TASK_LIMITED},
	{"DEADLINE", SWEEP_TASK_LIMITED}, {"CANCELLED", SWEEP_TASK_CANCELLED},
};

static enum sweep_task_state find_state(const char *word, size_t bytes)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strlen(states[i].word) == bytes && memcmp(states[i].word, word, bytes) == 0)
			return states[i].state;
	return SWEEP_TASK_WAITING;
}

// Slurm holds a job that it could not start on its node until someone releases it.
static bool is_held(const char *reason)
{
	static const char *const reasons[] = {"launch failed requeued held", "JobHoldMaxRequeue"};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strncmp(reason, reasons[i], strlen(reasons[i])) == 0)
			return true;
	return false;
}

// A number at *text and the blank after it.
static bool slurm_queue_take_number(const char **text, uint64_t *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoull(*text, &end, 10);
	if (*end != ' ')
		return false;
	*text = end + 1;
	return true;
}

enum tr_status sweep_queue_next(const char **text, struct sweep_queue_entry *entry,
				struct tr_error *err)
{
	const char *line = *text, *at = line;
	const size_t bytes = strcspn(line, "\n");
	size_t word;

	if (*line == '\0')
		return TR_END;
	*text += bytes + (line[bytes] == '\n');
	if (!slurm_queue_take_number(&at, &entry->job))
		return tr_fail(
			err,
			"squeue: expected a job, the index of a task and a state, found \"%.*s\"",
			(int)(bytes < 60 ? bytes : 60), line);
	if (!slurm_queue_take_number(&at, &entry->task)) {
		entry->task = SWEEP_TASK_REST;
		at += strcspn(at, " \n");
		at += *at == ' ';
	}
	word = strcspn(at, " \n");
	entry->state = find_state(at, word);
	if (entry->state == SWEEP_TASK_WAITING && at[word] == ' ' && is_held(at + word + 1))
		entry->state = SWEEP_TASK_HELD;
	return TR_OK;
}

size_t sweep_queue_indices(const bool *set, size_t count, size_t bytes, FILE *out)
{
	int used = 0;

	for (size_t first = 0, end; first < count; first = end) {
		end = first + 1;
		if (!set[first])
			continue;
		if ((size_t)used + 45 > bytes) // two numbers and their marks
			return first;
		while (end < count && set[end])
			end++;
		used += fprintf(out, "%s%zu", used > 0 ? "," : "", first);
		if (end > first + 1)
			used += fprintf(out, "-%zu", end - 1);
	}
	return count;
}
