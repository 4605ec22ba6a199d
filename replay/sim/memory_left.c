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

// What the group's limit leaves, and its cache of files, which can be dropped.
static uint64_t memory_left_of_group(void)
{
	uint64_t limit, used, cached = 0;
	FILE *file;

	if (!memory_left_number(GROUP "max", &limit) || !memory_left_number(GROUP "current", &used))
		return UINT64_MAX;
	file = fopen(GROUP "stat", "re");
	if (file) {
		cached = memory_left_line(file, "file ");
		(void)fclose(file);
	}
	used = used > cached ? used - cached : 0;
	return limit > used ? limit - used : 0;
}

uint64_t sim_memory_left(void)
{
	const uint64_t of_group = memory_left_of_group();
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t left;

	if (!file)
		return of_group;
	left = memory_left_line(file, "MemAvailable:"); // both are in KiB
	if (left > 0)
		left = (left + memory_left_line(file, "SwapFree:")) * 1024;
	else
		left = UINT64_MAX;
	(void)fclose(file);
	return left < of_group ? left : of_group;
}
