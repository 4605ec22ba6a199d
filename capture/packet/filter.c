// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/libpcap.h"
#include "value/grow.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- handles of libpcap

#define HEADER_BYTES 24u

// Stores size_bytes of value in the file's order.
static void filter_put(uint8_t *at, bool big_endian, uint32_t value, unsigned size_bytes)
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

	filter_put(header, big, 0xa1b23c4du, 4); // nanoseconds
	filter_put(header + 4, big, 2, 2);
	filter_put(header + 6, big, 4, 2);
	filter_put(header + 16, big, snap_bytes, 4);
	filter_put(header + 20, big, link->number, 4);
	file = fmemopen(header, sizeof(header), "r");
	if (file)
		pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO,
								text); // which then owns file
	if (!pcap) {
		if (file)
			(void)fclose(file);
		(void)tr_fail(err, "link type %u: %.300s", link->number, text);
	}
	return pcap;
}

// ---- filters

#define PROGRAMS_MAX 256u // link types of one run

struct filter_program {
	uint16_t link;
	bool big_endian;
	struct bpf_program code;
};

struct pk_filter {
	char *expression;
	struct filter_program *programs;
	unsigned count;
	unsigned last; // index of the one used last
};

static enum tr_status compile(struct pk_filter *filter, const struct pk_link *link,
			      struct tr_error *err)
{
	struct filter_program *larger;
	enum tr_status status = TR_OK;
	pcap_t *pcap;

	if (filter->count == PROGRAMS_MAX)
		return tr_fail(err, "filter: more than %u link types", PROGRAMS_MAX);
	if (!GROW_BY_COUNT(filter->programs, filter->count))
		return tr_no_memory(err, "the filter");
	larger = filter->programs;
	pcap = pk_handle_open(link, PK_FRAME_BYTES_MAX, err);
	if (!pcap)
		return TR_ERROR;
	larger[filter->count].link = link->number;
	larger[filter->count].big_endian = link->big_endian;
	if (pcap_compile(pcap, &larger[filter->count].code, filter->expression, 1,
			 PCAP_NETMASK_UNKNOWN) != 0)
		status = tr_fail(err, "filter \"%.200s\" on link type %u: %.200s",
				 filter->expression, link->number, pcap_geterr(pcap));
	else
		filter->last = filter->count++;
	pcap_close(pcap);
	return status;
}

enum tr_status pk_filter_open(struct pk_filter **out, const char *expression, struct tr_error *err)
{
	const struct pk_link ethernet = pk_link_of(PK_LINK_ETHERNET, false);
	struct pk_filter *filter = calloc(1, sizeof(*filter));

	*out = NULL;
	if (filter)
		filter->expression = strdup(expression);
	if (!filter || !filter->expression) {
		pk_filter_close(filter);
		return tr_no_memory(err, "the filter");
	}
	if (compile(filter, &ethernet, err) != TR_OK) {
		pk_filter_close(filter);
		return TR_ERROR;
	}
	*out = filter;
	return TR_OK;
}

static bool is_for(const struct filter_program *program, const struct pk_link *link)
{
	return program->link == link->number && program->big_endian == link->big_endian;
}

static enum tr_status find_program(struct pk_filter *filter, const struct pk_link *link,
				   struct tr_error *err)
{
	if (is_for(&filter->programs[filter->last], link))
		return TR_OK;
	for (unsigned i = 0; i < filter->count; i++)
		if (is_for(&filter->programs[i], link)) {
			filter->last = i;
			return TR_OK;
		}
	return compile(filter, link, err);
}

enum tr_status pk_filter_match(struct pk_filter *filter, const struct pk_frame *frame, bool *passes,
			       struct tr_error *err)
{
	if (find_program(filter, frame->link, err) != TR_OK)
		return TR_ERROR;
	*passes = bpf_filter(filter->programs[filter->last].code.bf_insns, frame->data,
			     frame->wire_bytes, frame->captured_bytes) != 0;
	return TR_OK;
}

void pk_filter_close(struct pk_filter *filter)
{
	if (!filter)
		return;
	for (unsigned i = 0; i < filter->count; i++)
		pcap_freecode(&filter->programs[i].code);
	free(filter->programs);
	free(filter->expression);
	free(filter);
}
