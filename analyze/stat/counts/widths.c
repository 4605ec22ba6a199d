// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/widths.h"

#include "table/opt.h"

const char widths_yates[] = "100us,250us,500us,750us,1ms,2.5ms,5ms,7.5ms,10ms,25ms,50ms,75ms,100ms";

static enum tr_status add_width(void *context, char *word, struct tr_error *err)
{
	struct widths *widths = context;
	struct num_ratio width;

	if (widths->count == SCALES_MAX)
		return tr_fail(err, "more than %d widths of bins", SCALES_MAX);
	if (num_parse(word, NUM_TIME, &width, err) != TR_OK)
		return TR_ERROR;
	if (width.num <= 0)
		return tr_fail(err, "a bin must be wider than 0, not \"%s\"", word);
	for (size_t i = 0; i < widths->count; i++)
		if (widths->seconds[i].num == width.num && widths->seconds[i].den == width.den)
			return tr_fail(err, "the width %s is given twice", word);
	widths->seconds[widths->count++] = width;
	return TR_OK;
}

enum tr_status widths_parse(struct widths *widths, const char *text, struct tr_error *err)
{
	return opt_each_item(text, add_width, widths, err);
}

enum tr_status widths_divide(struct widths *widths, struct tr_error *err)
{
	struct num_ratio finest = widths->seconds[0];

	for (size_t i = 1; i < widths->count; i++) {
		const struct num_ratio w = widths->seconds[i];
		const __int128 a = (__int128)finest.num * w.den, b = (__int128)w.num * finest.den;
		const __int128 shared = num_gcd(finest.den, w.den);

		if (!num_ratio_make(num_gcd(a, b) / shared, (__int128)finest.den / shared * w.den,
				    &finest))
			return tr_fail(err, "the widths have no common divisor that fits");
	}
	widths->finest = finest;
	for (size_t i = 0; i < widths->count; i++) {
		const struct num_ratio w = widths->seconds[i];
		const __int128 factor = (__int128)w.num * (finest.den / w.den) / finest.num;

		if (factor > INT64_C(1) << 40)
			return tr_fail(err, "the widths differ too much to be counted together");
		widths->factor[i] = (int64_t)factor;
	}
	return TR_OK;
}
