// SPDX-License-Identifier: GPL-3.0-or-later
// The options in ticks of a trace.
#include "flitburst.h"

#include <string.h>

#include "stat/counts/widths.h"
#include "value/ticks.h"

#define SEGMENTS 64 // of the intervals, if all packets are one stream
#define SEGMENTS_A_KEY 16
#define GIVEN_AROUND 3 // of a given burst gap, from an eighth to eight times
#define WORD_MAX 64

// Adds the whole numbers of a list such as 1,10,100.
static enum tr_status burst_settings_add_counts(const char *option, const char *text,
						int64_t *values, size_t *count, size_t room,
						uint64_t most, struct tr_error *err)
{
	char word[WORD_MAX];
	uint64_t value;

	for (;; text++) {
		const size_t length = strcspn(text, ",");

		if (length >= sizeof(word) || *count == room)
			return tr_fail(
				err,
				"expected at most %zu numbers separated by commas, found \"%s\"",
				room, text);
		memcpy(word, text, length);
		word[length] = '\0';
		if (num_parse_count(word, 1, most, &value, err) != TR_OK)
			return tr_fail_in(err, "--%s", option);
		values[(*count)++] = (int64_t)value;
		text += length;
		if (*text == '\0')
			return TR_OK;
	}
}

static enum tr_status set_lags(const struct opt_list *list, struct lags *lags, struct tr_error *err)
{
	static const char usual[] = "1,2,5,10,20,50,100";
	int64_t values[LAGS_MAX];

	for (size_t i = 0; i < (list->count ? list->count : 1); i++)
		if (burst_settings_add_counts("lags", list->count ? list->words[i] : usual, values,
					      &lags->count, LAGS_MAX, LAG_LONGEST, err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < lags->count; i++)
		lags->lag[i] = (uint32_t)values[i];
	return TR_OK;
}

static enum tr_status set_blocks(const struct opt_list *list, struct burst_scales *blocks,
				 struct tr_error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (burst_settings_add_counts("gaps", list->words[i], blocks->factor,
					      &blocks->count, SCALES_MAX, UINT64_C(1) << 40,
					      err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A microsecond, or the nearest whole number of ticks, at least one.
static enum tr_status usual_width(uint64_t ticks_per_s, int64_t *width_ticks, struct tr_error *err)
{
	const enum tr_status status = tr_ticks_round((struct num_ratio){1, 1000000}, ticks_per_s,
						     width_ticks, err);

	*width_ticks += status == TR_OK && *width_ticks == 0;
	return status;
}

static enum tr_status burst_settings_set_windows(const struct burst_options *o,
						 uint64_t ticks_per_s,
						 struct burstiness_settings *settings,
						 struct tr_error *err)
{
	struct widths widths = {.count = 0};

	for (size_t i = 0; i < o->widths.count; i++)
		if (widths_parse(&widths, o->widths.words[i], err) != TR_OK)
			return TR_ERROR;
	if (widths.count == 0 && o->finest.num == 0)
		return usual_width(ticks_per_s, &settings->width_ticks, err);
	if (widths.count == 0)
		return tr_ticks_exact(o->finest, ticks_per_s, &settings->width_ticks, err);
	if (widths_divide(&widths, err) != TR_OK)
		return TR_ERROR;
	settings->windows.count = widths.count;
	memcpy(settings->windows.factor, widths.factor, sizeof(widths.factor));
	return tr_ticks_exact(widths.finest, ticks_per_s, &settings->width_ticks, err);
}

static enum tr_status set_anchor(const struct burst_options *o, uint64_t ticks_per_s,
				 struct burstiness_settings *settings, struct tr_error *err)
{
	struct num_ratio seconds;
	struct tr_error why;
	int64_t ticks = 0;

	settings->from_first = strcmp(o->origin, "first") == 0;
	if (!settings->from_first && num_parse(o->origin, NUM_TIME, &seconds, &why) != TR_OK)
		return tr_fail(err, "--origin: %.300s; expected a time, or first", why.text);
	if (!settings->from_first && tr_ticks_exact(seconds, ticks_per_s, &ticks, err) != TR_OK)
		return TR_ERROR;
	settings->anchor_ticks = ticks;
	return TR_OK;
}

enum tr_status burst_settings(const struct burst_options *o, const struct tr_header *header,
			      struct burstiness_settings *settings, struct tr_error *err)
{
	const uint64_t ticks_per_s = header->ticks_per_s;
	struct burst_gap_rule rule;

	if (burst_gap_parse(o->burst_gap, &rule, err) != TR_OK)
		return TR_ERROR;
	*settings = (struct burstiness_settings){
		.header = header,
		.segments = o->by == KEY_ALL ? SEGMENTS : SEGMENTS_A_KEY,
		.histograms = o->by == KEY_ALL || rule.by == BURST_GAP_GIVEN,
		.burst_by = rule.by,
	};
	if (set_lags(&o->lags, &settings->lags, err) != TR_OK ||
	    set_blocks(&o->gaps, &settings->blocks, err) != TR_OK ||
	    burst_settings_set_windows(o, ticks_per_s, settings, err) != TR_OK ||
	    set_anchor(o, ticks_per_s, settings, err) != TR_OK ||
	    burst_gaps_set(&settings->thresholds, &rule, GIVEN_AROUND, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	return TR_OK;
}
