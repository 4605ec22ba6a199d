// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/memory_left.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "value/num.h"

#define GROUP "/sys/fs/cgroup/memory."

// The number at the beginning of a text, behind blanks; false if there is none.
static bool memory_left_parse(char *text, uint64_t *number)
{
	text += strspn(text, " ");
	text[strspn(text, "0123456789")] = '\0';
	return num_parse_count(text, 0, UINT64_MAX, number, NULL) == TR_OK;
}

// The number behind a word of a file, such as "MemAvailable:"; 0 if it is not there.
static uint64_t memory_left_line(FILE *file, const char *word)
{
	char line[256];
	uint64_t number = 0;
	bool found = false;

	rewind(file);
	while (!found && fgets(line, sizeof(line), file))
		found = strncmp(line, word, strlen(word)) == 0 &&
			memory_left_parse(line + strlen(word), &number);
	return found ? number : 0;
}

// The number in a file; false if there is no such file, or it says "max".
static bool memory_left_number(const char *path, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[256];
	const bool found = file && fgets(line, sizeof(line), file) &&
			   memory_left_parse(line, number);

	if (file)
		(void)fclose(file);
	return found;
}

// What the group can drop: its cache of files, and what the kernel keeps for it.
static uint64_t memory_left_droppable(void)
{
	FILE *file = fopen(GROUP "stat", "re");
	uint64_t size = 0;

	if (!file)
		return 0;
	size += memory_left_line(file, "active_file ");
	size += memory_left_line(file, "inactive_file ");
	size += memory_left_line(file, "slab_reclaimable ");
	(void)fclose(file);
	return size;
}

// How much of this much swap the group may use.
static uint64_t memory_left_swap(uint64_t swap_bytes)
{
	uint64_t limit, used = 0;

	if (!memory_left_number(GROUP "swap.max", &limit))
		return swap_bytes;
	(void)memory_left_number(GROUP "swap.current", &used);
	limit = limit > used ? limit - used : 0;
	return limit < swap_bytes ? limit : swap_bytes;
}

// What the group's limit leaves; UINT64_MAX: it has none.
static uint64_t memory_left_of_group(uint64_t swap_bytes)
{
	const uint64_t droppable = memory_left_droppable();
	uint64_t limit, used;

	if (!memory_left_number(GROUP "max", &limit) || !memory_left_number(GROUP "current", &used))
		return UINT64_MAX;
	used = used > droppable ? used - droppable : 0;
	return (limit > used ? limit - used : 0) + memory_left_swap(swap_bytes);
}

uint64_t sim_memory_left(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t left = 0, swap = 0, of_group;

	if (file) { // in KiB
		left = memory_left_line(file, "MemAvailable:") * 1024;
		swap = memory_left_line(file, "SwapFree:") * 1024;
		(void)fclose(file);
	}
	left = left > 0 ? left + swap : UINT64_MAX;
	of_group = memory_left_of_group(swap);
	return left < of_group ? left : of_group;
}
