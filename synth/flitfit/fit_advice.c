// SPDX-License-Identifier: GPL-3.0-or-later
// What to type where a fit is refused: commands for a shell.
#include "flitfit.h"

#include <stdlib.h>
#include <string.h>

#include "stat/judge/criterion.h"
#include "value/escape.h"
#include "value/memstream.h"
#include "value/ticks.h"

#define PARTS_UNLIKE 4u // times as many packets in one half as in the other

static void put_option(FILE *out, const char *option, const char *value)
{
	fprintf(out, " %s ", option);
	text_write_shell(out, value);
}

// A file operand, which may begin with a dash.
static void put_file(FILE *out, const char *file)
{
	fputs(*file == '-' && file[1] ? " ./" : " ", out);
	text_write_shell(out, file);
}

// "flitfit OPTIONS -o FILE TRACE"; trace NULL: standard input.
static void put_fit(FILE *out, const struct fit_request *request, const char *options,
		    const char *trace)
{
	fprintf(out, "flitfit %s%s", options, request->all_nodes ? " --all-nodes" : "");
	if (fit_writes_file(request))
		put_option(out, "-o", request->output);
	if (trace)
		put_file(out, trace);
}

bool fit_writes_file(const struct fit_request *request)
{
	return request->output && strcmp(request->output, "-") != 0;
}

bool fit_comparable(uint64_t packets)
{
	return packets >= 2 * JUDGE_PACKETS_MIN;
}

// The text of a stream that tr_memstream_open gave; NULL if out of memory.
static char *fit_advice_finish(FILE *out, char **text)
{
	if (tr_memstream_close(out))
		return *text;
	free(*text);
	return NULL;
}

int64_t fit_middle(const struct packet_sample *sample)
{
	const int64_t middle = packet_sample_middle(sample);
	const size_t first = packet_sample_part(sample, sample->begin_ticks, middle).count,
		     second = sample->count - first;

	return !fit_comparable(sample->count) ||
			       (first >= JUDGE_PACKETS_MIN && second >= JUDGE_PACKETS_MIN)
		       ? middle
		       : sample->ticks[sample->count / 2];
}

// Whether what is fitted to the first part would make about as many packets as the second has.
static bool parts_alike(const struct packet_sample *sample)
{
	const int64_t middle = fit_middle(sample);
	const struct packet_sample first = packet_sample_part(sample, sample->begin_ticks, middle);
	const struct packet_sample second = packet_sample_part(sample, middle, sample->end_ticks);

	return first.count >= JUDGE_PACKETS_MIN && second.count >= JUDGE_PACKETS_MIN &&
	       (double)first.count * packet_sample_seconds(&second) <=
		       PARTS_UNLIKE * (double)second.count * packet_sample_seconds(&first);
}

// The busier half in time, again and again until its parts are alike. False if too few packets are
// left.
static bool find_part(struct packet_sample *part)
{
	while (fit_comparable(part->count) && !parts_alike(part)) {
		const int64_t middle = packet_sample_middle(part);
		const struct packet_sample first = packet_sample_part(part, part->begin_ticks,
								      middle);
		const struct packet_sample second = packet_sample_part(part, middle,
								       part->end_ticks);

		if (middle == part->begin_ticks)
			return false;
		*part = first.count > second.count ? first : second;
	}
	return fit_comparable(part->count);
}

char *fit_advice_part(const struct fit_request *request, const char *trace,
		      const struct packet_sample *sample)
{
	const int64_t middle = packet_sample_middle(sample);
	const size_t first = packet_sample_part(sample, sample->begin_ticks, middle).count;
	const uint64_t ticks_per_s = (uint64_t)sample->ticks_per_s;
	struct packet_sample part = *sample;
	char *text = NULL, time[64];
	size_t bytes;
	FILE *out;

	if (sample->bin_ticks || !find_part(&part) || part.count == sample->count)
		return NULL;
	out = tr_memstream_open(&text, &bytes);
	if (!out)
		return NULL;
	fprintf(out,
		"the first half of the time has %zu packets, the second %zu; type, for the busy "
		"part only: flitcut",
		first, sample->count - first);
	if (part.begin_ticks > sample->begin_ticks)
		fprintf(out, " --after %ss",
			tr_ticks_format(part.begin_ticks, ticks_per_s, time, sizeof(time)));
	if (part.end_ticks < sample->end_ticks)
		fprintf(out, " --before %ss",
			tr_ticks_format(part.end_ticks, ticks_per_s, time, sizeof(time)));
	put_file(out, trace);
	fputs(" | ", out);
	put_fit(out, request, fit_writes_file(request) ? "--rank" : "-f all", NULL);
	return fit_advice_finish(out, &text);
}

char *fit_advice_other(const struct fit_request *request, const char *trace, uint64_t packets,
		       const struct packet_sample *sample)
{
	char *text = sample ? fit_advice_part(request, trace, sample) : NULL;
	size_t bytes;
	FILE *out;

	if (text)
		return text;
	if (!fit_comparable(packets) || (sample && !sample->bin_ticks && !parts_alike(sample)))
		return fit_advice_family(request, trace, "poisson");
	out = tr_memstream_open(&text, &bytes);
	if (!out)
		return NULL;
	fputs("type: ", out);
	put_fit(out, request, fit_writes_file(request) ? "--rank" : "-f all", trace);
	fputs(" (the closest of the families that fit)", out);
	return fit_advice_finish(out, &text);
}

char *fit_advice_family(const struct fit_request *request, const char *trace, const char *family)
{
	char *text = NULL, options[64];
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	(void)snprintf(options, sizeof(options), "-f %s", family);
	fputs("type: ", out);
	put_fit(out, request, options, trace);
	return fit_advice_finish(out, &text);
}
