// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts at a switch, what each of them captures by its own clock, and the truth: for what joins
// captures of several points.
#ifndef PROPERTY_POINTS_WORLD_H
#define PROPERTY_POINTS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORLD_HOSTS_MAX 16u
#define WORLD_FRAME_BYTES 96u // captured

struct world_options {
	uint64_t seed;
	unsigned hosts;
	size_t messages;
	double load_max;	  // of other traffic in each host's queues, each drawn up to this
	double lost, twice, late; // shares of packets
	double offset_max_s, drift_max_ppm;
	double step_ppm; // by which the clocks change their rates at half of the messages' time, up
			 // or down
	size_t steps;	 // of all clocks
	double step_min_s, step_max_s; // their sizes, back or ahead
	double gap_ns;		       // mean between messages; 0: 40 us
	int64_t unit_ns;	       // of the stamps
	bool no_ids;		       // IPv4 identifications are 0
	bool wraps;		       // sequence numbers begin just below their end
};

// A frame as a host captured it.
struct world_frame {
	int64_t time_ns; // by the host's clock
	int64_t true_ns;
	uint32_t packet;
	uint32_t host;
	uint32_t captured_bytes, wire_bytes;
	uint8_t bytes[WORLD_FRAME_BYTES];
};

// What became of a packet. Times are ns since the world began.
struct world_packet {
	uint32_t from, to;
	int64_t sent_ns, received_ns; // of the first copy
	bool lost, twice, resent;
};

// A clock is set at a time of the world.
struct world_step {
	unsigned host;
	int64_t at_ns, ahead_ns;
};

#define WORLD_STEPS_MAX 16u

struct world {
	struct world_options options;
	struct world_step steps[WORLD_STEPS_MAX];
	int64_t offset_ns[WORLD_HOSTS_MAX]; // of the clocks when the world began
	int64_t drift_ppb[WORLD_HOSTS_MAX];
	int64_t step_ppb[WORLD_HOSTS_MAX];
	int64_t step_at_ns;
	struct world_frame *frames; // by host, each in order of time
	size_t frame_count, frame_capacity;
	struct world_packet *packets;
	size_t packet_count, packet_capacity;
	int64_t end_ns;
};

struct tr_random;

// Draws a world of two to five hosts whose clocks are off and drift, but for its steps.
void world_draw(struct world_options *options, struct tr_random *random, uint64_t seed);

// Draws a world of two or three hosts whose clocks are set, back and ahead, by 100 us to a minute.
void world_draw_stepping(struct world_options *options, struct tr_random *random, uint64_t seed);

// Makes a world; aborts if memory runs out. Hosts exchange messages by TCP with acknowledgements,
// by UDP, and by RoCE in turn; what is lost of TCP and RoCE is sent again. At the begin, and at the
// end after twice longest_ns of silence, every host sends each other one a packet that is not lost,
// so that the fate of all others can be known.
void world_make(struct world *world, const struct world_options *options, int64_t longest_ns);

// The host's clock, whose stamps are cut to the unit.
int64_t world_clock(const struct world *world, unsigned host, int64_t time_ns);

void world_clear(struct world *world);

#endif
