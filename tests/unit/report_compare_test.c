// SPDX-License-Identifier: GPL-3.0-or-later
// The data for --compare and the head of the page, by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/section.h"
#include "report/side_by_side.h"
#include "stat/counts/distance.h"
#include "stat/hurst/estimator.h"

static const struct burst_gap_rule usual = {.by = BURST_GAP_FOUND};

static struct quantile *histogram(const uint64_t *values, size_t count)
{
	struct quantile *made = calloc(1, sizeof(*made));

	for (size_t i = 0; i < count; i++)
		quantile_add(made, values[i]);
	return made;
}

static struct distance apart(const uint64_t *x, size_t n, double x_unit, const uint64_t *y,
			     size_t m, double y_unit)
{
	struct quantile *a = histogram(x, n), *b = histogram(y, m);
	const struct distance made = distance_between(a, x_unit, b, y_unit),
			      back = distance_between(b, y_unit, a, x_unit);

	assert_true((isnan(made.ks) && isnan(back.ks)) ||
		    (made.ks == back.ks && fabs(made.emd - back.emd) < 1e-12));
	free(a);
	free(b);
	return made;
}

static void distances_by_hand(void **state)
{
	static const uint64_t one[] = {1, 2, 3, 4}, shifted[] = {3, 4, 5, 6},
			      tens[] = {10, 20, 30, 40}, two[] = {1, 1, 4, 4, 4, 4};
	struct distance d;

	(void)state;
	d = apart(one, 4, 1, one, 4, 1);
	assert_true(d.ks == 0 && d.emd == 0);
	// Moved by 2: every packet is carried 2 further.
	d = apart(one, 4, 1, shifted, 4, 1);
	assert_true(fabs(d.ks - 0.5) <= 1e-12);
	assert_true(fabs(d.emd - 2) <= 1e-12);
	// The same in other units.
	d = apart(one, 4, 1, tens, 4, 0.1);
	assert_true(fabs(d.ks - 0) <= 1e-12);
	assert_true(fabs(d.emd - 0) <= 1e-12);
	// Shares 1/4, 1/2, 3/4, 1 against 1/3, 1/3, 1/3, 1.
	d = apart(one, 4, 1, two, 6, 1);
	assert_true(fabs(d.ks - (5.0 / 12)) <= 1e-12);
	assert_true(fabs(d.emd - (1.0 / 12 + 2.0 / 12 + 5.0 / 12)) <= 1e-12);
	assert_true(isnan(apart(one, 4, 1, one, 0, 1).ks));
}

static const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000, .origin_s = 17};

// 100 trains of 10 packets 1 us apart, one each millisecond, but for a silence of 0.9 s in the
// middle.
static struct stream *trains(void)
{
	struct stream *stream;
	struct tr_error err;

	assert_int_equal(stream_open(&stream, "trains", &header, &usual, &err), TR_OK);
	for (int64_t i = 0; i < 1000; i++) {
		const struct tr_packet packet = {.time_ticks = 1000 * (i / 10) + i % 10 +
							       (i >= 500 ? 900000 : 0),
						 .dst = 1,
						 .payload_bytes = 100};

		assert_int_equal(stream_add(stream, &packet, sizeof(packet), 1, &err), TR_OK);
	}
	assert_int_equal(stream_finish(stream, NULL, 0.95, &err), TR_OK);
	return stream;
}

static void trains_and_silences_by_hand(void **state)
{
	struct stream *stream = trains();
	const struct burst_causes causes = burst_causes_find(stream);
	char text[1024];

	(void)state;
	// 999 gaps of 1 us, of 991 us, and the silence; the mean is 1 ms.
	assert_true(fabs(causes.trained - (900.0 / 999)) <= 1e-9);
	assert_true(fabs(causes.train - 10) <= 1e-9);
	assert_int_equal(causes.silences, 1);
	assert_true(fabs(causes.longest_s - 0.900991) <= 1e-9);
	assert_true(fabs(causes.silent - (0.900991 / 0.999009)) <= 0.01);
	assert_true(burst_causes_say(stream, 0.01, text, sizeof(text)) > 0);
	assert_non_null(strstr(text,
			       "Trains: 90 % of the gaps are shorter than a tenth of the mean "
			       "(Poisson: 9.5 %), with 10 packets per train on average."));
	assert_non_null(strstr(
		text, "Pauses: 1 gap longer than ten mean gaps takes 90 % of the time (Poisson: "
		      "0.05 %), the longest 901 ms, starting 49.0 ms after the first packet."));
	stream_close(stream);
}

static void counts_of_a_common_width(void **state)
{
	struct stream *stream = trains();
	const struct counts *list[] = {&stream->counts};
	const struct common_width width = common_width_of(list, 1);
	struct batches batches = {.n = 0};
	struct quantile *quantile = calloc(1, sizeof(*quantile));

	(void)state;
	// A second is 100 bins of 10 ms, of which those at the ends do not count.
	assert_int_equal(width.series, 1);
	assert_true(fabs(width.seconds - 0.001) <= 1e-12);
	common_counts_add(&width, &stream->counts, &batches, quantile);
	assert_int_equal(quantile->n, 998);
	assert_int_equal(quantile->max, 10);
	assert_true(batches.sum == 980);
	free(quantile);
	stream_close(stream);
}

static void every_method_has_its_equation(void **state)
{
	const struct report report = {.level = .95};
	struct page page = {NULL};
	char *text = NULL;
	size_t bytes, rows = 0;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	for (size_t i = 0; estimators[i]; i++)
		assert_true(estimators[i]->equation || estimators[i]->paper);
	assert_string_equal(estimator_find("rs")->equation,
			    "R/S = (max Y - min Y)/sd X in blocks of m ~ m^H");
	methods_build(&report, &page);
	assert_int_equal(page.tables, 1);
	for (size_t i = 0; i < page.count; i++)
		if (page.blocks[i].type == BLOCK_TABLE) {
			rows = table_rows(page.blocks[i].table);
			table_write_tsv(page.blocks[i].table, out);
		}
	assert_int_equal(fclose(out), 0);
	assert_int_equal(rows, 11);
	assert_null(strstr(text, "\t-")); // a cell without a value
	free(text);
	page_clear(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_by_hand),
		cmocka_unit_test(trains_and_silences_by_hand),
		cmocka_unit_test(counts_of_a_common_width),
		cmocka_unit_test(every_method_has_its_equation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
