// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/handle.h"

#include <stdio.h>
#include <string.h>

#define HEADER_BYTES 24u

// Stores size_bytes of value in the file's order.
static void put(uint8_t *at, bool big_endian, uint32_t value, unsigned size_bytes)
{
	for (unsigned i = 0; i < size_bytes; i++)
		at[big_endian ? size_bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

pcap_t *pk_handle_open(const struct pk_link *link, uint32_t snap_bytes, struct tr_error *err)
{
	const bool big = link->big_endian;
	char text[PCAP_ERRBUF_SIZE] = TR_OUT_OF_MEMORY;
	uint8_t header[HEADER_BYTES] = {0};
	pcap_t *pcap = NULL;
	FILE *file;

	put(header, big, 0xa1b23c4du, 4); // nanoseconds
	put(header + 4, big, 2, 2);
	put(header + 6, big, 4, 2);
	put(header + 16, big, snap_bytes, 4);
	put(header + 20, big, link->number, 4);
	file = fmemopen(header, sizeof(header), "r");
	if (file)
		pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, text); // which then owns file
	if (!pcap) {
		if (file)
			(void)fclose(file);
		(void)tr_fail(err, "link type %u: %.300s", link->number, text);
	}
	return pcap;
}
