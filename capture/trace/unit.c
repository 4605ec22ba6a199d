// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/unit.h"

#include <string.h>

const struct num_unit num_units[] = {
	{NUM_PLAIN, "%", 1, 100, false},
	{NUM_TIME, "ps", 1, 1000000000000, true},
	{NUM_TIME, "ns", 1, 1000000000, true},
	{NUM_TIME, "us", 1, 1000000, true},
	{NUM_TIME, "ms", 1, 1000, true},
	{NUM_TIME, "s", 1, 1, true},
	{NUM_TIME, "m", 60, 1, false},
	{NUM_TIME, "min", 60, 1, false},
	{NUM_TIME, "h", 3600, 1, false},
	{NUM_TIME, "d", 86400, 1, false},
	{NUM_RATE, "b/s", 1, 1, true},
	{NUM_RATE, "kb/s", 1000, 1, true},
	{NUM_RATE, "Mb/s", 1000000, 1, true},
	{NUM_RATE, "Gb/s", 1000000000, 1, true},
	{NUM_RATE, "Tb/s", 1000000000000, 1, true},
	{NUM_RATE, "B/s", 8, 1, false},
	{NUM_RATE, "kB/s", 8000, 1, false},
	{NUM_RATE, "MB/s", 8000000, 1, false},
	{NUM_RATE, "GB/s", 8000000000, 1, false},
	{NUM_RATE, "KiB/s", 8192, 1, false},
	{NUM_RATE, "MiB/s", 8388608, 1, false},
	{NUM_RATE, "GiB/s", 8589934592, 1, false},
	{NUM_SIZE, "B", 1, 1, true},
	{NUM_SIZE, "kB", 1000, 1, true},
	{NUM_SIZE, "MB", 1000000, 1, true},
	{NUM_SIZE, "GB", 1000000000, 1, true},
	{NUM_SIZE, "TB", 1000000000000, 1, true},
	{NUM_SIZE, "KiB", 1024, 1, false},
	{NUM_SIZE, "MiB", 1048576, 1, false},
	{NUM_SIZE, "GiB", 1073741824, 1, false},
	{NUM_SIZE, "TiB", 1099511627776, 1, false},
	{NUM_LENGTH, "um", 1, 1000000, true},
	{NUM_LENGTH, "mm", 1, 1000, true},
	{NUM_LENGTH, "cm", 1, 100, false},
	{NUM_LENGTH, "m", 1, 1, true},
	{NUM_LENGTH, "km", 1000, 1, true},
	{NUM_LENGTH, "ft", 381, 1250, false},
	{NUM_SPEED, "m/s", 1, 1, true},
	{NUM_SPEED, "km/s", 1000, 1, true},
	{NUM_SPEED, "c", 299792458, 1, false},
	{NUM_PLAIN, NULL, 0, 1, false},
};

const struct num_unit *num_unit_find(enum num_dimension dimension, const char *word)
{
	for (const struct num_unit *unit = num_units; unit->word; unit++)
		if (unit->dimension == dimension && !strcmp(unit->word, word))
			return unit;
	return NULL;
}
