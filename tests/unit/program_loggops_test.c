// SPDX-License-Identifier: GPL-3.0-or-later
// Programs over the ideal network end when LogGOPSim says: rank by rank, for the schedules of its
// own generator, with its default parameters and faster ones.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program_bed.h"

#define DATA "../shared/data/goal"

static struct program_bed bed;

// The number behind the word in the text.
static int64_t value_of(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	if (!at)
		fail_msg("no %s in \"%s\"", word, text);
	return strtoll(at + strlen(word), NULL, 10);
}

static void set_parameters(const char *line)
{
	program_bed_set(&bed, value_of(line, "o="), value_of(line, "g="), value_of(line, "O="),
			value_of(line, "G="));
	bed.ideal.latency_s = (struct num_ratio){value_of(line, "L="), 1000000000};
	bed.params.eager_bytes = (uint64_t)value_of(line, "S=");
}

// Compares with each line of LogGOPSim's output; returns how many told of a host.
static int compare(FILE *out, const char *name)
{
	char line[256];
	int told = 0;

	while (fgets(line, sizeof(line), out)) {
		if (strstr(line, "L=")) {
			set_parameters(line);
			if (program_bed_run(&bed, NULL) != TR_OK)
				fail_msg("%s: %s", name, bed.err.text);
			assert_int_equal(bed.totals.ended, bed.totals.operations);
		} else if (strncmp(line, "Host ", 5) == 0) {
			int64_t host = value_of(line, "Host ");

			if (program_bed_finish(&bed, (uint32_t)host) != value_of(line, ": "))
				fail_msg("%s: ours %lld, theirs: %s", name,
					 (long long)program_bed_finish(&bed, (uint32_t)host), line);
			told++;
		} else if (strstr(line, "Maximum")) {
			assert_int_equal(bed.totals.finish_ticks / BED_NS, value_of(line, ": "));
			assert_int_equal(bed.totals.finish_rank, value_of(line, "at host "));
			told++;
		}
	}
	return told;
}

static void finishing_times_are_loggopsims(void **state)
{
	DIR *folder = opendir(DATA);
	int files = 0;

	(void)state;
	if (!folder)
		skip();
	for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		const char *dot = strchr(entry->d_name, '.');
		char path[512];
		FILE *out;

		if (!dot || !strstr(dot, ".out"))
			continue;
		snprintf(path, sizeof(path), DATA "/%.*s.goal", (int)(dot - entry->d_name),
			 entry->d_name);
		assert_true(program_bed_open_file(&bed, path));
		snprintf(path, sizeof(path), DATA "/%s", entry->d_name);
		out = fopen(path, "r");
		assert_non_null(out);
		assert_true(compare(out, entry->d_name) > 0);
		fclose(out);
		program_bed_close(&bed);
		files++;
	}
	closedir(folder);
	assert_true(files > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finishing_times_are_loggopsims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
