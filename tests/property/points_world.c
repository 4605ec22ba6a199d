// SPDX-License-Identifier: GPL-3.0-or-later
#include "points_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/random.h"

#define BEGIN_NS INT64_C(1700000000000000000)
#define PATH_NS 4000	// there is no shorter way: the same in both directions
#define BYTE_NS 1.0	// 8 Gb/s
#define OTHER_NS 1500.0 // mean of the other traffic's packets
#define AGAIN_NS 300000 // until what was lost is sent again
#define GAP_NS 40000.0	// mean between messages
#define LATE_NS 60000
#define GREETING_NS 10000
#define SEGMENT_BYTES 1448u

enum kind { TCP, UDP, ROCE, KINDS };

// A queue that other traffic fills: when it will be empty, and up to when that traffic has come.
struct queue {
	double load;
	double empty_ns, next_ns;
};

// One direction of the talk of two hosts.
struct talk {
	uint32_t sequence[KINDS], number;
};

struct making {
	struct world *world;
	struct tr_random random;
	struct queue in[WORLD_HOSTS_MAX];  // from a host
	struct queue out[WORLD_HOSTS_MAX]; // to it
	struct talk talks[WORLD_HOSTS_MAX][WORLD_HOSTS_MAX];
	uint16_t ids[WORLD_HOSTS_MAX];
	struct event *events; // a heap
	size_t event_count, event_capacity;
	uint64_t event_number;
};

struct sending {
	enum kind kind;
	unsigned from, to;
	uint32_t sequence, ack, payload_bytes;
	bool is_ack, kept; // kept: never lost
};

static double exponential(struct making *making, double mean)
{
	return -mean * log(tr_random_unit(&making->random));
}

static bool chance(struct making *making, double share)
{
	return tr_random_unit(&making->random) < share;
}

// When a packet that comes at a time leaves the queue. Other traffic longer ago than 20 of the
// queue's relaxation times has left.
static double pass(struct making *making, struct queue *queue, double now_ns, double own_ns)
{
	const double left_ns = 20 * OTHER_NS / pow(1 - sqrt(queue->load), 2);

	queue->next_ns = fmax(queue->next_ns, now_ns - left_ns);
	if (queue->load > 0)
		for (; queue->next_ns <= now_ns;
		     queue->next_ns += exponential(making, OTHER_NS / queue->load))
			queue->empty_ns = fmax(queue->empty_ns, queue->next_ns) +
					  exponential(making, OTHER_NS);
	queue->empty_ns = fmax(queue->empty_ns, now_ns) + own_ns;
	return queue->empty_ns;
}

static void *more(void *array, size_t count, size_t *capacity, size_t bytes)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 1024;
	array = realloc(array, *capacity * bytes);
	if (!array)
		abort();
	return array;
}

int64_t world_clock(const struct world *world, unsigned host, int64_t time_ns)
{
	const int64_t since_ns = time_ns > world->step_at_ns ? time_ns - world->step_at_ns : 0;
	const __int128 drifted = (__int128)time_ns * world->drift_ppb[host] +
				 (__int128)since_ns * world->step_ppb[host];

	int64_t stepped_ns = 0;

	for (size_t i = 0; i < world->options.steps; i++)
		if (world->steps[i].host == host && world->steps[i].at_ns <= time_ns)
			stepped_ns += world->steps[i].ahead_ns;
	return BEGIN_NS + world->offset_ns[host] + time_ns + (int64_t)(drifted / 1000000000) +
	       stepped_ns;
}

// ---- frames

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

// From the transport's header on. Returns its length with the payload.
static uint32_t put_transport(uint8_t *at, const struct sending *sending)
{
	static const unsigned ports[KINDS] = {5001, 5002, 4791};

	put16(at, ports[sending->kind]);
	put16(at + 2, ports[sending->kind]);
	if (sending->kind == TCP) {
		put32(at + 4, sending->sequence);
		put32(at + 8, sending->ack);
		at[12] = 8 << 4;
		at[13] = 0x10;
		return 32 + sending->payload_bytes;
	}
	if (sending->kind == UDP) {
		put16(at + 4, 8 + sending->payload_bytes);
		put32(at + 8, sending->sequence);
		return 8 + sending->payload_bytes;
	}
	put16(at + 4, 8 + 12 + sending->payload_bytes + 4);
	at[8] = 0x04;			    // a reliable connection's only SEND
	put32(at + 12, 17 + sending->from); // queue pair
	put32(at + 16, sending->sequence & 0xffffff);
	return 8 + 12 + sending->payload_bytes + 4;
}

static void make_frame(struct making *making, const struct sending *sending, int64_t time_ns,
		       struct world_frame *frame)
{
	static const uint8_t protocols[KINDS] = {6, 17, 17};
	uint8_t *ip = frame->bytes + 14;
	uint32_t bytes;

	memset(frame, 0, sizeof(*frame));
	put16(frame->bytes + 12, 0x0800);
	bytes = 20 + put_transport(ip + 20, sending);
	if (sending->kind == TCP) { // timestamps (RFC 7323), of milliseconds
		put32(ip + 40, 0x0101080a);
		put32(ip + 44, (uint32_t)(time_ns / 1000000));
	}
	ip[0] = 0x45;
	put16(ip + 2, bytes);
	put16(ip + 4, making->world->options.no_ids ? 0 : ++making->ids[sending->from]);
	put16(ip + 6, 0x4000);
	ip[8] = 64;
	ip[9] = protocols[sending->kind];
	put32(ip + 12, 0x0a000001 + sending->from);
	put32(ip + 16, 0x0a000001 + sending->to);
	frame->wire_bytes = 14 + bytes;
	frame->captured_bytes = frame->wire_bytes < WORLD_FRAME_BYTES ? frame->wire_bytes
								      : WORLD_FRAME_BYTES;
}

static void capture(struct making *making, unsigned host, int64_t time_ns,
		    const struct world_frame *frame)
{
	struct world *world = making->world;

	world->frames = more(world->frames, world->frame_count, &world->frame_capacity,
			     sizeof(*world->frames));
	world->frames[world->frame_count] = *frame;
	world->frames[world->frame_count].host = host;
	world->end_ns = time_ns > world->end_ns ? time_ns : world->end_ns;
	world->frames[world->frame_count].true_ns = time_ns;
	time_ns = world_clock(world, host, time_ns);
	world->frames[world->frame_count++].time_ns = time_ns - time_ns % world->options.unit_ns;
}

// A router counts hops, and the link has other addresses.
static void change_on_the_way(struct world_frame *frame)
{
	frame->bytes[14 + 8]--;
	frame->bytes[0] ^= 2;
	put16(frame->bytes + 14 + 10, frame->bytes[14 + 8]);
}

// ---- sending

struct event {
	int64_t time_ns;
	uint64_t number; // of equal times the first comes first
	struct sending sending;
	int again; // how often it was sent before
};

static bool earlier(const struct event *a, const struct event *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

static void exchange(struct event *a, struct event *b)
{
	const struct event held = *a;

	*a = *b;
	*b = held;
}

static void push(struct making *making, const struct sending *sending, int64_t time_ns, int again)
{
	size_t at = making->event_count;

	making->events = more(making->events, at, &making->event_capacity, sizeof(*making->events));
	making->events[at] = (struct event){time_ns, making->event_number++, *sending, again};
	for (; at > 0 && earlier(&making->events[at], &making->events[(at - 1) / 2]);
	     at = (at - 1) / 2)
		exchange(&making->events[at], &making->events[(at - 1) / 2]);
	making->event_count++;
}

static struct event pop(struct making *making)
{
	struct event *events = making->events;
	const struct event first = events[0];

	events[0] = events[--making->event_count];
	for (size_t at = 0;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < making->event_count;
		     child++)
			if (earlier(&events[child], &events[least]))
				least = child;
		if (least == at)
			return first;
		exchange(&events[at], &events[least]);
		at = least;
	}
}

// The packet at the receiver, and what that answers.
static void receive(struct making *making, const struct sending *sending,
		    struct world_packet *packet, struct world_frame *frame, double arrived_ns)
{
	struct sending ack = {
		.kind = TCP, .from = sending->to, .to = sending->from, .is_ack = true};

	if (!sending->kept && chance(making, making->world->options.late))
		arrived_ns += LATE_NS;
	packet->received_ns = (int64_t)arrived_ns;
	change_on_the_way(frame);
	capture(making, sending->to, packet->received_ns, frame);
	if (sending->kind == TCP && !sending->is_ack)
		push(making, &ack, packet->received_ns + 2000 + (int64_t)exponential(making, 3000),
		     0);
	if (packet->twice)
		capture(making, sending->to,
			packet->received_ns + 1 + (int64_t)tr_random_below(&making->random, 20000),
			frame);
}

static void send(struct making *making, struct event *event)
{
	struct world *world = making->world;
	struct sending *sending = &event->sending;
	struct talk *talk = &making->talks[sending->from][sending->to];
	struct world_packet packet = {.from = sending->from,
				      .to = sending->to,
				      .sent_ns = event->time_ns,
				      .resent = event->again > 0};
	struct world_frame frame;
	double left_ns;

	if (!event->again) {
		sending->sequence = talk->sequence[sending->kind];
		talk->sequence[sending->kind] += sending->kind == TCP ? sending->payload_bytes : 1;
	}
	sending->ack = making->talks[sending->to][sending->from].sequence[TCP];
	make_frame(making, sending, event->time_ns, &frame);
	frame.packet = (uint32_t)world->packet_count;
	packet.lost = !sending->kept && chance(making, world->options.lost);
	packet.twice = !packet.lost && !sending->kept && chance(making, world->options.twice);
	capture(making, sending->from, event->time_ns, &frame);
	left_ns = pass(making, &making->in[sending->from], (double)event->time_ns,
		       BYTE_NS * frame.wire_bytes);
	if (!packet.lost)
		receive(making, sending, &packet, &frame,
			pass(making, &making->out[sending->to], left_ns + PATH_NS,
			     BYTE_NS * frame.wire_bytes));
	else if (sending->kind != UDP && !sending->is_ack)
		push(making, sending,
		     event->time_ns + (AGAIN_NS << (event->again < 8 ? event->again : 8)),
		     event->again + 1);
	world->packets = more(world->packets, world->packet_count, &world->packet_capacity,
			      sizeof(*world->packets));
	world->packets[world->packet_count++] = packet;
}

static void begin_message(struct making *making, int64_t time_ns)
{
	const unsigned hosts = making->world->options.hosts;
	const unsigned from = (unsigned)tr_random_below(&making->random, hosts);
	const unsigned to = (from + 1 + (unsigned)tr_random_below(&making->random, hosts - 1)) %
			    hosts;
	const unsigned segments = 1 + (unsigned)tr_random_below(&making->random, 4);
	struct sending sending = {
		.kind = (enum kind)tr_random_below(&making->random, KINDS), .from = from, .to = to};

	for (unsigned i = 0; i < segments; i++) {
		sending.payload_bytes = i + 1 < segments ? SEGMENT_BYTES
							 : 1 + (uint32_t)tr_random_below(
								       &making->random, 1448);
		push(making, &sending, time_ns + i, 0);
	}
}

static double gap_ns_of(const struct world *world)
{
	return world->options.gap_ns > 0 ? world->options.gap_ns : GAP_NS;
}

// The sizes of steps are spread over their orders of magnitude; each has a part of the time of its
// own.
static void draw_steps(struct making *making)
{
	struct world *world = making->world;
	const struct world_options *o = &world->options;
	const double part_ns = gap_ns_of(world) * (double)o->messages / ((double)o->steps + 1);

	for (size_t i = 0; i < o->steps; i++) {
		const double size_s = o->step_min_s * pow(o->step_max_s / o->step_min_s,
							  tr_random_unit(&making->random));

		world->steps[i].host = (unsigned)tr_random_below(&making->random, o->hosts);
		world->steps[i].at_ns = (int64_t)(part_ns * ((double)i + 0.75 +
							     tr_random_unit(&making->random) / 2));
		world->steps[i].ahead_ns = (int64_t)(size_s * 1e9) *
					   (tr_random_below(&making->random, 2) ? 1 : -1);
	}
}

static void begin(struct making *making)
{
	struct world *world = making->world;
	const struct world_options *o = &world->options;

	world->step_at_ns = (int64_t)(gap_ns_of(world) / 2 * (double)o->messages);
	for (unsigned i = 0; i < o->hosts; i++) {
		world->offset_ns[i] = (int64_t)((2 * tr_random_unit(&making->random) - 1) *
						o->offset_max_s * 1e9);
		world->drift_ppb[i] = (int64_t)((2 * tr_random_unit(&making->random) - 1) *
						o->drift_max_ppm * 1e3);
		world->step_ppb[i] = (int64_t)((2 * tr_random_unit(&making->random) - 1) *
					       o->step_ppm * 1e3);
		making->out[i].load = tr_random_unit(&making->random) * o->load_max;
		for (unsigned j = 0; j < o->hosts; j++)
			for (unsigned kind = 0; kind < KINDS; kind++)
				making->talks[i][j].sequence[kind] =
					o->wraps ? (kind == ROCE ? 0xffffffu - 20
								 : UINT32_MAX - 20000)
						 : (uint32_t)tr_random_u64(&making->random) >> 4;
	}
}

// Every host sends every other one a packet that is not lost.
static void greet(struct making *making, int64_t time_ns)
{
	const unsigned hosts = making->world->options.hosts;

	for (unsigned from = 0; from < hosts; from++)
		for (unsigned to = 0; to < hosts; to++)
			if (from != to)
				push(making,
				     &(struct sending){.kind = UDP,
						       .from = from,
						       .to = to,
						       .payload_bytes = 20,
						       .kept = true},
				     time_ns += GREETING_NS, 0);
}

static void run(struct making *making)
{
	while (making->event_count) {
		struct event event = pop(making);

		send(making, &event);
	}
}

static int by_host(const void *a, const void *b)
{
	const struct world_frame *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->true_ns != y->true_ns)
		return x->true_ns < y->true_ns ? -1 : 1;
	return (x->packet > y->packet) - (x->packet < y->packet);
}

void world_make(struct world *world, const struct world_options *options, int64_t longest_ns)
{
	struct making making = {.world = world};
	double now_ns = GREETING_NS * 1000;

	*world = (struct world){.options = *options};
	tr_random_open(&making.random, options->seed, "points/world");
	begin(&making);
	draw_steps(&making);
	greet(&making, 0);
	for (size_t i = 0; i < options->messages;
	     i++, now_ns += exponential(&making, gap_ns_of(world)))
		begin_message(&making, (int64_t)now_ns);
	run(&making);
	greet(&making, world->end_ns + 2 * longest_ns);
	run(&making);
	free(making.events);
	qsort(world->frames, world->frame_count, sizeof(*world->frames), by_host);
}

void world_draw_stepping(struct world_options *options, struct tr_random *random, uint64_t seed)
{
	const unsigned hosts = 2 + (unsigned)tr_random_below(random, 2);

	*options = (struct world_options){.seed = seed,
					  .hosts = hosts,
					  .messages = 1000 + tr_random_below(random, 6000),
					  .gap_ns = 40000 * pow(250, tr_random_unit(random)),
					  .load_max = tr_random_below(random, 2) ? 0.6 : 0,
					  .lost = 0.02 * tr_random_unit(random),
					  .offset_max_s = 100,
					  .drift_max_ppm = 50,
					  .steps = 1 + tr_random_below(random, 3),
					  .step_min_s = 1e-4,
					  .step_max_s = 60,
					  .unit_ns = tr_random_below(random, 2) ? 1 : 1000};
}

void world_clear(struct world *world)
{
	free(world->frames);
	free(world->packets);
	*world = (struct world){.frames = NULL};
}

void world_draw(struct world_options *options, struct tr_random *random, uint64_t seed)
{
	static const int64_t units[] = {1, 1, 1000};

	*options = (struct world_options){
		.seed = seed,
		.hosts = 2 + (unsigned)tr_random_below(random, 4),
		.messages = 500 + tr_random_below(random, 4000),
		.load_max = tr_random_below(random, 4) ? 0.95 : 0,
		.lost = 0.02 * tr_random_unit(random),
		.twice = 0.02 * tr_random_unit(random),
		.late = 0.02 * tr_random_unit(random),
		.offset_max_s = tr_random_below(random, 2) ? 10000 : 0.01,
		.drift_max_ppm = 200,
		.unit_ns = units[tr_random_below(random, 3)],
		.wraps = tr_random_below(random, 2),
		.no_ids = tr_random_below(random, 3) == 0,
	};
	if (options->no_ids) // a lost packet whose retransmission came twice is then two that came
		options->twice = 0;
}
