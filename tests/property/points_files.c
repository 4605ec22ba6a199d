// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what each host of a world captured, as h0.pcap and so on, and prints the truth by pair of
// hosts:
//     make-points seed hosts messages load lost twice drift-ppm unit-ns
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "points_world.h"

#define LONGEST_NS 1000000000

static void put(FILE *file, uint32_t value)
{
	const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
				  (uint8_t)(value >> 24)};

	(void)fwrite(bytes, sizeof(bytes), 1, file);
}

static void write_host(const struct world *world, unsigned host)
{
	static const uint32_t header[] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, WORLD_FRAME_BYTES, 1};
	char name[24];
	FILE *file;

	(void)snprintf(name, sizeof(name), "h%u.pcap", host);
	file = fopen(name, "wb");
	if (!file)
		exit(2);
	for (size_t i = 0; i < sizeof(header) / sizeof(*header); i++)
		put(file, header[i]);
	for (size_t i = 0; i < world->frame_count; i++) {
		const struct world_frame *frame = &world->frames[i];

		if (frame->host != host)
			continue;
		put(file, (uint32_t)(frame->time_ns / 1000000000));
		put(file, (uint32_t)(frame->time_ns % 1000000000));
		put(file, frame->captured_bytes);
		put(file, frame->wire_bytes);
		(void)fwrite(frame->bytes, frame->captured_bytes, 1, file);
	}
	if (fclose(file) != 0)
		exit(2);
}

static void print_truth(const struct world *world, unsigned from, unsigned to)
{
	uint64_t sent = 0, lost = 0, twice = 0, resent = 0;

	for (size_t i = 0; i < world->packet_count; i++) {
		const struct world_packet *packet = &world->packets[i];

		if (packet->from != from || packet->to != to)
			continue;
		sent++;
		lost += packet->lost;
		twice += packet->twice;
		resent += packet->resent;
	}
	if (sent)
		(void)printf("h%u to h%u: %" PRIu64 " sent (%" PRIu64 " again), %" PRIu64
			     " lost, 0 unknown; %" PRIu64 " duplicates, 0 unsent\n",
			     from, to, sent, resent, lost, twice);
}

int main(int argc, char **argv)
{
	struct world_options options;
	struct world world;

	if (argc != 9)
		return 2;
	options = (struct world_options){.seed = strtoull(argv[1], NULL, 10),
					 .hosts = (unsigned)strtoul(argv[2], NULL, 10),
					 .messages = strtoull(argv[3], NULL, 10),
					 .load_max = strtod(argv[4], NULL),
					 .lost = strtod(argv[5], NULL),
					 .twice = strtod(argv[6], NULL),
					 .offset_max_s = 7200,
					 .drift_max_ppm = strtod(argv[7], NULL),
					 .unit_ns = strtoll(argv[8], NULL, 10)};
	if (options.hosts < 2 || options.hosts > WORLD_HOSTS_MAX || options.unit_ns < 1)
		return 2;
	world_make(&world, &options, LONGEST_NS);
	for (unsigned host = 0; host < options.hosts; host++)
		write_host(&world, host);
	for (unsigned from = 0; from < options.hosts; from++)
		for (unsigned to = 0; to < options.hosts; to++)
			print_truth(&world, from, to);
	world_clear(&world);
	return 0;
}
