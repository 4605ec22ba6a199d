// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/stream.h"

#include <math.h>
#include <string.h>

#include "value/escape.h"
#include "value/number.h"
#include "value/ticks.h"

#define STEP 1.01 // ratio of successive lengths of a silence
#define GAPS_MIN 30
#define PERIODS_SAID 3
#define TRAINED_LEAST 0.2 // twice the share in Poisson traffic
#define SILENT_LEAST 0.01 // twenty times

static double poisson_trained(void)
{
	return 1 - exp(-TRAIN_GAP);
}

static double poisson_silent(void)
{
	return (1 + SILENCE_GAP) * exp(-SILENCE_GAP);
}

// Time in gaps longer than from, in ticks.
static double time_beyond(const struct quantile *gaps, double from)
{
	struct quantile_walk walk = {.of = gaps};
	double below = quantile_walk_share(&walk, (uint64_t)from), time = 0;

	for (double end, begin = from; begin < (double)gaps->max; begin = end) {
		end = fmin(ceil(begin * STEP), (double)gaps->max);
		const double share = end < (double)gaps->max
					     ? quantile_walk_share(&walk, (uint64_t)end)
					     : 1;

		time += (share - below) * (double)gaps->n * (begin + end) / 2;
		below = share;
	}
	return time;
}

struct burst_causes burst_causes_find(const struct stream *stream)
{
	const struct quantile *gaps = &stream->traffic.kinds[STREAM_ALL].gaps;
	const double mean = moments_mean(&stream->gap_ticks), n = (double)gaps->n;
	struct burst_causes out = {0};

	if (gaps->n < GAPS_MIN || !(mean > 0))
		return out;
	out.trained = quantile_share(gaps, (uint64_t)(TRAIN_GAP * mean));
	out.train = (n + 1) / (n * (1 - out.trained) + 1);
	out.silences = (uint64_t)rint(n *
				      (1 - quantile_share(gaps, (uint64_t)(SILENCE_GAP * mean))));
	out.silent = out.silences ? fmin(1, time_beyond(gaps, SILENCE_GAP * mean) / (mean * n)) : 0;
	out.longest_s = (double)gaps->max / (double)stream->ticks_per_s;
	out.longest_at_s = tr_ticks_seconds(
		span_between(stream->traffic.first_ticks, stream->before_longest_ticks),
		stream->ticks_per_s);
	return out;
}

static void say_dispersion(const struct stream *stream, double width_s, char *text, size_t bytes)
{
	const struct counts *counts = &stream->counts;

	for (size_t i = 0; counts->scales.started && i < counts->widths.count; i++) {
		const struct moments own = scales_get(&counts->scales, i).count;
		const double dispersion = moments_variance(&own) / moments_mean(&own);

		if (num_value(counts->widths.seconds[i]) == width_s && own.n >= 2 &&
		    isfinite(dispersion))
			text_append(text, bytes,
				    " In bins of %s the variance of the counts is %s times the "
				    "mean; in Poisson traffic they are equal.",
				    number_width(width_s).text, number_real(dispersion, 2).text);
	}
}

static void say_periods(const struct stream *stream, char *text, size_t bytes)
{
	const struct periodicity *own = &stream->periodicity;
	const struct periods *periods = &own->judged.periods;

	for (size_t i = 0; i < periods->count && i < PERIODS_SAID; i++)
		text_append(text, bytes, "%s%s (%s of the variance)",
			    i == 0 ? periods->count > 1 ? " Periods: " : " A period: " : ", ",
			    number_time(periods->found[i].points * own->width_s, 4).text,
			    number_percent(periods->found[i].share, 2).text);
	if (periods->count > PERIODS_SAID)
		text_append(text, bytes, " and %zu more", periods->count - PERIODS_SAID);
	if (periods->count > 0) {
		text_append(text, bytes, ".");
	} else if (own->n > 0) {
		text_append(text, bytes, " ");
		periodicity_say_none(own, text, bytes);
	}
}

static void say_gaps(const struct burst_causes *causes, char *text, size_t bytes)
{
	if (causes->trained > TRAINED_LEAST)
		text_append(text, bytes,
			    " Trains: %s of the gaps are shorter than a tenth of the mean "
			    "(Poisson: %s), with %s packets per train on average.",
			    number_percent(causes->trained, 2).text,
			    number_percent(poisson_trained(), 2).text,
			    number_real(causes->train, 2).text);
	if (causes->silent > SILENT_LEAST)
		text_append(text, bytes,
			    " Pauses: %s gap%s longer than ten mean gaps take%s %s of the time "
			    "(Poisson: %s), the longest %s, starting %s after the first packet.",
			    number_count(causes->silences).text, causes->silences == 1 ? "" : "s",
			    causes->silences == 1 ? "s" : "",
			    number_percent(causes->silent, 2).text,
			    number_percent(poisson_silent(), 1).text,
			    number_time(causes->longest_s, 3).text,
			    number_time(causes->longest_at_s, 3).text);
	if (!(causes->trained > TRAINED_LEAST) && !(causes->silent > SILENT_LEAST))
		text_append(text, bytes, " No more trains or pauses than in Poisson traffic.");
}

static void say_memory(const struct stream *stream, char *text, size_t bytes)
{
	const struct periodicity *own = &stream->periodicity;

	if (own->n == 0)
		return;
	if (own->judged.answer == VERDICT_YES)
		text_append(text, bytes, " Memory: long memory from %s to %s.",
			    number_time(own->judged.scale_min * own->width_s, 2).text,
			    number_time(own->judged.scale_max * own->width_s, 2).text);
	else
		text_append(text, bytes, " Memory: %s.",
			    own->judged.answer == VERDICT_NO ? "no long memory" : "not decided");
}

static bool is_bursty(const struct stream *stream, const struct burst_causes *causes)
{
	const struct self_similarity *judged = &stream->periodicity.judged;

	return judged->periods.count > 0 || judged->answer == VERDICT_YES ||
	       causes->trained > TRAINED_LEAST || causes->silent > SILENT_LEAST;
}

size_t burst_causes_say(const struct stream *stream, double width_s, char *text, size_t bytes)
{
	const struct burst_causes causes = burst_causes_find(stream);

	*text = '\0';
	if (!(causes.longest_s > 0))
		return 0;
	text_append(text, bytes,
		    is_bursty(stream, &causes) ? "Causes of burstiness:" : "Burstiness:");
	say_dispersion(stream, width_s, text, bytes);
	say_periods(stream, text, bytes);
	say_gaps(&causes, text, bytes);
	say_memory(stream, text, bytes);
	return strlen(text);
}
