// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/delay_law.h"

#include <stdio.h>
#include <string.h>

#include "value/num.h"
#include "value/ticks.h"

enum tr_status net_law_read(struct net_law *law, const char *what, const char *text,
			    uint64_t ticks_per_s, struct tr_error *err)
{
	*law = (struct net_law){.count = 0};
	for (size_t length; *text; text += length + (text[length] == ':')) {
		char word[64];
		struct num_ratio time_s;
		struct tr_error why;

		length = strcspn(text, ":");
		(void)snprintf(word, sizeof(word), "%.*s", (int)length, text);
		if (law->count == NET_LAW_TIMES)
			return tr_fail(err, "%s: more than %u times", what, NET_LAW_TIMES);
		if (length >= sizeof(word))
			return tr_fail(err, "%s: %.20s... is too long for a time", what, word);
		if (num_parse(word, NUM_TIME, &time_s, &why) != TR_OK ||
		    tr_ticks_round(time_s, ticks_per_s, &law->ticks[law->count], &why) != TR_OK)
			return tr_fail(err, "%s: %s", what, why.text);
		if (law->ticks[law->count++] < 0)
			return tr_fail(err, "%s: %s is below 0", what, word);
	}
	return TR_OK;
}

int64_t net_law_draw(const struct net_law *law, const struct tr_random *stream, uint64_t counter)
{
	struct tr_random random = *stream;

	if (law->count == 0)
		return 0;
	random.counter = counter;
	return law->ticks[tr_random_below(&random, law->count)];
}
