// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: the scaling rule compared with the published tables (datasets/data/tables).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/scale_rules.h"
#include "value/num.h"

#define COLUMNS 8 // n2, n4, change_percent, n8, n16, n32, n64, n128
enum { N2, N4, CHANGE, N8, N16, N32, N64, N128 };

struct row {
	char name[80];
	double value[COLUMNS]; // NaN where the cell is empty
	int decimals[COLUMNS];
};

// Reads a line whose first names words are a name; false at the end.
static bool next_row(FILE *table, int names, struct row *row)
{
	char line[512], *rest = line;

	do
		if (!fgets(line, sizeof(line), table))
			return false;
	while (*line == '#' || strstr(line, "change_percent"));
	line[strcspn(line, "\r\n")] = '\0';
	row->name[0] = '\0';
	for (int i = 0; i < names; i++) {
		strncat(row->name, strsep(&rest, ","), 20);
		strcat(row->name, " ");
	}
	for (int i = 0; i < COLUMNS; i++) {
		const char *cell = strsep(&rest, ","), *point;

		assert_non_null(cell);
		row->value[i] = NAN;
		point = strchr(cell, '.');
		row->decimals[i] = point ? (int)strlen(point + 1) : 0;
		if (*cell)
			assert_int_equal(num_parse_real(cell, &row->value[i], NULL), TR_OK);
	}
	return true;
}

static FILE *open_table(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/tables/%s", getenv("DATA"), name);
	FILE *table = fopen(path, "r");

	assert_non_null(table);
	return table;
}

// x8 from x2 and x4, which are printed with so many decimals (two at least: 24.5 is 24.50): within
// what any values that round to the printed ones could give, and the rounding of x8 itself.
static void check_n8(const struct row *row)
{
	double low = INFINITY, high = -INFINITY;

	for (int k = 0; k < 4; k++) {
		double half2 = 0.5 * pow(10, -fmax(row->decimals[N2], 2));
		double half4 = 0.5 * pow(10, -fmax(row->decimals[N4], 2));
		double x = scale_statistic(row->value[N2] + (k & 1 ? half2 : -half2),
					   row->value[N4] + (k & 2 ? half4 : -half4), 8);

		low = fmin(low, x);
		high = fmax(high, x);
	}
	if (!(row->value[N8] > low - 1e-6 && row->value[N8] < high + 1e-6))
		fail_msg("%s: n8 %.9g is outside %.9g .. %.9g", row->name, row->value[N8], low,
			 high);
}

// x16 to x128 from x8 as printed and p.
static void check_steps(const struct row *row, double p, double tolerance)
{
	double x = row->value[N8];

	for (int i = 0; i < 4; i++) {
		x = scale_step(x, p, (uint64_t)8 << i);
		if (!(fabs(x - row->value[N16 + i]) < tolerance * x + 0.5e-6)) // six decimals
			fail_msg("%s: at %d nodes %.9g, printed %.9g", row->name, 16 << i, x,
				 row->value[N16 + i]);
	}
}

static void sixty_four_published_rows(void **state)
{
	FILE *table = open_table("scaled-traffic.csv");
	struct row row;
	int rows = 0;

	(void)state;
	while (next_row(table, 4, &row)) {
		if (isnan(row.value[N8]))
			continue;
		rows++;
		check_n8(&row);
		check_steps(&row, row.value[CHANGE] / 100, 1e-3);
		// With the unrounded change, which n8 and n16 give; it rounds to the printed one.
		double p = 8 * (row.value[N16] / row.value[N8] - 1);

		check_steps(&row, p, 3.1e-5);
		assert_true(fabs(p - row.value[CHANGE] / 100) < 3e-4);
	}
	fclose(table);
	assert_int_equal(rows, 64);
}

// The row-column basic algorithm's own table, worked out from its printed values; inter-pulse times
// from the printed change, since at two decimals their ratio is coarse.
static void row_column_basic(void **state)
{
	FILE *table = open_table("rcb-scaled.csv");
	struct row row;
	int rows = 0;

	(void)state;
	while (next_row(table, 3, &row)) {
		double p = row.value[N4] / row.value[N2] - 1, x = row.value[N4];

		if (isnan(row.value[N8]))
			continue;
		if (strstr(row.name, "inter_pulse"))
			p = row.value[CHANGE] / 100;
		rows++;
		for (int i = 0; i < 5; i++) {
			x = scale_step(x, p, (uint64_t)4 << i);
			if (!(fabs(x / row.value[N8 + i] - 1) < 1e-5))
				fail_msg("%s: at %d nodes %.9g, table %.9g", row.name, 8 << i, x,
					 row.value[N8 + i]);
		}
	}
	fclose(table);
	assert_int_equal(rows, 14);
}

static void beyond_the_published(void **state)
{
	(void)state;
	assert_true(scale_statistic(3, 3, 1024) == 3);
	assert_true(scale_statistic(0, 5, 64) == 5);
	assert_true(scale_statistic(2, 4, 2) == 2 && scale_statistic(2, 4, 4) == 4);
	double x64 = 4 * (1 + 1 / 4.0) * (1 + 1 / 8.0) * (1 + 1 / 16.0) * (1 + 1 / 32.0);
	double x512 = x64 * (1 + 1 / 32.0) * (1 + 1 / 128.0) * (1 + 1 / 256.0);

	assert_true(fabs(scale_statistic(2, 4, 512) / x512 - 1) < 1e-14);
}

static struct pulse_model some_model(uint64_t nodes, double pulses)
{
	struct pulse_model model = {.nodes = nodes, .mtu_B = 8192};

	model.part[PULSE_WORKER][PULSE_DATA] = (struct pulse_part){.present = true,
								   .silence_s = 1,
								   .pulses = pulses,
								   .inter_pulse_s = 0.1,
								   .size_mean_B = 8000,
								   .size_variance_B2 = 1e6};
	return model;
}

static void models_are_checked(void **state)
{
	struct pulse_model at_2 = some_model(2, 24.5), at_4 = some_model(4, 10.5), out;
	struct tr_error err;

	(void)state;
	assert_int_equal(scale_model(&at_2, &at_4, 16, &out, &err), TR_OK);
	assert_true(fabs(out.part[PULSE_WORKER][PULSE_DATA].pulses - 8.357143) < 1e-6);
	assert_true(out.part[PULSE_WORKER][PULSE_DATA].silence_s == 1);
	assert_int_equal(out.nodes, 16);
	pulse_model_clear(&out);
	assert_int_equal(scale_model(&at_4, &at_2, 16, &out, &err), TR_ERROR);
	assert_int_equal(scale_model(&at_2, &at_4, 12, &out, &err), TR_ERROR);
	assert_int_equal(scale_model(&at_2, &at_4, 0, &out, &err), TR_ERROR);
	assert_int_equal(scale_model(&at_2, &at_4, 1 << 21, &out, &err), TR_ERROR);
	at_2.part[PULSE_CONTROLLER][PULSE_DATA].present = true;
	assert_int_equal(scale_model(&at_2, &at_4, 16, &out, &err), TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sixty_four_published_rows),
		cmocka_unit_test(row_column_basic),
		cmocka_unit_test(beyond_the_published),
		cmocka_unit_test(models_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
