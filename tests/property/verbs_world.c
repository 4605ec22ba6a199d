// SPDX-License-Identifier: GPL-3.0-or-later
// Written from the InfiniBand Architecture Specification, volume 1, chapter 9, apart from what
// reads captures.
#include "verbs_world.h"

#include <stdlib.h>
#include <string.h>

enum { RC = 0, UC = 1, UD = 3, XRC = 5 };

// One side: its requests, and the responses that it gets.
struct side {
	uint32_t service, mtu, psn;
	uint32_t first, count;				     // messages
	uint32_t sending, sending_at, expected, expected_at; // message and packet in it
	uint32_t losing; // packets until it goes back; 0: it does not
	uint32_t answering, answering_at, answered, answered_at, burst_at, unanswered;
	uint32_t responses_losing;
	bool counted; // a captured response has the count of the messages up to it
};

struct maker {
	struct world *world;
	const struct world_setting *setting;
	struct tr_random *random;
	struct side sides[WORLD_SIDES_MAX];
	int64_t now_ns;
	uint32_t step;
};

static bool chance(struct maker *maker, double p)
{
	return (double)tr_random_u32(maker->random) < p * 4294967296.0;
}

static uint32_t draw(struct maker *maker, uint32_t n)
{
	return (uint32_t)tr_random_below(maker->random, n);
}

static bool is_asked(const struct world_message *message)
{
	return message->record.operation == TR_OP_READ || message->record.operation == TR_OP_ATOMIC;
}

// Packets that the requester sends of a message.
static uint32_t sent_of(const struct world_message *message)
{
	return is_asked(message) ? 1 : message->numbers;
}

static uint32_t size_at(const struct maker *maker, const struct world_message *message, uint32_t at)
{
	const uint32_t mtu = maker->sides[message->side].mtu;
	const uint64_t size = message->record.size_bytes;

	return at + 1 < message->numbers ? mtu : (uint32_t)(size - (uint64_t)at * mtu);
}

static void put_be32(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

// ---- the capture

static bool capture(struct maker *maker, const struct world_event *event)
{
	struct world *world = maker->world;
	const bool may_be_late = event->response || event->packet.payload_bytes;
	unsigned copies = 1 + (unsigned)chance(maker, maker->setting->twice);

	if (maker->step < maker->setting->first_step || chance(maker, maker->setting->uncaptured))
		return false;
	for (; copies; copies--) {
		if (world->event_count == world->event_capacity) {
			world->event_capacity = world->event_capacity * 2 + 1024;
			world->events = realloc(world->events,
						world->event_capacity * sizeof(*world->events));
			if (!world->events)
				abort();
		}
		world->events[world->event_count] = *event;
		world->events[world->event_count].time_ns =
			maker->now_ns + (copies - 1) * (1 + draw(maker, 3000)) +
			(may_be_late && chance(maker, maker->setting->overtaken)
				 ? draw(maker, 10000)
				 : 0);
		world->event_count++;
	}
	return true;
}

static struct world_event packet_of(const struct maker *maker, uint32_t side, uint32_t operation,
				    uint32_t psn, uint32_t payload)
{
	struct world_event event = {.side = side};

	event.packet.opcode = (uint8_t)(maker->sides[side].service << 5 | operation);
	event.packet.sequence = psn & 0xffffff;
	event.packet.payload_bytes = payload;
	event.packet.flow.dst_port = 100 + (side ^ 1);
	event.packet.extended_bytes = sizeof(event.headers);
	return event;
}

static void put_request(struct maker *maker, const struct world_message *message, uint32_t at)
{
	const struct side *side = &maker->sides[message->side];
	const uint32_t last = sent_of(message) - 1;
	const bool first = at == 0, write = message->record.operation == TR_OP_WRITE;
	const bool immediate = message->record.tag && at == last;
	const uint32_t base = write ? 6 : 0;
	uint32_t operation, place = side->service == UD ? 8 : side->service == XRC ? 4 : 0;
	struct world_event event;

	if (message->record.operation == TR_OP_READ)
		operation = 0x0c;
	else if (message->record.operation == TR_OP_ATOMIC)
		operation = 0x13 + message->psn % 2;
	else if (first && at == last)
		operation = base + 4u + immediate;
	else if (first)
		operation = base;
	else
		operation = at < last ? base + 1 : base + 2 + immediate;
	event = packet_of(maker, message->side, operation, message->psn + at,
			  is_asked(message) ? 0 : size_at(maker, message, at));
	if (write && first) {
		put_be32(event.headers + place + 12, (uint32_t)message->record.size_bytes);
		place += 16;
	}
	if (operation == 0x0c)
		put_be32(event.headers + place + 12, (uint32_t)message->record.size_bytes);
	if (immediate)
		put_be32(event.headers + place, (uint32_t)message->record.tag);
	event.message = (uint32_t)(message - maker->world->messages);
	event.at = at;
	capture(maker, &event);
}

// A request for what is left of a read from a response on.
static void put_part(struct maker *maker, const struct world_message *message, uint32_t at)
{
	const struct side *side = &maker->sides[message->side];
	struct world_event event = packet_of(maker, message->side, 0x0c, message->psn + at, 0);

	put_be32(event.headers + (side->service == XRC ? 4 : 0) + 12,
		 (uint32_t)message->record.size_bytes - at * side->mtu);
	event.message = UINT32_MAX;
	capture(maker, &event);
}

static void put_response(struct maker *maker, const struct world_message *message, uint32_t at,
			 uint32_t from)
{
	const bool last = at + 1 == message->numbers;
	const uint32_t operation = message->record.operation == TR_OP_ATOMIC ? 0x12
				   : at == from				     ? (last ? 0x10 : 0x0d)
				   : last				     ? 0x0f
									     : 0x0e;
	struct world_event event = packet_of(maker, message->side ^ 1, operation, message->psn + at,
					     operation == 0x12 ? 0 : size_at(maker, message, at));
	struct side *side = &maker->sides[message->side];

	event.message = (uint32_t)(message - maker->world->messages);
	event.at = at;
	event.response = true;
	put_be32(event.headers, side->expected);
	if (capture(maker, &event) && operation != 0x0e)
		side->counted |= event.message + 1 == side->first + side->expected;
}

// ---- what the queue pairs do

static struct world_message *message_of(struct maker *maker, const struct side *side, uint32_t at)
{
	return &maker->world->messages[side->first + at];
}

// Moves on by a packet.
static void go_on(struct maker *maker, const struct side *side, uint32_t *message, uint32_t *at)
{
	if (++*at < sent_of(message_of(maker, side, *message)))
		return;
	++*message;
	*at = 0;
}

// To the next request that is answered.
static void to_asked(struct maker *maker, const struct side *side, uint32_t *at)
{
	while (*at < side->count && !is_asked(message_of(maker, side, *at)))
		++*at;
}

// Acknowledges what has arrived, if no read before it waits for its responses.
static void acknowledge(struct maker *maker, struct side *side)
{
	const struct world_message *last = message_of(maker, side, side->expected - 1);
	struct world_event event;

	to_asked(maker, side, &side->answered);
	if (side->answered < side->expected || side->expected_at || is_asked(last) ||
	    chance(maker, maker->setting->dropped))
		return;
	event = packet_of(maker, (uint32_t)(side - maker->sides) ^ 1, 0x11,
			  last->psn + last->numbers - 1, 0);
	event.message = UINT32_MAX;
	put_be32(event.headers, side->expected);
	side->counted |= capture(maker, &event);
}

// The next request; false if all have arrived.
static bool step_requests(struct maker *maker, struct side *side)
{
	const bool reliable = side->service == RC || side->service == XRC;
	const double dropped = maker->setting->dropped;
	bool due;

	if (side->expected == side->count)
		return false;
	if (side->sending == side->count || (side->losing && !--side->losing)) {
		side->sending = side->expected;
		side->sending_at = side->expected_at;
		side->losing = 0;
	}
	due = side->sending == side->expected && side->sending_at == side->expected_at;
	if (chance(maker, dropped)) {
		due &= !reliable;
		side->losing += reliable && !side->losing ? 1 + draw(maker, 20) : 0;
	} else {
		put_request(maker, message_of(maker, side, side->sending), side->sending_at);
		if (reliable && chance(maker, dropped)) {
			due = false;
			side->losing += !side->losing ? 1 + draw(maker, 20) : 0;
		}
	}
	go_on(maker, side, &side->sending, &side->sending_at);
	if (!due)
		return true;
	side->unanswered += is_asked(message_of(maker, side, side->expected));
	go_on(maker, side, &side->expected, &side->expected_at);
	if (reliable && !side->expected_at)
		acknowledge(maker, side);
	return true;
}

// Asks again for what did not arrive: from a response on, and all later ones that were answered.
static void ask_again(struct maker *maker, struct side *side)
{
	for (uint32_t at = side->answered; at <= side->answering && at < side->expected; at++) {
		const struct world_message *message = message_of(maker, side, at);

		maker->now_ns += 1 + draw(maker, 50);
		if (at == side->answered && side->answered_at)
			put_part(maker, message, side->answered_at);
		else
			put_request(maker, message, 0);
	}
	side->answering = side->answered;
	side->answering_at = side->burst_at = side->answered_at;
	side->responses_losing = 0;
	maker->now_ns += 1 + draw(maker, 50);
}

// The next response to the requests of side; false if there is none to give.
static bool step_responses(struct maker *maker, struct side *side)
{
	const double dropped = maker->setting->dropped;
	const struct world_message *message;
	bool due;

	to_asked(maker, side, &side->answering);
	to_asked(maker, side, &side->answered);
	if (side->answered >= side->expected)
		return false;
	if (side->answering >= side->expected ||
	    (side->responses_losing && !--side->responses_losing))
		ask_again(maker, side);
	message = message_of(maker, side, side->answering);
	due = side->answering == side->answered && side->answering_at == side->answered_at;
	if (!chance(maker, dropped))
		put_response(maker, message, side->answering_at, side->burst_at);
	else
		due = false;
	due &= !chance(maker, dropped);
	if (!due && !side->responses_losing)
		side->responses_losing = 1 + draw(maker, 20);
	if (due && ++side->answered_at == message->numbers) {
		side->answered++;
		side->answered_at = 0;
		acknowledge(maker, side);
	}
	if (++side->answering_at == message->numbers) {
		side->answering++;
		side->answering_at = side->burst_at = 0;
	}
	return true;
}

// ---- messages

static void draw_message(struct maker *maker, struct side *side, struct world_message *message)
{
	static const uint16_t kinds[] = {TR_OP_SEND, TR_OP_WRITE, TR_OP_READ, TR_OP_ATOMIC};
	const unsigned at = (unsigned)(side - maker->sides);
	const unsigned few = side->service == UD ? 1 : side->service == UC ? 2 : 4;
	const uint32_t most = side->service == UD ? 1 : draw(maker, 4) ? 6 : 40;

	message->side = at;
	message->psn = side->psn;
	message->record.operation = kinds[draw(maker, few)];
	message->record.size_bytes = message->record.operation == TR_OP_ATOMIC
					     ? 8
					     : draw(maker, 5) * (uint64_t)side->mtu *
							       draw(maker, most) / 4 +
						       (draw(maker, 3) ? draw(maker, 4) * 4
								       : draw(maker, side->mtu));
	if (side->service == UD && message->record.size_bytes > side->mtu)
		message->record.size_bytes = side->mtu;
	message->numbers = message->record.size_bytes
				   ? (uint32_t)((message->record.size_bytes - 1) / side->mtu) + 1
				   : 1;
	if (!is_asked(message) && draw(maker, 3) == 0)
		message->record.tag = (int32_t)tr_random_u32(maker->random);
	message->record.src = message->record.operation == TR_OP_READ ? !(at % 2) : at % 2;
	message->record.dst = !message->record.src;
	message->captured = calloc(message->numbers + 1, 1);
	if (!message->captured)
		abort();
	side->psn += message->numbers;
}

static int by_time(const void *a, const void *b)
{
	const struct world_event *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

// Which messages are in the capture, and when.
static void look(struct maker *maker)
{
	struct world *world = maker->world;

	qsort(world->events, world->event_count, sizeof(*world->events), by_time);
	for (size_t i = 0; i < world->event_count; i++) {
		struct world_event *event = &world->events[i];
		struct world_message *message;
		uint32_t place;

		event->time_ns = (int64_t)i; // unique, in the same order
		event->packet.extended = event->headers;
		if (event->message == UINT32_MAX)
			continue;
		message = &world->messages[event->message];
		place = event->at + event->response;
		if (message->captured[place]++)
			continue;
		message->doubtful |= is_asked(message) && place == 0 && message->seen;
		if (!message->seen++)
			message->record.begin_ticks = event->time_ns;
		message->record.end_ticks = event->time_ns;
	}
	for (uint32_t i = 0; i < maker->setting->sides; i++) {
		struct side *side = &maker->sides[i];
		uint32_t first = 0;

		while (first + 1 < side->count && !message_of(maker, side, first)->captured[0])
			first++;
		message_of(maker, side, first)->unsettled = first || !side->counted;
	}
}

void world_make(struct world *world, const struct world_setting *setting, struct tr_random *random)
{
	struct maker maker = {.world = world, .setting = setting, .random = random};
	static const uint32_t services[] = {RC, RC, RC, RC, UC, UD, XRC};
	bool on = true;

	*world = (struct world){.message_count = (size_t)setting->sides * setting->messages};
	world->messages = calloc(world->message_count, sizeof(*world->messages));
	if (!world->messages)
		abort();
	for (uint32_t i = 0; i < setting->sides; i++) {
		struct side *side = &maker.sides[i];

		side->service =
			i % 2 ? maker.sides[i - 1].service
			      : services[draw(&maker, sizeof(services) / sizeof(*services))];
		side->mtu = i % 2 ? maker.sides[i - 1].mtu : 256u << draw(&maker, 5);
		side->psn = setting->same_psn ? 0
			    : draw(&maker, 2) ? draw(&maker, 1u << 24)
					      : (1u << 24) - draw(&maker, 2000);
		side->first = i * setting->messages;
		side->count = setting->messages;
		for (uint32_t j = 0; j < setting->messages; j++)
			draw_message(&maker, side, &world->messages[side->first + j]);
	}
	while (on) {
		on = false;
		for (uint32_t i = 0; i < setting->sides * 2; i++) {
			struct side *side = &maker.sides[draw(&maker, setting->sides)];

			maker.now_ns += 1 + draw(&maker, 1000);
			maker.step++;
			on |= draw(&maker, 2) ? step_requests(&maker, side)
					      : step_responses(&maker, side);
		}
		for (uint32_t i = 0; i < setting->sides && !on; i++)
			on = maker.sides[i].expected < setting->messages ||
			     step_responses(&maker, &maker.sides[i]);
	}
	look(&maker);
}

void world_free(struct world *world)
{
	for (size_t i = 0; i < world->message_count; i++)
		free(world->messages[i].captured);
	free(world->messages);
	free(world->events);
}
