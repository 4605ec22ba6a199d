// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fft_volume.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "trace/num.h"

#define POINT_BYTES 8.0
#define WIDTH_MAX ((uint64_t)1 << 20)

enum tr_status fft_workload_get(const char *text, struct fft_workload *out, struct tr_error *err)
{
	bool rc = strncmp(text, "rc:", 3) == 0;

	if (!rc && strncmp(text, "vr:", 3) != 0)
		return tr_fail(err, "\"%.40s\" is not like rc:256 or vr:256", text);
	out->algorithm = rc ? FFT_ROW_COLUMN : FFT_VECTOR_RADIX;
	return num_parse_count(text + 3, 2, WIDTH_MAX, &out->width, err);
}

enum tr_status fft_volume_of(const struct fft_workload *workload, enum pulse_role role, uint64_t nodes, struct fft_volume *out,
			     struct tr_error *err)
{
	double n = (double)workload->width, p = (double)nodes, chunk = POINT_BYTES * n * n / p;

	if (nodes < 2 || (nodes & (nodes - 1)) || nodes > workload->width)
		return tr_fail(err, "an FFT of width %llu runs on a power of two from 2 to %llu nodes, not on %llu",
			       (unsigned long long)workload->width, (unsigned long long)workload->width,
			       (unsigned long long)nodes);
	out->chunks = (struct fft_messages){role == PULSE_CONTROLLER ? p - 1 : 1, chunk};
	if (workload->algorithm == FFT_ROW_COLUMN) {
		out->exchanges = (struct fft_messages){p - 1, POINT_BYTES * (n / p) * (n / p)};
		out->phases = 2;
	} else {
		out->exchanges = (struct fft_messages){log2(p), chunk / 2};
		out->phases = 1 + (unsigned)lround(log2(p));
	}
	return TR_OK;
}

double fft_volume_bytes(const struct fft_volume *volume)
{
	return volume->chunks.count * volume->chunks.bytes + volume->exchanges.count * volume->exchanges.bytes;
}

double fft_volume_packets(const struct fft_volume *volume, double mtu_B)
{
	return volume->chunks.count * ceil(volume->chunks.bytes / mtu_B) +
	       volume->exchanges.count * ceil(volume->exchanges.bytes / mtu_B);
}
