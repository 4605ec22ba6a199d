// SPDX-License-Identifier: GPL-3.0-or-later
// tests/golden/hurst-table.tsv, printed by hurst_table, compared with fewer of the same series: 4
// of 10,000 points (2 for models of counts, the slower estimators for every third of these) and of
// every second model 2 of 65,536; if FLIT_LONG is set 40 (4), 8, and 2 of 2^20. And facts that the
// table must show.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hurst_rows.h"
#include "value/num.h"

#define LINE_BYTES 256
#define ERRORS 4.5

// Reads the columns of a line behind the model's name.
static void read_line(const char *line, double *truth, size_t *points, char method[32],
		      struct hurst_row *row)
{
	const char *at = strchr(line, '\t');

	assert_non_null(at);
	assert_int_equal(sscanf(at, "%lf %zu %31s %d %lf %*f %lf %lf %lf", truth, points, method,
				&row->series, &row->mean, &row->sd, &row->rmse, &row->held),
			 8);
}

static FILE *open_table(void)
{
	char line[LINE_BYTES];
	FILE *in = fopen("tests/golden/hurst-table.tsv", "r");

	assert_non_null(in);
	assert_non_null(fgets(line, sizeof(line), in));
	return in;
}

static void check_row(const char *line, const struct hurst_row *said, const struct hurst_row *found)
{
	const double error = ERRORS * said->sd / sqrt((double)found->series);

	if (found->series > 1 && fabs(found->mean - said->mean) > error + 0.0002)
		fail_msg("%s%s: mean %.4f", line, found->estimator->name, found->mean);
}

static bool is_of(const char *line, const struct hurst_model *model)
{
	const size_t length = strlen(model->name);

	return strncmp(line, model->name, length) == 0 && line[length] == '\t';
}

// The first series are the table's own, so nothing but rounding is left where all are made.
static void fewer_series_agree(size_t length, int count)
{
	FILE *in = open_table();

	for (size_t model = 0; model < HURST_MODELS; model++) {
		struct hurst_row rows[64], said;
		const int most = hurst_series(estimators[0], model, length);
		const int own = most == hurst_series(estimators[0], 0, length)
					? count
					: count / (getenv("FLIT_LONG") ? 10 : 2);
		const bool slow = getenv("FLIT_LONG") ||
				  (hurst_models[model].series > 0 && model % 3 == 0);
		const bool tried = getenv("FLIT_LONG") || length == 0 || model % 2 == 0;
		const size_t n = most > 0 && tried ? hurst_rows(model, length,
								own < most ? own : most, slow, rows)
						   : 0;

		for (size_t i = 0; i < n;) {
			char line[LINE_BYTES], method[32];
			double truth;
			size_t points;

			if (rows[i].series == 0) {
				i++;
				continue;
			}
			assert_non_null(fgets(line, sizeof(line), in));
			read_line(line, &truth, &points, method, &said);
			assert_non_null(estimator_find(method));
			if (points != hurst_lengths[length] || !is_of(line, &hurst_models[model]) ||
			    (hurst_slow(estimator_find(method)) && !slow))
				continue;
			assert_string_equal(method, rows[i].estimator->name);
			check_row(line, &said, &rows[i++]);
		}
	}
	(void)fclose(in);
}

static void the_table_comes_out(void **state)
{
	const char *all = getenv("FLIT_LONG");

	(void)state;
	fewer_series_agree(0, all ? 40 : 4);
	fewer_series_agree(1, all ? 8 : 2);
	if (all)
		fewer_series_agree(2, 2);
}

static bool is_one_of(const char *method, const char *list)
{
	const char *at = strstr(list, method);

	return at && (at == list || at[-1] == ' ') && strchr(" ", at[strlen(method)]);
}

// On such noise of 2^20 points every method without a known bias, or freed of it, is right within
// 0.01.
static void what_is_unbiased_is_right(void **state)
{
	FILE *in = open_table();
	char line[LINE_BYTES];
	size_t checked = 0;

	(void)state;
	while (fgets(line, sizeof(line), in)) {
		struct hurst_row said;
		char method[32];
		double truth;
		size_t points;

		read_line(line, &truth, &points, method, &said);
		if (strncmp(line, "fgn", 3) != 0 || points != 1 << 20 ||
		    is_one_of(method, "whittle-farima"))
			continue;
		if (fabs(said.mean - truth) > 0.01 + 3 * said.sd / sqrt((double)said.series))
			fail_msg("%s: biased", line);
		checked++;
	}
	(void)fclose(in);
	assert_true(checked >= 5 * 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_comes_out),
		cmocka_unit_test(what_is_unbiased_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
