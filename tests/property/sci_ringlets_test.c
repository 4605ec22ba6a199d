// SPDX-License-Identifier: GPL-3.0-or-later
// Random ringlets, joined by nodes with hosts or without, in one direction or both: the engines
// deliver each message when a plain simulation does, which looks at all packets in every tick and
// tries all ways. FLIT_LONG=1 tries many more; FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sci_bed.h"
#include "sci_plan.h"
#include "setting.h"
#include "value/philox.h"
#include "value/random.h"

#define PACKETS 4096u

enum state { WAITS, PASSES, READY, TAKEN, ON_LINK, IN_BYPASS, IN_TRANSMIT, GONE };

struct packet {
	enum sci_packet_kind kind;
	enum state state;
	int64_t due;	// in the first five states
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

struct plain {
	const struct bed *bed;
	struct plan *plan;
	struct packet *packets;
	uint32_t count;
	uint64_t queued;
	int64_t now;
	uint32_t host_message[NODES]; // the next that it hands over, or does
	uint32_t host_index[NODES];
	int64_t host_due[NODES]; // INT64_MAX: it has nothing
	bool reads[MESSAGES];
	uint32_t left[MESSAGES];
	int64_t done[MESSAGES];
	uint32_t open;
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

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
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

// Its last node is reached by the head.
static void arrive(struct plain *plain, struct packet *packet)
{
	packet->state = TAKEN;
	packet->due = later(plain->now + overhead(plain, packet),
			    plain->now + packet->symbols * ns_of(plain->bed->params.symbol_s));
}

static void enter_next_ring(struct plain *plain, struct packet *packet, int64_t due)
{
	packet->origin = packet->agents[packet->step];
	packet->target = packet->agents[packet->step + 1];
	packet->out = sci_plan_out(plain->plan, packet->origin, packet->target);
	packet->state = READY;
	packet->due = due;
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
		const int64_t ready = plain->now + ns_of(params->switching_s);

		enter_next_ring(plain, packet,
				params->cut_through
					? ready
					: later(ready, plain->now + whole.symbols * symbol));
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
	enter_next_ring(plain, response, response->due);
}

static void hand_over(struct plain *plain, uint32_t host)
{
	const uint32_t number = plain->host_message[host], index = plain->host_index[host]++;
	const struct message *message = &plain->bed->messages[number];
	struct packet *packet = add_packet(plain, (struct packet){.kind = SCI_REQUEST,
								  .state = WAITS,
								  .due = plain->now,
								  .message = number,
								  .index = index});

	packet->symbols = symbols_of(plain, packet);
	if (message->source != message->destination) {
		set_way(plain, packet, plain->plan->home[host],
			plain->plan->home[message->source + message->destination - host]);
		enter_next_ring(plain, packet, plain->now);
	}
	plain->host_due[host] = INT64_MAX;
	if (index + 1 == packets_of(message))
		plain->host_message[host]++;
	else if (plain->reads[number])
		plain->host_due[host] = plain->now;
	else
		plain->host_due[host] = plain->now + data_ns(plain, number, index + 1) -
					data_ns(plain, number, index);
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
	plain->host_due[host] = plain->now + ns_of(plain->bed->params.overhead_s);
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

// Of packets that are ready now, the first by message, packet and kind joins first.
static void join(struct plain *plain)
{
	for (;;) {
		struct packet *best = NULL;

		for (uint32_t i = 0; i < plain->count; i++) {
			struct packet *p = &plain->packets[i];

			if (p->state == READY && p->due == plain->now &&
			    (!best || p->message < best->message ||
			     (p->message == best->message &&
			      (p->index < best->index ||
			       (p->index == best->index && p->kind < best->kind)))))
				best = p;
		}
		if (!best)
			return;
		best->state = IN_TRANSMIT;
		best->place = plain->queued++;
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
	join(plain);
	for (uint32_t out = 0; out < plain->plan->out_count; out++)
		start(plain, out);
	plain->now++;
}

static void simulate(struct plain *plain)
{
	const uint32_t count = plain->bed->count;

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
}

static struct num_ratio draw_ns(struct tr_random *random, uint64_t least, uint64_t most)
{
	return (struct num_ratio){(int64_t)(least + tr_random_below(random, most - least + 1)), NS};
}

static void draw_case(struct bed *bed, struct plan *plan, struct tr_random *random)
{
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 130};
	int64_t ticks = 0;

	bed->params.both = tr_random_below(random, 2);
	sci_plan_draw(plan, random, bed->params.both, &bed->topology);
	bed->ticks_per_s = NS;
	bed->params.propagation_s = draw_ns(random, 1, 9);
	bed->params.forwarding_s = draw_ns(random, 0, 30);
	bed->params.switching_s = draw_ns(random, 0, 90);
	bed->params.overhead_s = draw_ns(random, 0, tr_random_below(random, 2) ? 60 : 0);
	bed->params.overhead_B_s = draw_ns(random, 0, 1);
	bed->params.symbol_s = draw_ns(random, 1, 3);
	bed->params.cut_through = tr_random_below(random, 2);
	bed->params.transactions = tr_random_below(random, 2);
	bed->params.reads = tr_random_below(random, 2) ? tr_random_below(random, 101) : 0;
	bed->count = 1 + (uint32_t)tr_random_below(random, 60);
	for (uint32_t i = 0; i < bed->count; i++) {
		ticks += (int64_t)tr_random_below(random, 40);
		bed->messages[i] = (struct message){ticks,
						    (uint32_t)tr_random_below(random, plan->hosts),
						    (uint32_t)tr_random_below(random, plan->hosts),
						    sizes[tr_random_below(random, 6)]};
	}
}

static void compare(const struct bed *bed, const struct plain *plain, uint64_t number)
{
	for (uint32_t i = 0; i < bed->count; i++)
		if (bed->fates[i].status != TR_DELIVERED || bed->fates[i].ticks != plain->done[i])
			fail_msg("case %llu, message %u (%u > %u, %u B at %lld): %lld, not %lld",
				 (unsigned long long)number, i, bed->messages[i].source,
				 bed->messages[i].destination, bed->messages[i].size_bytes,
				 (long long)bed->messages[i].time_ticks,
				 (long long)bed->fates[i].ticks, (long long)plain->done[i]);
}

static void engines_do_what_a_plain_simulation_does(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 1),
		       cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 3000 : 150);
	struct plain *plain = malloc(sizeof(*plain));
	struct packet *packets = malloc(PACKETS * sizeof(*packets));
	uint32_t most_rings = 0;

	(void)state;
	assert_true(plain && packets);
	for (uint64_t number = first; number < first + cases; number++) {
		struct tr_random random;
		struct plan plan;
		struct bed bed;

		tr_random_open(&random, number, "ringlets");
		sci_bed_open(&bed, "ring:2");
		net_topology_clear(&bed.topology);
		draw_case(&bed, &plan, &random);
		*plain = (struct plain){.bed = &bed, .plan = &plan, .packets = packets};
		simulate(plain);
		for (uint32_t i = 0; i < 4; i++) {
			sci_bed_run(&bed, sci_engines[i % 2], i / 2 * number);
			compare(&bed, plain, number);
		}
		most_rings = plan.ring_count > most_rings ? plan.ring_count : most_rings;
		sci_bed_close(&bed);
	}
	if (cases >= 100)
		assert_int_equal(most_rings, RINGS);
	free(plain);
	free(packets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_do_what_a_plain_simulation_does)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
