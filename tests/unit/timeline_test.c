// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/topology/topology.h"
#include "timeline/cells.h"
#include "timeline/run_over_time.h"
#include "value/random.h"

#define TICKS_PER_S UINT64_C(1000000000)
#define WIDTH 100.0

struct bed {
	struct net_topology topology;
	struct timeline timeline;
};

static void open_bed(struct bed *bed, bool program, uint32_t tracks, int64_t from_ticks,
		     int64_t to_ticks)
{
	struct tr_error err;
	struct timeline form = {.topology = &bed->topology,
				.ticks_per_s = TICKS_PER_S,
				.window = {from_ticks, to_ticks, NULL},
				.program = program,
				.places = 2,
				.tracks_per_place = tracks};

	assert_int_equal(net_topology_make(&bed->topology, "switch:2", &err), TR_OK);
	assert_int_equal(timeline_open(&bed->timeline, &form, &err), TR_OK);
}

static void close_bed(struct bed *bed)
{
	timeline_close(&bed->timeline);
	net_topology_clear(&bed->topology);
}

static void add_span(struct bed *bed, uint32_t track, enum timeline_does does, int64_t begin_ticks,
		     int64_t end_ticks)
{
	const struct timeline_span span = {.begin_ticks = begin_ticks,
					   .end_ticks = end_ticks,
					   .track = track,
					   .line = 7,
					   .does = (uint8_t)does};
	struct tr_error err;

	assert_int_equal(timeline_add_span(&bed->timeline, &span, &err), TR_OK);
}

static void add_packet(struct bed *bed, uint64_t id, const int64_t times[5],
		       enum tr_delivery_status status)
{
	static const uint16_t ports[] = {1};
	const struct net_worm worm = {.received_ticks = times[4],
				      .route = ports,
				      .route_count = 1,
				      .source = 0,
				      .destination = 1,
				      .size_bytes = 64};
	const struct tr_delivery delivery = {.packet = {.time_ticks = times[4] + 5, .id = id},
					     .created_ticks = times[0],
					     .started_ticks = times[1],
					     .injected_ticks = times[2],
					     .head_ticks = times[3],
					     .status = (uint8_t)status};
	struct tr_error err;

	assert_int_equal(timeline_add_packet(&bed->timeline, &worm, &delivery, &err), TR_OK);
}

static void settle(struct bed *bed)
{
	struct tr_error err;

	assert_int_equal(timeline_settle(&bed->timeline, &err), TR_OK);
}

static void assert_step(const struct bed *bed, uint32_t number, int64_t begin_ticks,
			int64_t end_ticks)
{
	assert_int_equal(bed->timeline.spans.items[number].begin_ticks, begin_ticks);
	assert_int_equal(bed->timeline.spans.items[number].end_ticks, end_ticks);
}

// Rank 0 computes and sends; rank 1 receives, on its second processor.
static void messages_find_their_steps(void **state)
{
	const struct tr_message message = {.begin_ticks = 1000,
					   .end_ticks = 4000,
					   .id = 3,
					   .size_bytes = 8,
					   .src = 0,
					   .dst = 1,
					   .tag = 5};
	const struct timeline *timeline;
	struct bed bed = {0};
	struct tr_error err;
	uint32_t step;

	(void)state;
	open_bed(&bed, true, 2, INT64_MIN, INT64_MAX);
	add_span(&bed, 3, TIMELINE_RECEIVES, 3500, 4000);
	add_span(&bed, 0, TIMELINE_COMPUTES, 0, 1000);
	add_span(&bed, 0, TIMELINE_SENDS, 1000, 1500);
	assert_int_equal(timeline_add_message(&bed.timeline, &message, &err), TR_OK);
	settle(&bed);
	timeline = &bed.timeline;
	assert_int_equal(timeline->messages.items[0].from_span, 1);
	assert_int_equal(timeline->messages.items[0].to_span, 2);
	assert_int_equal(timeline->begin_ticks, 0);
	assert_int_equal(timeline->end_ticks, 4000);
	assert_int_equal(timeline_state_at(timeline, 0, 999, &step), TIMELINE_BUSY);
	assert_int_equal(step, 0);
	assert_int_equal(timeline_state_at(timeline, 0, 1000, &step), TIMELINE_BUSY);
	assert_int_equal(step, 1);
	assert_int_equal(timeline_state_at(timeline, 0, 1500, &step), TIMELINE_FINISHED);
	assert_int_equal(timeline_state_at(timeline, 3, 0, &step), TIMELINE_WAITS);
	assert_int_equal(timeline_state_at(timeline, 2, 0, &step), TIMELINE_FINISHED);
	assert_int_equal(timeline_next_event(timeline, 1000), 1500);
	assert_int_equal(timeline_previous_event(timeline, 1000), 0);
	assert_int_equal(timeline_next_event(timeline, 4000), 4000);
	close_bed(&bed);
}

// Of packets of one host that are under way at once each is cut where the next begins; the last
// stays until all have gone.
static void packets_overlap(void **state)
{
	struct bed bed = {0};

	(void)state;
	open_bed(&bed, false, 2, INT64_MIN, INT64_MAX);
	add_packet(&bed, 1, (const int64_t[]){5, 8, 10, 50, 100}, TR_DELIVERED);
	add_packet(&bed, 2, (const int64_t[]){6, 15, 20, 110, 120}, TR_DELIVERED);
	add_packet(&bed, 3, (const int64_t[]){6, 40, 60, 115, 118}, TR_DELIVERED);
	add_packet(&bed, 4, (const int64_t[]){7, -1, -1, -1, 40}, TR_DROPPED);
	add_packet(&bed, 5, (const int64_t[]){-1, -1, -1, -1, 40}, TR_DROPPED); // refused
	settle(&bed);
	assert_int_equal(bed.timeline.spans.count, 6);
	assert_int_equal(bed.timeline.packets.count, 4);
	assert_step(&bed, 0, 10, 20);
	assert_step(&bed, 1, 20, 60);
	assert_step(&bed, 2, 60, 120);
	assert_step(&bed, 3, 50, 100);
	assert_step(&bed, 4, 110, 115);
	assert_step(&bed, 5, 115, 120);
	assert_int_equal(bed.timeline.packets.items[0].from_span, 0);
	assert_int_equal(bed.timeline.packets.items[0].to_span, 3);
	assert_int_equal(bed.timeline.packets.items[2].to_span, 5);
	assert_int_equal(bed.timeline.packets.items[3].from_span, TIMELINE_NONE);
	assert_true(bed.timeline.packets.items[3].lost);
	close_bed(&bed);
}

static void only_the_window_is_kept(void **state)
{
	struct bed bed = {0};

	(void)state;
	open_bed(&bed, true, 1, 100, 200);
	add_span(&bed, 0, TIMELINE_COMPUTES, 0, 99);
	add_span(&bed, 0, TIMELINE_COMPUTES, 99, 150);
	add_span(&bed, 1, TIMELINE_COMPUTES, 150, 250);
	add_span(&bed, 1, TIMELINE_COMPUTES, 250, 300);
	settle(&bed);
	assert_int_equal(bed.timeline.spans.count, 2);
	assert_int_equal(bed.timeline.begin_ticks, 100);
	assert_int_equal(bed.timeline.end_ticks, 200);
	close_bed(&bed);
}

static void empty_is_valid(void **state)
{
	struct bed bed = {0};
	struct tr_error err;
	FILE *out = tmpfile();

	(void)state;
	assert_non_null(out);
	open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
	settle(&bed);
	assert_int_equal(bed.timeline.begin_ticks, 0);
	assert_int_equal(bed.timeline.end_ticks, 1);
	timeline_svg(&bed.timeline, "", "", out);
	assert_int_equal(timeline_trace_events(&bed.timeline, "", "", out, &err), TR_OK);
	assert_int_equal(ferror(out), 0);
	assert_int_equal(fclose(out), 0);
	close_bed(&bed);
}

// Nothing is lost when intervals are joined, and none is busy for longer than it lasts. The first
// activity is at 7.
static void joined_intervals_keep_sums(void **state)
{
	struct tr_random random;
	struct bed bed = {0};
	int64_t sums[4] = {0};

	(void)state;
	open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
	tr_random_open(&random, 1, "links");
	for (int64_t start_ticks = 0; start_ticks < 30000; start_ticks++) {
		for (uint32_t link = 0; link < 4; link++) {
			const struct tr_link sample = {
				.start_ticks = start_ticks * 10,
				.width_ticks = 10,
				.busy_ticks = start_ticks < 7
						      ? 0
						      : (int64_t)tr_random_below(&random, 11),
				.link = link};

			sums[link] += sample.busy_ticks;
			timeline_add_sample(&bed.timeline, &sample);
		}
	}
	settle(&bed);
	assert_int_equal(bed.timeline.links.width_ticks, 10 * 64); // 29993 intervals in at most 512
	assert_true(bed.timeline.links.start_ticks <= 80);
	for (uint32_t link = 0; link < 4; link++) {
		double sum = 0;

		for (uint32_t bin = 0; bin < bed.timeline.links.bins; bin++) {
			assert_true(timeline_busy(&bed.timeline, link, bin) <= 1);
			sum += timeline_busy(&bed.timeline, link, bin) * 640;
		}
		assert_true(fabs(sum - (double)sums[link]) < 1e-6 * sum); // sums of doubles
	}
	close_bed(&bed);
}

// 36 ticks in a nanosecond cannot be written exactly: begins and ends are cut alike, so lengths fit
// between them.
static void times_as_text(void **state)
{
	struct bed bed = {0};
	char from[48];
	char to[48];
	char between[48];

	(void)state;
	open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
	bed.timeline.ticks_per_s = UINT64_C(36000000000);
	add_span(&bed, 0, TIMELINE_COMPUTES, 0, 360001);
	settle(&bed);
	assert_string_equal(timeline_us(&bed.timeline, 36001, from, sizeof(from)),
			    "1.000027"); // 1.0000277...
	assert_string_equal(timeline_us(&bed.timeline, 360001, to, sizeof(to)),
			    "10.000027"); // 10.0000277...
	assert_string_equal(
		timeline_us_between(&bed.timeline, 36001, 360001, between, sizeof(between)), "9.0");
	timeline_close(&bed.timeline);
	net_topology_clear(&bed.topology);
	open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
	add_span(&bed, 0, TIMELINE_COMPUTES, 0, INT64_MAX / 2); // a century
	settle(&bed);
	assert_string_equal(timeline_us(&bed.timeline, INT64_MAX / 2, to, sizeof(to)),
			    "4611686018427387.903");
	close_bed(&bed);
}

#define CELLS_MAX 4096

struct cells {
	struct timeline_cell items[CELLS_MAX];
	size_t count;
};

static void take_cell(void *context, const struct timeline_cell *cell)
{
	struct cells *cells = context;

	assert_true(cells->count < CELLS_MAX);
	cells->items[cells->count++] = *cell;
}

// A random track: steps without gaps, and gaps, from narrow to wide.
static void add_random_steps(struct bed *bed, struct tr_random *random)
{
	int64_t at_ticks = 0;

	while (at_ticks < 100000) {
		const int64_t most = tr_random_below(random, 8) == 0 ? 9000 : 600;
		const int64_t length_ticks = 1 + (int64_t)tr_random_below(random, (uint64_t)most);

		if (tr_random_below(random, 3) != 0)
			add_span(bed, 0, (enum timeline_does)tr_random_below(random, TIMELINE_DOES),
				 at_ticks, at_ticks + length_ticks);
		at_ticks += length_ticks;
	}
}

// What most of the time of the narrow steps that begin in the pixel is spent with; TIMELINE_DOES if
// none does.
static enum timeline_does most_in(const struct timeline *timeline,
				  const struct timeline_scale *scale, double pixel)
{
	double shares[TIMELINE_DOES] = {0};
	enum timeline_does most = TIMELINE_DOES;

	for (size_t i = 0; i < timeline->spans.count; i++) {
		const struct timeline_span *span = &timeline->spans.items[i];
		const double left = timeline_x(timeline, scale, span->begin_ticks);
		const double right = timeline_x(timeline, scale, span->end_ticks);

		if (right - left < scale->pixel && left >= pixel && left < pixel + scale->pixel)
			shares[span->does] += right - left;
	}
	for (enum timeline_does does = 0; does < TIMELINE_DOES; does++)
		if (shares[does] > (most == TIMELINE_DOES ? 0 : shares[most]))
			most = does;
	return most;
}

// Each wide step is a box of its own, and a pixel is in a merged box exactly if narrow steps begin
// there.
static void boxes_show_most_of_the_time(void **state)
{
	const struct timeline_scale scale = {WIDTH, 1};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "cells");
	for (int round = 0; round < 50; round++) {
		struct bed bed = {0};
		struct cells cells = {.count = 0};
		size_t wide = 0;
		double last = 0;

		open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
		add_random_steps(&bed, &random);
		settle(&bed);
		timeline_cells(&bed.timeline, 0, &scale, take_cell, &cells);
		assert_true(cells.count <= 2 * (size_t)WIDTH);
		for (size_t i = 0; i < cells.count; i++) {
			const struct timeline_cell *cell = &cells.items[i];

			assert_true(cell->left >= last && cell->right > cell->left &&
				    cell->right <= WIDTH);
			last = cell->left;
			wide += cell->span != NULL;
			for (double pixel = cell->left; !cell->span && pixel < cell->right; pixel++)
				assert_int_equal(cell->does, most_in(&bed.timeline, &scale, pixel));
		}
		for (size_t i = 0; i < bed.timeline.spans.count; i++)
			wide -= timeline_x(&bed.timeline, &scale,
					   bed.timeline.spans.items[i].end_ticks) -
					timeline_x(&bed.timeline, &scale,
						   bed.timeline.spans.items[i].begin_ticks) >=
				1;
		assert_int_equal(wide, 0);
		close_bed(&bed);
	}
}

static void assert_row(const struct bed *bed, const struct timeline_view *view, uint32_t row,
		       const char *text)
{
	char out[TIMELINE_COLUMNS_MAX + 1];

	timeline_view_row(&bed->timeline, view, row, out);
	assert_true(strlen(out) <= view->columns);
	assert_string_equal(out, text);
}

// The screen at 1.25 us: rank 0 is half through its send of 500 ns, the message half through its
// 2.5 us, a link busy for a half.
static void screen_of_a_moment(void **state)
{
	const struct timeline_view view = {.now_ticks = 1250, .rows = 13, .columns = 96};
	const struct timeline_view narrow = {
		.now_ticks = 1250, .step_ticks = 250, .rows = 13, .columns = 60};
	const struct tr_message message = {
		.begin_ticks = 0, .end_ticks = 2500, .size_bytes = 8, .src = 0, .dst = 1, .tag = 5};
	const struct tr_link sample = {
		.start_ticks = 1000, .width_ticks = 1000, .busy_ticks = 500, .link = 0};
	struct bed bed = {0};
	struct tr_error err;

	(void)state;
	open_bed(&bed, true, 1, INT64_MIN, INT64_MAX);
	add_span(&bed, 0, TIMELINE_SENDS, 1000, 1500);
	add_span(&bed, 1, TIMELINE_COMPUTES, 2000, 2500);
	assert_int_equal(timeline_add_message(&bed.timeline, &message, &err), TR_OK);
	timeline_add_sample(&bed.timeline, &sample);
	settle(&bed);
	assert_int_equal(timeline_view_tracks(&view), 4);
	assert_row(&bed, &view, 0, "t = 1.25 us of 2.5 us  step: event  [##########..........]");
	assert_row(&bed, &view, 1,
		   "rank         state     line            until us             | 1 message under "
		   "way");
	assert_row(&bed, &view, 2,
		   "rank0        sends     7      [###...] 1.5                  | "
		   "rank0>rank1 8 B tag 5 [###...]");
	assert_row(&bed, &view, 3,
		   "rank1        waits                     2.0                  | ");
	assert_row(&bed, &view, 4,
		   "                                                            | ");
	assert_row(&bed, &view, 6, "busiest links, in intervals of 1.0 us");
	assert_row(&bed, &view, 7,
		   "host0>switch0.0                   [##########..........] 50.0 %");
	assert_row(&bed, &view, 8, "");
	assert_row(&bed, &narrow, 0,
		   "t = 1.25 us of 2.5 us  step: 0.25 us  [##########..........]");
	assert_row(&bed, &narrow, 2,
		   "rank0        sends     7      [###...| rank0>rank1 8 B tag 5");
	close_bed(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_find_their_steps),   cmocka_unit_test(packets_overlap),
		cmocka_unit_test(only_the_window_is_kept),     cmocka_unit_test(empty_is_valid),
		cmocka_unit_test(joined_intervals_keep_sums),  cmocka_unit_test(times_as_text),
		cmocka_unit_test(boxes_show_most_of_the_time), cmocka_unit_test(screen_of_a_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
