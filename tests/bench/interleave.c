// SPDX-License-Identifier: GPL-3.0-or-later
// interleave ROUNDS [TITLE ...] < TABLE: runs the commands of a table in turn, ROUNDS times each,
// so that all run under the same conditions, and prints the speed of each and the memory of its
// largest process; below, for each named row, how many times as fast every other row was: the
// median of the rounds' ratios and, of six rounds or more, the narrowest interval of two of them in
// order that holds the true median in 95 % (of no distribution: Conover, Practical Nonparametric
// Statistics, 1999, section 3.2). A line of the table: title, units of work, name of the unit,
// bytes read, command for sh; separated by tabs.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "value/num.h"

#define ROWS_MAX 64
#define ROUNDS_MAX 32

struct row {
	char *line;
	const char *title, *unit, *command;
	double units, bytes;
	double wall_s[ROUNDS_MAX];
	double cpu_s; // of the round with the least
	long peak_KiB;
	int status;
};

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void run_child(const char *command)
{
	int null = open("/dev/null", O_RDWR);

	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void run_once(struct row *row, unsigned round)
{
	struct timespec begin, end;
	struct rusage used;
	double cpu_s;
	int status;
	pid_t child;

	(void)clock_gettime(CLOCK_MONOTONIC, &begin);
	child = fork();
	if (child == 0)
		run_child(row->command);
	if (child < 0 || wait4(child, &status, 0, &used) != child) {
		row->status = -1;
		return;
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &end);
	row->wall_s[round] = (double)(end.tv_sec - begin.tv_sec) +
			     1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
	cpu_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	if (round == 0 || cpu_s < row->cpu_s)
		row->cpu_s = cpu_s;
	if (used.ru_maxrss > row->peak_KiB)
		row->peak_KiB = used.ru_maxrss;
	if (status != 0)
		row->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool parse(struct row *row, char *line)
{
	char *fields[5], *rest = line;

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < 5; i++)
		if ((fields[i] = strsep(&rest, "\t")) == NULL)
			return false;
	*row = (struct row){
		.line = line, .title = fields[0], .unit = fields[2], .command = fields[4]};
	return num_parse_real(fields[1], &row->units, NULL) == TR_OK &&
	       num_parse_real(fields[3], &row->bytes, NULL) == TR_OK;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double middle(const double *ordered, unsigned count)
{
	return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2;
}

static void print(const struct row *row, unsigned rounds)
{
	double best_s, median_s, wall_s[ROUNDS_MAX];

	memcpy(wall_s, row->wall_s, sizeof(wall_s));
	qsort(wall_s, rounds, sizeof(wall_s[0]), by_size);
	best_s = wall_s[0];
	median_s = middle(wall_s, rounds);
	if (row->status != 0) {
		(void)printf("%-38s ended with status %d\n", row->title, row->status);
		return;
	}
	(void)printf("%-38s %7.3f %7.3f %7.3f %9.2f %-8s %8.0f %8.1f\n", row->title, best_s,
		     median_s, row->cpu_s, row->units / best_s / 1e6, row->unit,
		     row->bytes / best_s / 1e6, (double)row->peak_KiB / 1024);
}

static const struct row *find_row(const struct row *rows, size_t count, const char *title)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].title, title) == 0 && rows[i].status == 0)
			return &rows[i];
	return NULL;
}

// How many values of count, from the least and from the greatest on, lie outside of the interval;
// 0: there is none.
static unsigned outside(unsigned count)
{
	double term = 1, below = 0;
	unsigned k = 0;

	for (unsigned i = 0; i < count; i++)
		term /= 2;
	for (; below + term <= 0.025; k++) {
		below += term;
		term *= (double)(count - k) / (k + 1);
	}
	return k;
}

static void print_ratio(const struct row *row, const struct row *other, unsigned rounds)
{
	double ratios[ROUNDS_MAX];
	unsigned k = outside(rounds);
	char text[64];

	for (unsigned r = 0; r < rounds; r++)
		ratios[r] = other->wall_s[r] / row->wall_s[r];
	qsort(ratios, rounds, sizeof(ratios[0]), by_size);
	if (k > 0)
		(void)snprintf(text, sizeof(text), "%.2f (%.2f-%.2f)", middle(ratios, rounds),
			       ratios[k - 1], ratios[rounds - k]);
	else
		(void)snprintf(text, sizeof(text), "%.2f", middle(ratios, rounds));
	(void)printf(" %20s", text);
}

static void print_ratios(const struct row *rows, size_t count, unsigned rounds, char *const *titles,
			 size_t title_count)
{
	(void)printf("\n%-38s", "times as fast as");
	for (size_t t = 0; t < title_count; t++)
		(void)printf(" %20s", titles[t]);
	(void)putchar('\n');
	for (size_t i = 0; i < count; i++) {
		(void)printf("%-38s", rows[i].title);
		for (size_t t = 0; t < title_count; t++) {
			const struct row *other = find_row(rows, count, titles[t]);

			if (other && rows[i].status == 0)
				print_ratio(&rows[i], other, rounds);
			else
				(void)printf(" %20s", "-");
		}
		(void)putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static struct row rows[ROWS_MAX];
	size_t count = 0, room = 0;
	uint64_t rounds;
	char *line = NULL;

	if (argc < 2 || num_parse_count(argv[1], 1, ROUNDS_MAX, &rounds, NULL) != TR_OK) {
		(void)fprintf(stderr, "usage: interleave ROUNDS [TITLE ...] <table\n");
		return 2;
	}
	for (; count < ROWS_MAX && getline(&line, &room, stdin) > 0; line = NULL, room = 0)
		if (!parse(&rows[count++], line)) {
			(void)fprintf(stderr, "interleave: line %zu: not five fields\n", count);
			return 2;
		}
	free(line);
	for (unsigned round = 0; round < rounds; round++)
		for (size_t i = 0; i < count; i++)
			run_once(&rows[i], round);
	(void)printf("%-38s %7s %7s %7s %9s %-8s %8s %8s\n", "", "best_s", "median", "cpu_s",
		     "rate", "", "MB/s", "peak_MiB");
	for (size_t i = 0; i < count; i++)
		print(&rows[i], (unsigned)rounds);
	if (argc > 2)
		print_ratios(rows, count, (unsigned)rounds, argv + 2, (size_t)argc - 2);
	for (size_t i = 0; i < count; i++)
		free(rows[i].line);
	return fflush(stdout) == 0 ? 0 : 2;
}
