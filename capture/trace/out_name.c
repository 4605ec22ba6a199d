// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/out_name.h"

#include <stdbool.h>
#include <string.h>

static bool ends_in(const char *path, const char *ending)
{
	const size_t bytes = strlen(path), ending_bytes = strlen(ending);

	return bytes > ending_bytes && strcmp(path + bytes - ending_bytes, ending) == 0;
}

static const char *find(const char *path, const char *const *endings)
{
	while (*endings && !ends_in(path, *endings))
		endings++;
	return *endings;
}

enum tr_status tr_out_name_check(const char *path, enum tr_out_form form, struct tr_error *err)
{
	static const char *const packed[] = {".gz", ".xz", ".bz2", ".lz4", NULL};
	static const char *const not_streams[] = {".pcap",	 ".pcapng",  ".csv",	    ".ndjson", ".pcap.zst",
						  ".pcapng.zst", ".csv.zst", ".ndjson.zst", NULL};
	static const char *const not_pcap[] = {".pcapng", ".flt", ".zst", NULL};
	const char *ending = find(path, packed);

	if (form == TR_OUT_STREAM) {
		if (ending)
			return tr_fail(err, "%s: a trace is compressed by zstd alone, in a file called .zst", path);
		ending = find(path, not_streams);
		return ending ? tr_fail(err, "%s: a trace is written here, not %s (flitcut -w makes that of a trace)", path,
					ending + 1)
			      : TR_OK;
	}
	ending = ending ? ending : find(path, not_pcap);
	return ending ? tr_fail(err, "%s: the frames are written as pcap, not %s", path, ending + 1) : TR_OK;
}
