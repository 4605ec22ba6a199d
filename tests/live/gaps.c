// SPDX-License-Identifier: GPL-3.0-or-later
// live_gaps SENT EVERY PAUSE_MS: reads a trace of live_flood's frames on standard input, with a
// pause after each EVERY records (0: none), then how many were sent in the file SENT. It prints the
// records, the frames that are missing between them and at both ends by their numbers, in how many
// places, and the loss that the trailer states.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "live/number.h"
#include "stream/reader.h"
#include "value/num.h"

struct gaps {
	uint64_t missing, places;
	uint32_t next; // the number after the last frame's, modulo LIVE_NUMBERS
};

static void gaps_until(struct gaps *gaps, uint32_t number)
{
	const uint32_t gap = (number - gaps->next) % LIVE_NUMBERS;

	gaps->missing += gap;
	gaps->places += gap > 0;
	gaps->next = (number + 1) % LIVE_NUMBERS;
}

static uint32_t number_of(const struct tr_reader *in, const struct tr_packet *packet)
{
	const struct tr_flow *flow = tr_names_flow(tr_reader_names(in), packet->flow);

	return (flow->src_port - LIVE_PORT) * LIVE_PAYLOADS + packet->payload_bytes;
}

static bool read_all(struct tr_reader *in, struct gaps *gaps, uint64_t every, uint64_t pause_ms)
{
	const struct timespec pause = {.tv_sec = (time_t)(pause_ms / 1000),
				       .tv_nsec = (long)(pause_ms % 1000) * 1000000};
	const union tr_record *record;
	enum tr_status status;

	while ((status = tr_next(in, &record)) == TR_OK) {
		if (record->packet.flow == TR_FLOW_NONE) {
			(void)fprintf(stderr, "live_gaps: a packet without a flow\n");
			return false;
		}
		gaps_until(gaps, number_of(in, &record->packet));
		if (every && tr_reader_records(in) % every == 0)
			(void)nanosleep(&pause, NULL);
	}
	if (status != TR_END)
		(void)fprintf(stderr, "live_gaps: %s\n", tr_reader_error(in));
	return status == TR_END;
}

static bool read_sent(const char *path, uint64_t *sent)
{
	FILE *file = fopen(path, "r");
	const bool read = file && fscanf(file, "sent %" SCNu64, sent) == 1;

	if (file)
		(void)fclose(file);
	if (!read)
		(void)fprintf(stderr, "live_gaps: %s: not \"sent\" and a number\n", path);
	return read;
}

int main(int argc, char **argv)
{
	struct gaps gaps = {.next = 0};
	uint64_t every, pause_ms, sent;
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err;
	bool whole;

	if (argc != 4 || num_parse_count(argv[2], 0, UINT32_MAX, &every, &err) != TR_OK ||
	    num_parse_count(argv[3], 0, UINT32_MAX, &pause_ms, &err) != TR_OK) {
		(void)fprintf(stderr, "usage: live_gaps SENT EVERY PAUSE_MS <TRACE\n");
		return 2;
	}
	if (tr_source_open(&source, "-", &err) != TR_OK ||
	    tr_reader_open(&in, source, NULL, NULL, &err) != TR_OK) {
		(void)fprintf(stderr, "live_gaps: %s\n", err.text);
		return 2;
	}
	whole = read_all(in, &gaps, every, pause_ms) && read_sent(argv[1], &sent);
	if (whole) {
		gaps_until(&gaps, (uint32_t)(sent % LIVE_NUMBERS));
		(void)printf("records %" PRIu64 "\nmissing %" PRIu64 "\nplaces %" PRIu64
			     "\nlost %" PRIu64 "\n",
			     tr_reader_records(in), gaps.missing, gaps.places,
			     tr_reader_trailer(in)->lost);
	}
	tr_reader_close(in);
	return whole ? 0 : 2;
}
