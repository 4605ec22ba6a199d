// SPDX-License-Identifier: GPL-3.0-or-later
#include "sci_plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "value/philox.h"
#include "value/ticks.h"

#define PACKETS 4096u

enum state { WAITS, PASSES, ASKS, READY, TAKEN, ON_LINK, IN_BYPASS, IN_TRANSMIT, GONE };

struct packet {
	enum sci_packet_kind kind;
	enum state state;
	int64_t due;   // in the first six states
	int64_t ready; // behind its buses, at the earliest
	enum state then;
	uint32_t buses[2]; // that it is still to cross, and for how long
	int64_t needs[2];
	uint64_t place; // in a queue
	uint32_t message;
	uint32_t index;
	uint32_t symbols;
	uint32_t agents[RINGS + 1]; // nodes of its way
	uint32_t steps;
	uint32_t step;
	uint32_t out; // where it is, or to which it comes
	uint32_t origin;
	uint32_t target;
};

static int64_t ns_of(struct num_ratio time_s)
{
	return time_s.num * (NS / time_s.den);
}

static uint32_t packets_of(const struct message *message)
{
	return (message->size_bytes + 63) / 64;
}

// What the bytes of a message until a packet's end take beyond the first 64.
static int64_t data_ns(const struct plain *plain, uint32_t message, uint32_t index)
{
	const struct message *m = &plain->bed->messages[message];
	const int64_t end = (int64_t)(index + 1) * 64 < m->size_bytes ? (int64_t)(index + 1) * 64
								      : m->size_bytes;

	return end > 64 ? (end - 64) * ns_of(plain->bed->params.overhead_B_s) : 0;
}

static uint32_t initiator(const struct plain *plain, uint32_t message)
{
	const struct message *m = &plain->bed->messages[message];

	return plain->reads[message] ? m->destination : m->source;
}

static struct packet *add_packet(struct plain *plain, struct packet packet)
{
	assert_true(plain->count < PACKETS);
	plain->packets[plain->count] = packet;
	return &plain->packets[plain->count++];
}

static void set_way(const struct plain *plain, struct packet *packet, uint32_t from, uint32_t to)
{
	packet->steps = 0;
	packet->agents[0] = from;
	while (packet->agents[packet->steps] != to) {
		const uint32_t next = plain->plan->agents[packet->agents[packet->steps]][to];

		packet->agents[++packet->steps] = next;
	}
}

static bool carries_data(const struct plain *plain, const struct packet *packet)
{
	return (packet->kind == SCI_REQUEST) != plain->reads[packet->message];
}

static uint32_t symbols_of(const struct plain *plain, const struct packet *packet)
{
	const uint32_t rest = plain->bed->messages[packet->message].size_bytes - 64 * packet->index;

	return 8 + (!carries_data(plain, packet) ? 0 : rest <= 16 ? 8 : 32);
}

static int64_t overhead(const struct plain *plain, const struct packet *packet)
{
	return ns_of(plain->bed->params.overhead_s) +
	       (carries_data(plain, packet) ? data_ns(plain, packet->message, packet->index) : 0);
}

static int64_t byte_ns(struct num_ratio rate_bps)
{
	return rate_bps.num > 0 ? 8 * NS / rate_bps.num : 0;
}

// Of a host's PCI, and of a node's B-link.
static int64_t pci_ns(const struct plain *plain, const struct packet *packet)
{
	return (packet->symbols - 8) * 2 * byte_ns(plain->bed->params.pci_bps);
}

static int64_t blink_ns(const struct plain *plain, const struct packet *packet)
{
	return packet->symbols * 2 * byte_ns(plain->bed->params.blink_bps);
}

// It crosses the buses that take time, from a tick on.
static void cross(struct packet *packet, int64_t from, int64_t ready, enum state then)
{
	if (packet->needs[0] == 0) {
		packet->buses[0] = packet->buses[1];
		packet->needs[0] = packet->needs[1];
		packet->needs[1] = 0;
	}
	packet->ready = ready;
	packet->then = then;
	packet->state = packet->needs[0] > 0 ? ASKS : then;
	packet->due = packet->needs[0] > 0 ? from : ticks_later(from, ready);
}

// Its last node is reached by the head.
static void arrive(struct plain *plain, struct packet *packet)
{
	const struct message *message = &plain->bed->messages[packet->message];
	const uint32_t host = (packet->kind == SCI_REQUEST) ==
					      (initiator(plain, packet->message) == message->source)
				      ? message->destination
				      : message->source;
	const bool rides = message->source != message->destination;
	const int64_t whole = plain->now + packet->symbols * ns_of(plain->bed->params.symbol_s);

	packet->buses[0] = NODES + plain->plan->home[host];
	packet->buses[1] = host;
	packet->needs[0] = rides ? blink_ns(plain, packet) : 0;
	packet->needs[1] = rides ? pci_ns(plain, packet) : 0;
	cross(packet, whole, ticks_later(plain->now + overhead(plain, packet), whole), TAKEN);
}

static void enter_next_ring(struct plain *plain, struct packet *packet, int64_t from, int64_t due)
{
	packet->origin = packet->agents[packet->step];
	packet->target = packet->agents[packet->step + 1];
	packet->out = sci_plan_out(plain->plan, packet->origin, packet->target);
	cross(packet, from, due, READY);
}

// A packet leaves its host, whose overhead for it ends at a tick.
static void leave_host(struct plain *plain, struct packet *packet, uint32_t host, int64_t due)
{
	packet->buses[0] = host;
	packet->buses[1] = NODES + plain->plan->home[host];
	packet->needs[0] = pci_ns(plain, packet);
	packet->needs[1] = blink_ns(plain, packet);
	enter_next_ring(plain, packet,
			ticks_later(plain->now, due - packet->needs[0] - packet->needs[1]), due);
}

static void come(struct plain *plain, uint32_t number)
{
	struct packet *packet = &plain->packets[number];
	const struct sci_params *params = &plain->bed->params;
	const int64_t symbol = ns_of(params->symbol_s);
	const struct packet whole = *packet;

	packet->state = PASSES;
	packet->due = plain->now + ns_of(params->forwarding_s);
	if (plain->plan->outs[packet->out].node != packet->target)
		return;
	if (packet->kind == SCI_ECHO) {
		packet->state = GONE;
		return;
	}
	if (++packet->step == packet->steps) {
		arrive(plain, packet);
	} else {
		const int64_t ready = plain->now + ns_of(params->switching_s),
			      in = plain->now + whole.symbols * symbol;

		packet->buses[0] = NODES + packet->agents[packet->step];
		packet->needs[0] = blink_ns(plain, packet);
		packet->needs[1] = 0;
		enter_next_ring(plain, packet, params->cut_through ? plain->now : in,
				params->cut_through ? ready : ticks_later(ready, in));
	}
	add_packet(plain, (struct packet){.kind = SCI_ECHO,
					  .state = PASSES,
					  .due = plain->now + (whole.symbols - 4) * symbol +
						 ns_of(params->forwarding_s),
					  .symbols = 4,
					  .out = whole.out,
					  .target = whole.origin});
}

static void finish(struct plain *plain, uint32_t message)
{
	if (--plain->left[message] > 0)
		return;
	plain->done[message] = plain->now;
	plain->open--;
}

static void take(struct plain *plain, struct packet *packet)
{
	const uint32_t number = packet->message;
	const struct message *message = &plain->bed->messages[number];
	const bool answered = plain->bed->params.transactions || plain->reads[number];
	struct packet way = {.steps = 0}, *response;

	packet->state = GONE;
	if ((packet->kind == SCI_RESPONSE) == answered)
		finish(plain, number);
	if (packet->kind == SCI_RESPONSE)
		return;
	response = add_packet(plain, (struct packet){.kind = SCI_RESPONSE,
						     .state = WAITS,
						     .message = number,
						     .index = packet->index});
	response->symbols = symbols_of(plain, response);
	response->due = plain->now + overhead(plain, response);
	if (message->source == message->destination)
		return;
	set_way(plain, &way, plain->plan->home[initiator(plain, number)],
		plain->plan
			->home[message->source + message->destination - initiator(plain, number)]);
	for (uint32_t i = 0; i <= way.steps; i++)
		response->agents[i] = way.agents[way.steps - i];
	response->steps = way.steps;
	leave_host(plain, response,
		   message->source + message->destination - initiator(plain, number),
		   response->due);
}

// The host hands over a packet before its overhead ends, by the time of the packet on the buses.
static void hold(struct plain *plain, uint32_t host, uint32_t message, uint32_t index)
{
	struct packet packet = {.kind = SCI_REQUEST, .message = message, .index = index};

	packet.symbols = symbols_of(plain, &packet);
	plain->host_due[host] = ticks_later(plain->now, plain->host_spent[host] -
								pci_ns(plain, &packet) -
								blink_ns(plain, &packet));
}

static void hand_over(struct plain *plain, uint32_t host)
{
	const uint32_t number = plain->host_message[host], index = plain->host_index[host]++;
	const struct message *message = &plain->bed->messages[number];
	struct packet *packet = add_packet(plain, (struct packet){.kind = SCI_REQUEST,
								  .state = WAITS,
								  .due = plain->host_spent[host],
								  .message = number,
								  .index = index});

	packet->symbols = symbols_of(plain, packet);
	if (message->source != message->destination) {
		set_way(plain, packet, plain->plan->home[host],
			plain->plan->home[message->source + message->destination - host]);
		leave_host(plain, packet, host, plain->host_spent[host]);
	}
	plain->host_due[host] = INT64_MAX;
	if (index + 1 == packets_of(message)) {
		plain->host_message[host]++;
		return;
	}
	if (!plain->reads[number])
		plain->host_spent[host] += data_ns(plain, number, index + 1) -
					   data_ns(plain, number, index);
	hold(plain, host, number, index + 1);
}

// A host that has nothing in hand begins with its next message, if that is there.
static void begin(struct plain *plain, uint32_t host)
{
	uint32_t *next = &plain->host_message[host];

	while (*next < plain->bed->count && initiator(plain, *next) != host)
		(*next)++;
	if (plain->host_due[host] < INT64_MAX || *next == plain->bed->count ||
	    plain->bed->messages[*next].time_ticks > plain->now)
		return;
	plain->host_index[host] = 0;
	plain->host_spent[host] = ticks_later(plain->now, plain->host_spent[host]) +
				  ns_of(plain->bed->params.overhead_s);
	hold(plain, host, *next, 0);
}

// The one of an output's queue that was there first; NONE.
static uint32_t first_of(const struct plain *plain, uint32_t out, enum state state)
{
	uint32_t best = NONE;

	for (uint32_t i = 0; i < plain->count; i++)
		if (plain->packets[i].state == state && plain->packets[i].out == out &&
		    (best == NONE || plain->packets[i].place < plain->packets[best].place))
			best = i;
	return best;
}

// Of packets in a state that are due now, the first by message, packet and kind; NULL.
static struct packet *first_due(const struct plain *plain, enum state state)
{
	struct packet *best = NULL;

	for (uint32_t i = 0; i < plain->count; i++) {
		struct packet *p = &plain->packets[i];

		if (p->state == state && p->due == plain->now &&
		    (!best || p->message < best->message ||
		     (p->message == best->message &&
		      (p->index < best->index ||
		       (p->index == best->index && p->kind < best->kind)))))
			best = p;
	}
	return best;
}

static void grant(struct plain *plain)
{
	const int64_t symbol = ns_of(plain->bed->params.symbol_s);
	struct packet *packet;

	while ((packet = first_due(plain, ASKS)) != NULL) {
		int64_t *free_ticks = &plain->bus_free[packet->buses[0]];
		const int64_t start = ticks_later(plain->now, *free_ticks), need = packet->needs[0];
		const bool at_agent = packet->then == READY && packet->step > 0;

		*free_ticks = start + need;
		packet->needs[0] = 0;
		cross(packet,
		      at_agent && plain->bed->params.cut_through
			      ? start + ticks_later(0, need - packet->symbols * symbol)
			      : start + need,
		      packet->ready, packet->then);
	}
}

static void join(struct plain *plain)
{
	struct packet *packet;

	while ((packet = first_due(plain, READY)) != NULL) {
		packet->state = IN_TRANSMIT;
		packet->place = plain->queued++;
	}
}

static void start(struct plain *plain, uint32_t out)
{
	const struct sci_params *params = &plain->bed->params;
	uint32_t number = first_of(plain, out, IN_BYPASS);

	if (plain->plan->outs[out].free_ticks > plain->now)
		return;
	if (number == NONE)
		number = first_of(plain, out, IN_TRANSMIT);
	if (number == NONE)
		return;
	plain->plan->outs[out].free_ticks = plain->now + (plain->packets[number].symbols + 1) *
								 ns_of(params->symbol_s);
	plain->packets[number].state = ON_LINK;
	plain->packets[number].due = plain->now + ns_of(params->propagation_s);
	plain->packets[number].out = sci_plan_next(plain->plan, out);
}

static void tick(struct plain *plain)
{
	const uint32_t before = plain->count;

	for (uint32_t i = 0; i < before; i++)
		if (plain->packets[i].state == ON_LINK && plain->packets[i].due == plain->now)
			come(plain, i);
	for (uint32_t i = 0; i < plain->count; i++)
		if (plain->packets[i].state == PASSES && plain->packets[i].due == plain->now) {
			plain->packets[i].state = IN_BYPASS;
			plain->packets[i].place = plain->queued++;
		}
	for (uint32_t host = 0; host < plain->plan->hosts; host++)
		for (begin(plain, host); plain->host_due[host] == plain->now; begin(plain, host))
			hand_over(plain, host);
	for (uint32_t i = 0; i < plain->count; i++) {
		if (plain->packets[i].state == WAITS && plain->packets[i].due == plain->now)
			arrive(plain, &plain->packets[i]);
		if (plain->packets[i].state == TAKEN && plain->packets[i].due == plain->now)
			take(plain, &plain->packets[i]);
	}
	grant(plain);
	join(plain);
	for (uint32_t out = 0; out < plain->plan->out_count; out++)
		start(plain, out);
	plain->now++;
}

void sci_plain_run(struct plain *plain)
{
	const uint32_t count = plain->bed->count;

	plain->packets = malloc(PACKETS * sizeof(*plain->packets));
	assert_non_null(plain->packets);
	plain->open = count;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t counter[4] = {i, 0, 0, 0}, key[2] = {0x736369, 0x72656164};
		uint32_t drawn[4];

		philox_block(counter, key, drawn);
		plain->reads[i] = drawn[0] / 4294967296. * 100 < (double)plain->bed->params.reads;
	}
	for (uint32_t i = 0; i < count; i++)
		plain->left[i] = packets_of(&plain->bed->messages[i]);
	for (uint32_t host = 0; host < plain->plan->hosts; host++)
		plain->host_due[host] = INT64_MAX;
	while (plain->open > 0) {
		assert_true(plain->now < 1000000);
		tick(plain);
	}
	free(plain->packets);
}
