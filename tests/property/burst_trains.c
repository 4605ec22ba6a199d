// SPDX-License-Identifier: GPL-3.0-or-later
#include "burst_trains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- laws of gaps and of numbers of packets, by their mean

enum law { CONSTANT, UNIFORM, EXPONENTIAL, LOGNORMAL, PARETO };

static double exponential(struct tr_random *random, double mean)
{
	return -mean * log(tr_random_unit(random));
}

static double normal(struct tr_random *random)
{
	return sqrt(2 * exponential(random, 1)) * cos(2 * acos(-1) * tr_random_unit(random));
}

#define TAIL 1.5 // exponent of the Pareto law

// UNIFORM: from half to one and a half of the mean. LOGNORMAL: with a standard deviation of 1 in
// the logarithm.
static double draw(struct tr_random *random, enum law law, double mean)
{
	switch (law) {
	case CONSTANT: return mean;
	case UNIFORM: return mean * (.5 + tr_random_unit(random));
	case EXPONENTIAL: return exponential(random, mean);
	case LOGNORMAL: return mean * exp(normal(random) - .5);
	case PARETO: return mean * (TAIL - 1) / TAIL * pow(tr_random_unit(random), -1 / TAIL);
	}
	return mean;
}

static double between(struct tr_random *random, double lo, double hi)
{
	return lo * pow(hi / lo, tr_random_unit(random));
}

// ---- the packets of a train, each with its burst

struct burst_packet {
	double at_ns;
	uint32_t burst;
};

struct making {
	struct tr_random *random;
	size_t count, bursts;
	struct burst_packet packets[BURST_TRAIN_MOST];
	double ends_ns[BURST_TRAIN_MOST], begins_ns[BURST_TRAIN_MOST]; // of bursts
};

// In burst, or in a new one of its own if burst is bursts.
static void put(struct making *making, double at_ns, size_t burst)
{
	if (making->count == BURST_TRAIN_MOST)
		return;
	making->packets[making->count++] = (struct burst_packet){at_ns, (uint32_t)burst};
	if (burst == making->bursts) {
		making->begins_ns[burst] = making->ends_ns[burst] = at_ns;
		making->bursts++;
	}
	making->ends_ns[burst] = fmax(making->ends_ns[burst], at_ns);
	making->begins_ns[burst] = fmin(making->begins_ns[burst], at_ns);
}

static int by_time(const void *a, const void *b)
{
	const struct burst_packet *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->burst < y->burst ? -1 : x->burst > y->burst;
}

// A burst of the train ends where none of those put in goes on: bursts of several hosts that
// overlap are one.
static void finish(struct making *making, struct burst_train *train)
{
	double end_ns = -1, begin_ns = 0, sum_ns = 0;

	qsort(making->packets, making->count, sizeof(making->packets[0]), by_time);
	train->count = making->count;
	train->bursts = 0;
	for (size_t i = 0; i < making->count; i++) {
		const struct burst_packet *packet = &making->packets[i];

		if (i == 0 || packet->at_ns > end_ns) {
			sum_ns += i > 0 ? end_ns - begin_ns : 0;
			begin_ns = packet->at_ns;
			train->bursts++;
			if (i > 0)
				train->ends[i - 1] = true;
		}
		end_ns = fmax(end_ns, making->ends_ns[packet->burst]);
		train->ticks[i] = (int64_t)rint(packet->at_ns - making->packets[0].at_ns);
		train->ends[i] = false;
	}
	train->burst_ns = (sum_ns + end_ns - begin_ns) / (double)train->bursts;
}

// ---- bursts after one another

// Packets of a burst, the gap within, and how much longer silences are on average.
struct plan {
	enum law within, packets, silence;
	double gap_ns, burst_packets, ratio;
	unsigned bursts;
};

static struct plan plan_of(struct tr_random *random, enum law within, enum law silence,
			   double ratio_lo, double ratio_hi)
{
	return (struct plan){.within = within,
			     .silence = silence,
			     .packets = EXPONENTIAL,
			     .gap_ns = between(random, 2e3, 2e7),
			     .burst_packets = between(random, 4, 60),
			     .ratio = between(random, ratio_lo, ratio_hi),
			     .bursts = (unsigned)between(random, 30, 500)};
}

static unsigned packets_of(struct tr_random *random, const struct plan *plan)
{
	return 2 + (unsigned)draw(random, plan->packets, plan->burst_packets - 2);
}

static double put_burst(struct making *making, const struct plan *plan, double at_ns, size_t burst)
{
	for (unsigned i = packets_of(making->random, plan); i > 0; i--) {
		put(making, at_ns, burst);
		at_ns += i > 1 ? draw(making->random, plan->within, plan->gap_ns) : 0;
	}
	return at_ns;
}

static double put_bursts(struct making *making, const struct plan *plan)
{
	double at_ns = 0;

	for (unsigned b = 0; b < plan->bursts && making->count + 1000 < BURST_TRAIN_MOST; b++)
		at_ns = put_burst(making, plan, at_ns, making->bursts) +
			draw(making->random, plan->silence, plan->gap_ns * plan->ratio);
	return at_ns;
}

// ---- kinds

static void with_making(struct tr_random *random, struct burst_train *train,
			void (*make)(struct making *making, struct tr_random *random))
{
	struct making *making = calloc(1, sizeof(*making));

	if (!making)
		abort();
	making->random = random;
	make(making, random);
	finish(making, train);
	free(making);
}

#define SIMPLE(name, within, silence, lo, hi) \
	static void make_##name(struct making *making, struct tr_random *random) \
	{ \
		const struct plan plan = plan_of(random, within, silence, lo, hi); \
\
		(void)put_bursts(making, &plan); \
	} \
	KIND(name)
#define KIND(name) \
	static void draw_##name(struct tr_random *random, struct burst_train *train) \
	{ \
		with_making(random, train, make_##name); \
	}

SIMPLE(constant, CONSTANT, CONSTANT, 20, 2000)
SIMPLE(jitter_exponential, UNIFORM, EXPONENTIAL, 30, 3000)
SIMPLE(poisson_exponential, EXPONENTIAL, EXPONENTIAL, 100, 3000)
SIMPLE(poisson_lognormal, EXPONENTIAL, LOGNORMAL, 50, 2000)
SIMPLE(constant_pareto, CONSTANT, PARETO, 30, 2000)
SIMPLE(constant_exponential, CONSTANT, EXPONENTIAL, 20, 2000)
SIMPLE(lognormal_constant, LOGNORMAL, CONSTANT, 50, 2000)
SIMPLE(poisson_pareto, EXPONENTIAL, PARETO, 50, 2000)
SIMPLE(overlap, EXPONENTIAL, EXPONENTIAL, 10, 30)
SIMPLE(lognormal_lognormal, LOGNORMAL, LOGNORMAL, 100, 5000)

// Iterations of a program: messages of back-to-back packets, apart by what computes in between;
// then a silence.
static void put_iterations(struct making *making, struct tr_random *random, enum law apart,
			   enum law silence)
{
	struct plan message = plan_of(random, CONSTANT, CONSTANT, 1, 1);
	const double apart_ns = message.gap_ns * between(random, 20, 200),
		     silence_ns = apart_ns * between(random, 20, 200);
	const double messages = between(random, 3, 20);
	double at_ns = 0;

	message.burst_packets = between(random, 3, 30);
	for (unsigned b = 0; b < message.bursts && making->count + 2000 < BURST_TRAIN_MOST; b++) {
		const size_t burst = making->bursts;

		for (unsigned m = 2 + (unsigned)exponential(random, messages - 2); m > 0; m--)
			at_ns = put_burst(making, &message, at_ns, burst) +
				draw(random, apart, apart_ns);
		at_ns += draw(random, silence, silence_ns);
	}
}

static void make_iterations(struct making *making, struct tr_random *random)
{
	put_iterations(making, random, UNIFORM, UNIFORM);
}
KIND(iterations)

static void make_iterations_drawn(struct making *making, struct tr_random *random)
{
	put_iterations(making, random, EXPONENTIAL, LOGNORMAL);
}
KIND(iterations_drawn)

// Hosts that begin together, but for a jitter, send a burst each, and wait for one another.
static void make_hosts_together(struct making *making, struct tr_random *random)
{
	const struct plan plan = plan_of(random, UNIFORM, UNIFORM, 50, 1000);
	const unsigned hosts = 2 + (unsigned)tr_random_below(random, 15);
	double at_ns = 0;

	for (unsigned b = 0; b < plan.bursts && making->count + 4000 < BURST_TRAIN_MOST; b++) {
		const size_t burst = making->bursts;
		double end_ns = at_ns;

		for (unsigned host = 0; host < hosts; host++)
			end_ns = fmax(end_ns,
				      put_burst(making, &plan,
						at_ns + exponential(random, 3 * plan.gap_ns),
						burst));
		at_ns = end_ns + draw(random, plan.silence, plan.gap_ns * plan.ratio);
	}
}
KIND(hosts_together)

// Hosts that send bursts whenever they want, few enough that there is silence.
static void make_hosts_apart(struct making *making, struct tr_random *random)
{
	struct plan plan = plan_of(random, UNIFORM, EXPONENTIAL, 1, 1);
	const unsigned hosts = 2 + (unsigned)tr_random_below(random, 4);

	plan.ratio = hosts * plan.burst_packets * between(random, 2, 20);
	plan.bursts = 20 + plan.bursts / hosts;
	for (unsigned host = 0; host < hosts; host++) {
		double at_ns = exponential(random, plan.gap_ns * plan.ratio);

		for (unsigned b = 0; b < plan.bursts && making->count + 1000 < BURST_TRAIN_MOST;
		     b++)
			at_ns = put_burst(making, &plan, at_ns, making->bursts) +
				exponential(random, plan.gap_ns * plan.ratio);
	}
}
KIND(hosts_apart)

// Packets of others at any time, on average so many in a silence.
static void put_noise(struct making *making, struct tr_random *random, double in_silence)
{
	const struct plan plan = plan_of(random, UNIFORM, UNIFORM, 100, 3000);
	const double end_ns = put_bursts(making, &plan),
		     mean_ns = plan.gap_ns * plan.ratio / in_silence;

	for (double at_ns = exponential(random, mean_ns); at_ns < end_ns;
	     at_ns += exponential(random, mean_ns))
		put(making, at_ns, making->bursts);
}

static void make_some_noise(struct making *making, struct tr_random *random)
{
	put_noise(making, random, between(random, .1, 1));
}
KIND(some_noise)

static void make_more_noise(struct making *making, struct tr_random *random)
{
	put_noise(making, random, between(random, 1, 4));
}
KIND(more_noise)

// Transfers of TCP: flights of segments, which double up to a limit, one a round trip, and an
// acknowledgement for each second segment half a round trip later, which clocks the next; then a
// pause.
static void put_transfers(struct making *making, struct tr_random *random, enum law pause,
			  unsigned first_flight)
{
	const double segment_ns = between(random, 1e3, 1e5),
		     trip_ns = segment_ns * between(random, 10, 300);
	const double pause_ns = trip_ns * between(random, 20, 500);
	const unsigned limit = 8 + (unsigned)tr_random_below(random, 57);
	double at_ns = 0;

	for (unsigned b = 0; b < 300 && making->count + 4000 < BURST_TRAIN_MOST; b++) {
		const size_t burst = making->bursts;
		unsigned left = 10 + (unsigned)exponential(random, 150), flight = first_flight;

		while (left > 0) {
			const unsigned now = flight < left ? flight : left;

			for (unsigned i = 0; i < now; i++) {
				put(making, at_ns + i * segment_ns, burst);
				if (i % 2 || i + 1 == now)
					put(making,
					    at_ns + i * segment_ns +
						    trip_ns * (.5 + .02 * tr_random_unit(random)),
					    burst);
			}
			left -= now;
			at_ns += fmax(trip_ns, now * segment_ns);
			flight = 2 * flight < limit ? 2 * flight : limit;
		}
		at_ns += draw(random, pause, pause_ns);
	}
}

static void make_transfers(struct making *making, struct tr_random *random)
{
	put_transfers(making, random, UNIFORM, 16);
}
KIND(transfers)

static void make_transfers_slow_start(struct making *making, struct tr_random *random)
{
	put_transfers(making, random, EXPONENTIAL, 2);
}
KIND(transfers_slow_start)

// ---- trains without bursts: independent gaps of one law, all in one

static void put_one(struct making *making, struct tr_random *random, enum law law, double tick_ns)
{
	const double gap_ns = between(random, 2e3, 2e7);
	double at_ns = 0;

	for (unsigned i = (unsigned)between(random, 300, 30000); i > 0; i--) {
		put(making, floor(at_ns / tick_ns) * tick_ns, 0);
		at_ns += draw(random, law, gap_ns);
	}
}

#define ONE(name, law, tick_ns) \
	static void make_##name(struct making *making, struct tr_random *random) \
	{ \
		put_one(making, random, law, tick_ns); \
	} \
	KIND(name)

ONE(poisson, EXPONENTIAL, 1)
ONE(rate, CONSTANT, 1)
ONE(jitter, UNIFORM, 1)
ONE(lognormal, LOGNORMAL, 1)
ONE(microseconds, EXPONENTIAL, 1000)
ONE(pareto, PARETO, 1)

// Each host sends at a constant rate of its own.
static void make_rates(struct making *making, struct tr_random *random)
{
	const unsigned hosts = 2 + (unsigned)tr_random_below(random, 15);
	const double gap_ns = between(random, 2e4, 2e7),
		     end_ns = gap_ns * between(random, 100, 2000);

	for (unsigned host = 0; host < hosts; host++) {
		const double own_ns = gap_ns * between(random, 1, 3);

		for (double at_ns = own_ns * tr_random_unit(random); at_ns < end_ns;
		     at_ns += own_ns)
			put(making, at_ns, 0);
	}
}
KIND(rates)

// Poisson packets whose rate swings threefold, as over a day.
static void make_swing(struct making *making, struct tr_random *random)
{
	const double gap_ns = between(random, 2e3, 2e7),
		     turn_ns = gap_ns * between(random, 100, 3000);
	double at_ns = 0;

	for (unsigned i = (unsigned)between(random, 1000, 30000); i > 0; i--) {
		put(making, at_ns, 0);
		at_ns += exponential(random,
				     gap_ns * pow(3, sin(2 * acos(-1) * at_ns / turn_ns) / 2));
	}
}
KIND(swing)

const struct burst_kind burst_kinds[] = {
	{"constant gaps and silences", false, false, draw_constant},
	{"jittered gaps, exponential silences", false, false, draw_jitter_exponential},
	{"Poisson bursts, exponential silences", false, false, draw_poisson_exponential},
	{"Poisson bursts, lognormal silences", false, false, draw_poisson_lognormal},
	{"constant gaps, Pareto silences", false, false, draw_constant_pareto},
	{"messages in iterations", false, false, draw_iterations},
	{"hosts in step", false, false, draw_hosts_together},
	{"some noise in silences", false, false, draw_some_noise},
	{"TCP transfers", false, false, draw_transfers},
	{"none: Poisson", false, true, draw_poisson},
	{"none: constant rate", false, true, draw_rate},
	{"none: lognormal gaps", false, true, draw_lognormal},
	{"none: several constant rates", false, true, draw_rates},
	{"constant gaps, exponential silences", true, false, draw_constant_exponential},
	{"lognormal gaps, constant silences", true, false, draw_lognormal_constant},
	{"Poisson bursts, Pareto silences", true, false, draw_poisson_pareto},
	{"Poisson bursts, silences 10 to 30 gaps", true, false, draw_overlap},
	{"lognormal gaps and silences", true, false, draw_lognormal_lognormal},
	{"drawn messages in iterations", true, false, draw_iterations_drawn},
	{"hosts each for itself", true, false, draw_hosts_apart},
	{"more noise in silences", true, false, draw_more_noise},
	{"TCP transfers from slow start", true, false, draw_transfers_slow_start},
	{"none: Poisson, clock of 1 us", true, true, draw_microseconds},
	{"none: jittered rate", true, true, draw_jitter},
	{"none: Poisson, rate swings threefold", true, true, draw_swing},
	{"none: Pareto gaps", true, true, draw_pareto},
};
const size_t burst_kind_count = sizeof(burst_kinds) / sizeof(*burst_kinds);

struct burst_train *burst_train_new(const struct burst_kind *kind, unsigned n)
{
	struct burst_train *train = calloc(1, sizeof(*train));
	struct tr_random random;

	if (!train)
		return NULL;
	tr_random_open(&random, 1 + n, kind->name);
	kind->draw(&random, train);
	return train;
}
