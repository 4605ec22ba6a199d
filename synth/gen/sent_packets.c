// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/sent_packets.h"

#include <stdlib.h>

#include "trace/sort.h"

#define SORT_BYTES ((size_t)64 << 20)

struct sent_packets {
	struct tr_reader *in;
	struct tr_sort *sort; // of deliveries; NULL before they are read
};

enum tr_status sent_packets_open(struct sent_packets **out, struct tr_reader *in, struct tr_error *err)
{
	*out = malloc(sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "a trace");
	**out = (struct sent_packets){.in = in};
	return TR_OK;
}

static enum tr_status sort_all(struct sent_packets *packets, struct tr_error *err)
{
	const union tr_record *record;

	if (tr_sort_open(&packets->sort, sizeof(struct tr_packet), SORT_BYTES, NULL, err) != TR_OK)
		return TR_ERROR;
	while (tr_next(packets->in, &record) == TR_OK) {
		struct tr_packet packet = record->packet;

		packet.time_ticks = record->delivery.created_ticks;
		if (tr_sort_add(packets->sort, &packet, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status sent_packets_next(struct sent_packets *packets, const struct tr_packet **packet, struct tr_error *err)
{
	const union tr_record *record;
	const void *sorted;

	if (tr_reader_header(packets->in)->kind == TR_PACKET) {
		if (tr_next(packets->in, &record) != TR_OK)
			return TR_END;
		*packet = &record->packet;
		return TR_OK;
	}
	if (!packets->sort && sort_all(packets, err) != TR_OK)
		return TR_ERROR;
	enum tr_status status = tr_sort_next(packets->sort, &sorted, err);

	if (status == TR_OK)
		*packet = sorted;
	return status;
}

void sent_packets_close(struct sent_packets *packets)
{
	if (packets)
		tr_sort_close(packets->sort);
	free(packets);
}
