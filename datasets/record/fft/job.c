// SPDX-License-Identifier: GPL-3.0-or-later
#include "job.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char job_usage[] = "[-n points] [-r repetitions] [-m Mflop/s] [-p pause-ms] [-x extra-ms] [-v]\n"
			 "  -n  side of the square image, points (256)\n"
			 "  -r  transforms in a row (1)\n"
			 "  -m  emulated rate of computing of one process, Mflop/s (0: as fast as it goes)\n"
			 "  -p  least silence between two transforms, ms (0)\n"
			 "  -x  mean of an exponential silence added to it, ms (0)\n"
			 "  -v  compare every result with a serial transform\n";

// A number from lo to hi and nothing behind it.
static bool number(const char *text, double lo, double hi, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && *end == '\0' && *value >= lo && *value <= hi;
}

static bool set_option(struct job *job, int option, const char *text)
{
	double value = 0;

	switch (option) {
	case 'n':
		if (!number(text, 2, 16384, &value) || value != floor(value))
			return false;
		job->n = (int)value;
		return true;
	case 'r':
		if (!number(text, 1, 1000000, &value) || value != floor(value))
			return false;
		job->repetitions = (int)value;
		return true;
	case 'm': job->flops_per_s = number(text, 0, 1e9, &value) ? value * 1e6 : -1; return job->flops_per_s >= 0;
	case 'p': job->pause_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1; return job->pause_s >= 0;
	case 'x': job->extra_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1; return job->extra_s >= 0;
	case 'v': job->verify = true; return true;
	default: return false;
	}
}

bool job_parse(int argc, char **argv, struct job *job, char *why, int size)
{
	int option;

	job->n = 256;
	job->repetitions = 1;
	job->flops_per_s = job->pause_s = job->extra_s = 0;
	job->verify = false;
	opterr = 0;
	while ((option = getopt(argc, argv, "n:r:m:p:x:v")) != -1) {
		if (option == '?') {
			snprintf(why, (size_t)size, "-%c: unknown, or its value is missing", optopt);
			return false;
		}
		if (!set_option(job, option, optarg)) {
			snprintf(why, (size_t)size, "-%c: '%s' is no number in its range", option, optarg);
			return false;
		}
	}
	if (optind != argc)
		snprintf(why, (size_t)size, "unexpected operand '%s'", argv[optind]);
	return optind == argc;
}
