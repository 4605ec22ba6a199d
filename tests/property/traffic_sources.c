// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic_sources.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static double unit(const struct traffic_rate *rate)
{
	return tr_random_unit(rate->random);
}

static double exponential(const struct traffic_rate *rate, double mean)
{
	return -mean * log(unit(rate));
}

void rate_add(const struct traffic_rate *rate, double begin, double end, double amount)
{
	end = fmin(end, (double)rate->n);
	begin = fmax(begin, 0);
	while (begin < end) {
		const size_t bin = (size_t)begin;
		const double next = fmin((double)bin + 1, end);

		if (bin >= rate->n)
			return;
		rate->at[bin] += amount * (next - begin);
		begin = next;
	}
}

void rate_add_states(const struct traffic_rate *rate, double mean_bins, double low, double high)
{
	double time = 0;
	bool is_high = unit(rate) < 0.5;

	while (time < (double)rate->n) {
		const double end = time + exponential(rate, mean_bins);

		rate_add(rate, time, end, is_high ? high : low);
		time = end;
		is_high = !is_high;
	}
}

static double draw_duration(const struct traffic_rate *rate, struct traffic_duration duration)
{
	return duration.index > 0 ? duration.bins * pow(unit(rate), -1 / duration.index)
				  : exponential(rate, duration.bins);
}

// What is left of the duration that an arbitrary instant falls into: its density is the share of
// longer durations over their mean.
static double draw_rest(const struct traffic_rate *rate, struct traffic_duration duration)
{
	const double index = duration.index;

	if (index <= 0)
		return exponential(rate, duration.bins);
	if (unit(rate) * index < index - 1)
		return unit(rate) * duration.bins;
	return duration.bins * pow(unit(rate), -1 / (index - 1));
}

static double mean_duration(struct traffic_duration duration)
{
	return duration.index > 0 ? duration.bins * duration.index / (duration.index - 1)
				  : duration.bins;
}

// The speed of a session: as they begin, or, at an instant, in proportion to how long they last.
static double draw_speed(const struct traffic_rate *rate, double spread, bool at_instant)
{
	double speed;

	do
		speed = exp((2 * unit(rate) - 1) * log(spread));
	while (at_instant && unit(rate) * spread > 1 / speed);
	return speed;
}

void rate_add_sessions(const struct traffic_rate *rate, struct traffic_duration duration,
		       double active, double amount, double spread)
{
	// A size over a speed that is log-uniform lasts (spread - 1 / spread) / (2 log spread)
	// times as long in the mean.
	const double slowness = spread > 1 ? (spread - 1 / spread) / (2 * log(spread)) : 1;
	const double gap = mean_duration(duration) * slowness / active;
	const double begun = -log(unit(rate));

	// Poisson many at the instant 0: as many as arrivals of rate 1 come by the time active.
	for (double sum = begun; sum < active; sum += exponential(rate, 1)) {
		const double speed = spread > 1 ? draw_speed(rate, spread, true) : 1;

		rate_add(rate, 0, draw_rest(rate, duration) / speed, amount * speed);
	}
	for (double time = exponential(rate, gap); time < (double)rate->n;
	     time += exponential(rate, gap)) {
		const double speed = spread > 1 ? draw_speed(rate, spread, false) : 1;

		rate_add(rate, time, time + draw_duration(rate, duration) / speed, amount * speed);
	}
}

void rate_add_switch(const struct traffic_rate *rate, struct traffic_duration duration,
		     double amount)
{
	bool on = unit(rate) < 0.5;
	double time = 0, end = draw_rest(rate, duration);

	while (time < (double)rate->n) {
		if (on)
			rate_add(rate, time, end, amount);
		time = end;
		end = time + draw_duration(rate, duration);
		on = !on;
	}
}

void rate_multiply_cascade(const struct traffic_rate *rate, double h)
{
	const double s = sqrt(exp2(2 - 2 * h) - 1);
	size_t width = 1;

	while (width < rate->n)
		width *= 2;
	for (; width > 1; width /= 2)
		for (size_t begin = 0; begin < rate->n; begin += width) {
			const double left = unit(rate) < 0.5 ? 1 + s : 1 - s;

			for (size_t i = begin; i < begin + width && i < rate->n; i++)
				rate->at[i] *= i < begin + width / 2 ? left : 2 - left;
		}
}
