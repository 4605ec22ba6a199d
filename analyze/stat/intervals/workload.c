// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/intervals/workload.h"

#include <stdbool.h>
#include <string.h>

#include "value/num.h"

#define POINT_BYTES 8u
#define WIDTH_MAX ((uint64_t)1 << 20)

static uint64_t row_column(uint64_t chunk_points, uint64_t p)
{
	return POINT_BYTES * 3 * (p - 1) * chunk_points;
}

static uint64_t vector_radix(uint64_t chunk_points, uint64_t p)
{
	uint64_t stages = (uint64_t)__builtin_ctzll(p);

	return POINT_BYTES * chunk_points * (stages * p / 2 + 2 * (p - 1));
}

const struct opt_choice workload_words[] = {
	{"rc:", 0, "rc:N: row-column decomposition of an image of N by N points"},
	{"vr:", 0, "vr:N: vector-radix decomposition of one"},
	{NULL, 0},
};

enum tr_status workload_bytes(const char *text, uint32_t nodes, uint64_t *out, struct tr_error *err)
{
	bool rc = strncmp(text, "rc:", 3) == 0;
	uint64_t n;

	if (!rc && strncmp(text, "vr:", 3) != 0)
		return tr_fail(err, "workload \"%.40s\" is not like rc:256 or vr:256", text);
	if (num_parse_count(text + 3, 1, WIDTH_MAX, &n, err) != TR_OK)
		return TR_ERROR;
	if (nodes < 2 || (nodes & (nodes - 1)) || n * n % nodes)
		return tr_fail(err,
			       "the workload of %u nodes is not known: it must be a power of two "
			       "from 2 that divides the image",
			       nodes);
	*out = rc ? row_column(n * n / nodes, nodes) : vector_radix(n * n / nodes, nodes);
	return TR_OK;
}
