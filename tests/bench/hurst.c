// SPDX-License-Identifier: GPL-3.0-or-later
// bench_hurst points LOG2N [METHOD ...]   seconds of each estimator (default: all) on 2^LOG2N
//                                         points of noise in memory, with the parts it needs; then
//                                         of all together, as flithurst runs them, and memory
// bench_hurst together LOG2N [METHOD ...] the last alone
// bench_hurst packets N BIN               million packets a second from memory into sums over all
//                                         dyadic windows: N packets 1 us apart on average, in bins
//                                         of BIN us
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "stat/hurst/dyadic.h"
#include "stat/hurst/estimation.h"
#include "stream/record.h"
#include "value/num.h"
#include "value/random.h"

#define BATCH 65536u

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double run(const struct estimator *estimator, const double *x, size_t n)
{
	static struct estimate estimate;
	const struct estimate_options options = {.level = 0.95};
	const double begin = now_s();
	struct tr_error err;

	if (estimation_make(estimator, x, n, &options, &estimate, &err) != TR_OK)
		(void)fprintf(stderr, "%s: %s\n", estimator->name, err.text);
	return now_s() - begin;
}

static int is_wanted(const struct estimator *estimator, char **methods, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(methods[i], estimator->name) == 0)
			return 1;
	return count == 0;
}

// All that are wanted as flithurst runs them: on the cores there are, with the parts they share.
static double run_together(const double *x, size_t n, char **methods, int count)
{
	static struct estimation estimations[64];
	const struct estimate_options options = {.level = 0.95};
	const double begin = now_s();
	struct tr_error err;
	size_t used = 0;

	for (size_t e = 0; estimators[e]; e++)
		if (is_wanted(estimators[e], methods, count))
			estimations[used++].estimator = estimators[e];
	if (estimations_make(x, n, NULL, &options, estimations, used, NULL, NULL, &err) != TR_OK)
		(void)fprintf(stderr, "%s\n", err.text);
	return now_s() - begin;
}

static int bench_points(unsigned log2n, bool alone, char **methods, int count)
{
	const size_t n = (size_t)1 << log2n;
	double *x = malloc(n * sizeof(*x));
	struct tr_random random;
	struct rusage before, usage;

	if (!x)
		return 2;
	tr_random_open(&random, 1, "noise");
	for (size_t i = 0; i < n; i++)
		x[i] = floor(100 + 10 * gsl_cdf_ugaussian_Pinv(tr_random_unit(&random)));
	for (size_t e = 0; alone && estimators[e]; e++)
		if (is_wanted(estimators[e], methods, count))
			printf("%s\t%zu\t%.3f\n", estimators[e]->name, n, run(estimators[e], x, n));
	(void)getrusage(RUSAGE_SELF, &before);
	printf("together\t%zu\t%.3f", n, run_together(x, n, methods, count));
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("\t%.3f s of processors, %ld MB\n",
	       (double)(usage.ru_utime.tv_sec - before.ru_utime.tv_sec) +
		       1e-6 * (double)(usage.ru_utime.tv_usec - before.ru_utime.tv_usec),
	       usage.ru_maxrss / 1000);
	free(x);
	return 0;
}

// The same batch again and again, later each time.
static int bench_packets(uint64_t count, uint64_t bin_us)
{
	static struct tr_packet batch[BATCH];
	static struct dyadic dyadic;
	const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000000};
	struct tr_random random;
	struct bin_grid grid;
	struct binner binner;
	struct tr_error err;
	double begin, adding = 0;
	int64_t time = 0;

	tr_random_open(&random, 1, "packets");
	if (bin_grid_set(&grid, (int64_t)bin_us * 1000, &header, 0, &err) != TR_OK)
		return 2;
	binner_open(&binner, &grid, dyadic_take, &dyadic);
	for (uint64_t done = 0; done < count; done += BATCH) {
		for (uint32_t i = 0; i < BATCH; i++) {
			time += (int64_t)tr_random_below(&random, 2000);
			batch[i].time_ticks = time;
			batch[i].wire_bytes = 64;
		}
		begin = now_s();
		if (binner_add(&binner, batch, sizeof(*batch),
			       offsetof(struct tr_packet, wire_bytes), BATCH, &err) != TR_OK)
			return 2;
		adding += now_s() - begin;
	}
	printf("packets into dyadic windows, bins of %llu us\t%.1f\tMpacket/s\n",
	       (unsigned long long)bin_us, (double)count / adding / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t first, second;

	if (argc > 2 && (strcmp(argv[1], "points") == 0 || strcmp(argv[1], "together") == 0) &&
	    num_parse_count(argv[2], 8, 30, &first, NULL) == TR_OK)
		return bench_points((unsigned)first, argv[1][0] == 'p', argv + 3, argc - 3);
	if (argc == 4 && strcmp(argv[1], "packets") == 0 &&
	    num_parse_count(argv[2], 1, UINT64_MAX / 2, &first, NULL) == TR_OK &&
	    num_parse_count(argv[3], 1, 1000000, &second, NULL) == TR_OK)
		return bench_packets(first, second);
	(void)fputs("usage: bench_hurst points | together LOG2N [METHOD ...] | packets N BIN\n",
		    stderr);
	return 2;
}
