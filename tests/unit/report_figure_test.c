// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/figure.h"
#include "report/drawing.h"

// A figure with one plot and one curve to add rows to.
static struct figure one_curve(enum curve_style style)
{
	struct figure figure = {.across = 1};

	figure_panel(&figure, NULL, 100);
	figure_plot(&figure, "x", "y");
	figure_curve(&figure, style, 1, NULL);
	return figure;
}

static struct quantile *values(const uint64_t *list, size_t count)
{
	struct quantile *quantile = calloc(1, sizeof(*quantile));

	for (size_t i = 0; i < count; i++)
		quantile_add(quantile, list[i]);
	return quantile;
}

static void check_rows(const struct figure *figure, const double (*rows)[2], size_t count)
{
	const struct curve *curve = &figure->panels[0].plots[0].curves[0];

	assert_int_equal(curve->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(curve->values[2 * i] == rows[i][0]);
		assert_true(fabs(curve->values[2 * i + 1] - rows[i][1]) < 1e-12);
	}
}

// By hand: of 0, 10, 10, 20 a quarter is 0, three are at most 10.
static void stairs_of_four_values(void **state)
{
	static const uint64_t list[] = {0, 10, 10, 20};
	static const double below[][2] = {{0.5, 0},  {0.5, 0.25}, {5, 0.25},
					  {5, 0.75}, {10, 0.75},  {10, 1}};
	static const double above[][2] = {{0.5, 1}, {0.5, 0.75}, {5, 0.75}, {5, 0.25}, {10, 0.25}};
	struct quantile *quantile = values(list, 4);
	struct figure figure = one_curve(CURVE_LINE);

	(void)state;
	distribution_below(&figure, quantile, 0.5, 0.5);
	check_rows(&figure, below, sizeof(below) / sizeof(*below));
	figure_clear(&figure);
	figure = one_curve(CURVE_LINE);
	distribution_above(&figure, quantile, 0.5, 0.5);
	check_rows(&figure, above, sizeof(above) / sizeof(*above));
	figure_clear(&figure);
	free(quantile);
}

static void extents_have_room(void **state)
{
	struct figure figure = one_curve(CURVE_MARKS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	extent_settle(plot);
	assert_true(plot->x.lo == 0 && plot->x.hi > 0.9 && plot->x.hi < 1.1); // nothing to show
	plot->x.lo = plot->x.hi = plot->y.lo = plot->y.hi = NAN;
	figure_row(&figure, 10, 5, 0, 0);
	figure_row(&figure, 20, 5, 0, 0);
	extent_settle(plot);
	assert_true(plot->x.lo < 10 && plot->x.lo > 9 && plot->x.hi > 20 && plot->x.hi < 21);
	assert_true(plot->y.lo < 5 && plot->y.hi > 5);
	plot->x.lo = plot->x.hi = NAN;
	plot->x.log = true;
	figure_row(&figure, -1, 5, 0, 0); // has no place there
	extent_settle(plot);
	assert_true(plot->x.lo > 9 && plot->x.hi < 21);
	plot->x.lo = plot->x.hi = 3;
	extent_settle(plot);
	assert_true(plot->x.hi > plot->x.lo);
	figure_clear(&figure);
}

static void check_tics(const struct axis *axis, const char *const *labels, size_t count)
{
	size_t named = 0;

	for (size_t i = 0; i < axis->tic_count; i++) {
		if (!axis->tics[i].label) // a minor one
			continue;
		assert_true(named < count);
		assert_string_equal(axis->tics[i].label, labels[named++]);
	}
	assert_int_equal(named, count);
}

static void decades_have_names(void **state)
{
	static const char *const times[] = {"100 ns", "1 µs", "10 µs", "100 µs", "1 ms"};
	static const char *const sizes[] = {"1 B", "10 B", "100 B", "1 kB", "10 kB"};
	static const char *const numbers[] = {"10⁻⁶", "10⁻⁴", "0.01", "1", "100", "10000"};
	struct figure figure = one_curve(CURVE_MARKS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	axis_times(&figure, &plot->x, 0.9e-7, 2e-3);
	check_tics(&plot->x, times, 5);
	axis_sizes(&figure, &plot->y, 0.7, 11000);
	check_tics(&plot->y, sizes, 5);
	axis_decades(&figure, &plot->heat, 1e-6, 1e5);
	check_tics(&plot->heat, numbers, 6);
	assert_true(plot->heat.log && plot->heat.lo == 1e-6 && plot->heat.hi == 1e5);
	figure_clear(&figure);
}

static void short_axes_have_names_within_decades(void **state)
{
	static const char *const numbers[] = {"50", "100", "200", "500"};
	static const char *const times[] = {"200 µs", "500 µs", "1 ms", "2 ms", "5 ms"};
	struct figure figure = one_curve(CURVE_MARKS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	axis_decades(&figure, &plot->x, 40, 600);
	check_tics(&plot->x, numbers, 4);
	axis_times(&figure, &plot->y, 1.5e-4, 9e-3);
	check_tics(&plot->y, times, 5);
	figure_clear(&figure);
}

// Less than a decade: the decades around it, whose names gnuplot writes only if they are within the
// ends.
static void two_names_at_least(void **state)
{
	static const char *const numbers[] = {"10", "100"};
	struct figure figure = one_curve(CURVE_MARKS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	axis_decades(&figure, &plot->x, 24, 45);
	check_tics(&plot->x, numbers, 2);
	assert_true(plot->x.lo < 9.9 && plot->x.hi > 101);
	figure_clear(&figure);
}

static void columns_have_round_times(void **state)
{
	static const char *const times[] = {"0", "50", "100", "150", "200", "250", "300"};
	const struct axis_columns columns = {
		.count = 38, .begin_s = -0.002, .width_s = 0.0084, .unit_s = 1e-3};
	struct figure figure = one_curve(CURVE_CELLS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	axis_columns(&figure, &plot->x, &columns, 10);
	check_tics(&plot->x, times, 7);
	assert_true(plot->x.lo == -0.5 && plot->x.hi == 37.5);
	assert_true(fabs(plot->x.tics[1].at - (0.052 / 0.0084 - 0.5)) < 1e-9);
	figure_clear(&figure);
}

static void labels_of_times_do_not_touch(void **state)
{
	static const char *const times[] = {"100 µs", "10 ms"};
	struct figure figure = one_curve(CURVE_MARKS);
	struct plot *plot = &figure.panels[0].plots[0];

	(void)state;
	axis_times(&figure, &plot->x, 2e-6, 0.5);
	check_tics(&plot->x, times, 2);
	figure_clear(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stairs_of_four_values),
		cmocka_unit_test(extents_have_room),
		cmocka_unit_test(decades_have_names),
		cmocka_unit_test(labels_of_times_do_not_touch),
		cmocka_unit_test(two_names_at_least),
		cmocka_unit_test(columns_have_round_times),
		cmocka_unit_test(short_axes_have_names_within_decades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
