// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "gen/gap_mixture.h"
#include "gen/part_fit.h"
#include "stat/interval.h"

void part_fit_say(const struct part_fit *fit, int which, double low, double high)
{
	(void)model_interval(pulse_part_fields[which].type, low, high, fit->options->level, fit->notes->statistic[which]);
}

static void times_by_mixture(const struct part_fit *fit, const struct gap_fit *gaps)
{
	double tick_s = 1 / (double)fit->options->ticks_per_s;
	const struct gap_parameter *silence = &gaps->silence, *between = &gaps->inter_pulse;

	fit->part->silence_s = silence->value * tick_s;
	fit->part->pulses = gaps->pulses.value;
	fit->part->inter_pulse_s = between->value * tick_s;
	part_fit_say(fit, PULSE_SILENCE, silence->low * tick_s, silence->high * tick_s);
	if (gaps->single) {
		snprintf(fit->notes->section, PULSE_NOTE_BYTES,
			 "%.0f gaps; two kinds cannot be told apart, so single packets as of a "
			 "Poisson process",
			 gaps->gaps);
		return;
	}
	part_fit_say(fit, PULSE_PULSES, gaps->pulses.low, gaps->pulses.high);
	part_fit_say(fit, PULSE_INTER_PULSE, between->low * tick_s, between->high * tick_s);
	snprintf(fit->notes->section, PULSE_NOTE_BYTES, "%.0f gaps; about %.0f of them silences%s", gaps->gaps,
		 gaps->gaps / gaps->pulses.value,
		 silence->value < 4 * between->value ? "; the two kinds overlap so much that the intervals are rough" : "");
}

// Mean silence and all that the window splits: their sum is the trace's time, so the rate of
// packets is kept.
static void times_by_window(const struct part_fit *fit, double duration_s)
{
	double tick_s = 1 / (double)fit->options->ticks_per_s, level = fit->options->level;
	const struct burst_statistics *bursts = fit->bursts;
	struct interval silence = interval_above(mean_interval(&bursts->silence, level), 0);
	struct interval pulses = interval_above(mean_interval(&bursts->pulses, level), 1);
	struct interval between = interval_above(mean_interval(&bursts->delay, level), 0);

	fit->part->silence_s = bursts->silence.n ? moments_mean(&bursts->silence) * tick_s : duration_s;
	fit->part->pulses = moments_mean(&bursts->pulses);
	fit->part->inter_pulse_s = bursts->delay.n ? moments_mean(&bursts->delay) * tick_s : 0;
	part_fit_say(fit, PULSE_SILENCE, silence.lo * tick_s, silence.hi * tick_s);
	part_fit_say(fit, PULSE_PULSES, pulses.lo, pulses.hi);
	part_fit_say(fit, PULSE_INTER_PULSE, between.lo * tick_s, between.hi * tick_s);
	snprintf(fit->notes->section, PULSE_NOTE_BYTES, "%llu bursts, ended by gaps above the window",
		 (unsigned long long)bursts->pulses.n);
}

// A single packet in the whole trace: one in as long as the trace was.
static void times_of_one(const struct part_fit *fit, double duration_s)
{
	fit->part->silence_s = duration_s;
	fit->part->pulses = 1;
	fit->part->inter_pulse_s = 0;
	snprintf(fit->notes->section, PULSE_NOTE_BYTES, "no gap to measure");
}

enum tr_status part_fit_times(const struct part_fit *fit, double duration_s, struct tr_error *err)
{
	struct tally_value *gaps = NULL, *open = NULL;
	struct gap_sample sample = {NULL, 0, NULL, 0};
	struct gap_fit fitted;
	enum tr_status status = tally_values(&fit->tally->gaps, &gaps, &sample.count, err);

	if (status == TR_OK)
		status = tally_values(&fit->tally->open, &open, &sample.open_count, err);
	sample.gaps = gaps;
	sample.open = open;
	if (status == TR_OK && sample.count == 0)
		times_of_one(fit, duration_s);
	else if (status == TR_OK && fit->bursts)
		times_by_window(fit, duration_s);
	else if (status == TR_OK) {
		status = gap_mixture_fit(&sample, fit->options->level, &fitted, err);
		if (status == TR_OK)
			times_by_mixture(fit, &fitted);
	}
	free(gaps);
	free(open);
	return status;
}
