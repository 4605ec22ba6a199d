// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/arrival_text.h"

#include <stdbool.h>

#include "series/text_line.h"
#include "trace/num.h"
#include "trace/ticks.h"

struct taker {
	arrival_sink *take;
	void *context;
	bool any;
};

static enum tr_status take_line(void *context, char *line, struct tr_error *err)
{
	struct taker *taker = context;
	char *rest = line;
	const char *time = text_line_word(&rest), *size = text_line_word(&rest);
	uint64_t size_bytes = 0;
	int64_t ticks;

	if (!time)
		return TR_OK;
	if (tr_ticks_parse(time, ARRIVAL_TICKS_PER_S, &ticks, err) != TR_OK ||
	    (size && num_parse_count(size, 0, UINT32_MAX, &size_bytes, err) != TR_OK))
		return TR_ERROR;
	taker->any = true;
	return taker->take(taker->context, ticks, size_bytes, err);
}

enum tr_status arrival_text_each(struct tr_source *source, arrival_sink *take, void *context, struct tr_error *err)
{
	struct taker taker = {take, context, false};

	if (text_line_each(source, take_line, &taker, err) != TR_OK)
		return TR_ERROR;
	return taker.any ? TR_OK : tr_fail(err, "holds no arrivals");
}
