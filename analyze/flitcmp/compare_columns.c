// SPDX-License-Identifier: GPL-3.0-or-later
// What a column's name tells about its values.
#include "flitcmp.h"

#include <stddef.h>
#include <string.h>

struct known_word {
	const char *word;
	enum column_better better;
};

// Words between underscores, in names such as latency_us, wait_network_us, carried_MBps and
// worms_percent.
static const struct known_word words[] = {
	{"latency", COLUMN_LOWER_BETTER},     {"wait", COLUMN_LOWER_BETTER},
	{"waited", COLUMN_LOWER_BETTER},      {"taken", COLUMN_LOWER_BETTER},
	{"finish", COLUMN_LOWER_BETTER},      {"lag", COLUMN_LOWER_BETTER},
	{"p50", COLUMN_LOWER_BETTER},	      {"p90", COLUMN_LOWER_BETTER},
	{"p99", COLUMN_LOWER_BETTER},	      {"dropped", COLUMN_LOWER_BETTER},
	{"lost", COLUMN_LOWER_BETTER},	      {"undetected", COLUMN_LOWER_BETTER},
	{"resent", COLUMN_LOWER_BETTER},      {"blocked", COLUMN_LOWER_BETTER},
	{"slowdown", COLUMN_LOWER_BETTER},    {"carried", COLUMN_HIGHER_BETTER},
	{"throughput", COLUMN_HIGHER_BETTER}, {"delivered", COLUMN_HIGHER_BETTER},
	{"MBps", COLUMN_HIGHER_BETTER},	      {"packets", COLUMN_NEITHER},
};

static const char *const units[] = {"s", "ms", "us", "ns", "ps", "B", "Bps", "bps", "percent"};

static bool is_word(const char *text, size_t bytes, const char *word)
{
	return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

static bool has_unit(const char *name)
{
	const char *unit = strrchr(name, '_');

	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit + 1, units[i]) == 0)
			return true;
	return false;
}

struct column_sense column_sense(const char *name)
{
	for (const char *at = name; *at;) {
		const size_t bytes = strcspn(at, "_");

		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (is_word(at, bytes, words[i].word))
				return (struct column_sense){words[i].better, true};
		at += bytes + (at[bytes] == '_');
	}
	return (struct column_sense){COLUMN_NEITHER, has_unit(name)};
}
