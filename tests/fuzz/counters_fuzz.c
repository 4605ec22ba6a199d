// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of ports from any bytes: what is refused is refused with words; what is taken gives a
// table of pairs, by each rate.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flitplan/plan_rates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void take(const uint8_t *data, size_t size_bytes, const char *rate_text, double rate_bps)
{
	struct plan_pairs pairs = {.text = NULL};
	struct tr_error err = {""};
	struct tr_source *source;
	struct plan_rate rate;

	promise(plan_rate_parse(rate_text, &rate, &err) == TR_OK);
	if (tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) != TR_OK)
		abort();
	if (plan_rates_of_counters(source, &rate, rate_bps, &pairs, &err) == TR_OK) {
		promise(pairs.seconds > 0 && isfinite(pairs.seconds));
		promise(*pairs.note != '\0');
		promise(strncmp(pairs.text, "src\tdst\tbytes\n", 14) == 0);
		promise(!strstr(pairs.text, "\tnan\n") && !strstr(pairs.text, "\tinf\n"));
	} else {
		promise(*err.text != '\0');
	}
	free(pairs.text);
	tr_source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	take(data, size_bytes, "mean", 1e9);
	take(data, size_bytes, "95%:1s", 1e9);
	take(data, size_bytes, "peak:10m", 1e3);
	return 0;
}
