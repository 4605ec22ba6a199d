// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of the means of a trace's bursts and sizes, from their bins over time.
#include "stat/bursts/traffic.h"

#include <math.h>

#define LEAST_VALUES 8 // for an interval

// Rows of the senders together.
enum { ALL_SIZES, ALL_DELAYS, ALL_SILENCES, ALL_ROWS };

static enum tr_status add_streams(const struct traffic *traffic, const uint8_t *roles,
				  enum tr_role role, enum tr_class class, size_t listed,
				  struct time_rows *all, struct tr_error *err)
{
	for (uint32_t i = 0; traffic_next(traffic, &i); i++) {
		const struct time_rows *rows = &traffic_sender(traffic, i)->rows[class];

		if (!traffic_stream(traffic, i, class) || roles[i] != role)
			continue;
		for (size_t row = 0; row < rows->row_count; row++)
			if (time_rows_merge(all,
					    row == 0		? ALL_SIZES
					    : row - 1 <= listed ? ALL_DELAYS
								: ALL_SILENCES,
					    rows, row, err) != TR_OK)
				return TR_ERROR;
	}
	return TR_OK;
}

// What is averaged in a bin, and over how many.
enum averaged { OF_SIZES, OF_DELAYS, OF_SILENCES, OF_PULSES, OF_INTERARRIVALS };

static void fill_bin(const struct time_rows *all, enum averaged what, size_t bin, double *over,
		     double *under)
{
	static const unsigned rows[] = {ALL_SIZES, ALL_DELAYS, ALL_SILENCES, ALL_SILENCES,
					ALL_SILENCES};

	*under = (double)time_rows_n(all, rows[what], bin);
	*over = (double)time_rows_sum(all, rows[what], bin);
	if (what == OF_PULSES)
		*over = (double)time_rows_n(all, ALL_SIZES, bin);
	else if (what == OF_INTERARRIVALS)
		*over += (double)time_rows_sum(all, ALL_DELAYS, bin);
}

// No more bins than values.
static struct mean_error role_error(struct time_rows *all, enum averaged what,
				    const struct moments *moments, double level)
{
	double over[TIME_BINS], under[TIME_BINS];

	if (moments->n >= 2 && moments_deviations(moments) <= 0)
		return (struct mean_error){
			.known = true, .freedom = (double)moments->n - 1, .h = .5};
	if (moments->n < LEAST_VALUES)
		return (struct mean_error){.se = NAN, .freedom = NAN, .h = .5, .longer = 4};
	time_rows_limit(all, moments->n);
	for (size_t bin = 0; bin < all->used; bin++)
		fill_bin(all, what, bin, &over[bin], &under[bin]);
	return ratio_error_find(over, under, all->used, moments_mean(moments), level);
}

enum tr_status traffic_errors(const struct traffic *traffic, const uint8_t *roles,
			      enum tr_role role, enum tr_class class, size_t listed,
			      const struct burst_statistics *found, double level,
			      struct burst_errors *out, struct tr_error *err)
{
	struct time_rows all;
	enum tr_status status;

	if (time_rows_open(&all, ALL_ROWS, err) != TR_OK)
		return TR_ERROR;
	status = add_streams(traffic, roles, role, class, listed, &all, err);
	if (status == TR_OK) {
		out->size_bytes = role_error(&all, OF_SIZES, &found->size_bytes, level);
		out->delay = role_error(&all, OF_DELAYS, &found->delay, level);
		out->pulses = role_error(&all, OF_PULSES, &found->pulses, level);
		out->silence = role_error(&all, OF_SILENCES, &found->silence, level);
		out->interarrival = role_error(&all, OF_INTERARRIVALS, &found->interarrival, level);
	}
	time_rows_close(&all);
	return status;
}

enum tr_status traffic_sizes_error(const struct traffic *traffic, unsigned kind,
				   const struct moments *found, double level,
				   struct mean_error *out, struct tr_error *err)
{
	enum tr_status status;
	struct time_rows all;

	if (time_rows_open(&all, ALL_ROWS, err) != TR_OK)
		return TR_ERROR;
	status = TR_OK;
	for (uint32_t i = 0; status == TR_OK && traffic_next(traffic, &i); i++)
		for (enum tr_class class = 0; class < TRAFFIC_CLASSES && status == TR_OK; class ++)
			if ((kind == TRAFFIC_CLASSES || class == kind) &&
			    traffic_stream(traffic, i, class))
				status = time_rows_merge(&all, ALL_SIZES,
							 &traffic_sender(traffic, i)->rows[class],
							 0, err);
	if (status == TR_OK)
		*out = role_error(&all, OF_SIZES, found, level);
	time_rows_close(&all);
	return status;
}
