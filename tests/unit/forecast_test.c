// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of models compared with their output.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gen/families/client_server/client_server.h"
#include "gen/families/family.h"
#include "model_run.h"

#define NANOSECONDS UINT64_C(1000000000)

// What came: packets and bytes, and the variance over the mean of the packets of windows.
struct seen {
	double packets, payload_B, wire_B, dispersion;
};

static struct seen generate(const struct model *model, double duration_s, double window_s)
{
	struct generator_settings settings = {
		.seed = 11, .ticks_per_s = NANOSECONDS, .end_ticks = (int64_t)(duration_s * 1e9)};
	double sum = 0, squares = 0, in_window = 0;
	struct seen seen = {0};
	struct tr_packet packets[500];
	struct generator generator;
	struct tr_error err = {""};
	int64_t window = 0;
	size_t count;

	if (generator_open(&generator, model, &settings, &err) != TR_OK)
		fail_msg("%s", err.text);
	while (generator_next(&generator, packets, 500, &count, &err) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			for (;
			     (double)packets[i].time_ticks >= (double)(window + 1) * window_s * 1e9;
			     window++) {
				sum += in_window;
				squares += in_window * in_window;
				in_window = 0;
			}
			in_window++;
			seen.packets++;
			seen.payload_B += packets[i].payload_bytes;
			seen.wire_B += packets[i].wire_bytes;
		}
	generator_close(&generator);
	seen.dispersion = (squares - sum * sum / (double)window) / ((double)window - 1) /
			  (sum / (double)window);
	return seen;
}

// Within 2 % of the packets and bytes, 10 % of the dispersion: of 2,000 windows its deviation is 3
// %.
static void check(const char *text, double duration_s)
{
	const struct family *family;
	struct forecast forecast;
	struct model model;
	struct tr_error err = {""};

	model_of_text(&model, text);
	assert_int_equal(family_of(&model, &family, &err), TR_OK);
	assert_non_null(family->generator->forecast);
	if (family->generator->forecast(&model, &forecast, &err) != TR_OK)
		fail_msg("%s", err.text);
	const struct seen seen = generate(&model, duration_s, duration_s / 2000);
	const struct forecast_total total = forecast_total(&forecast);

	if (!(fabs(seen.packets / duration_s / total.packets_per_s - 1) < 0.02))
		fail_msg("%s: %g packets/s for %g", text, seen.packets / duration_s,
			 total.packets_per_s);
	assert_true(fabs(8 * seen.payload_B / duration_s / total.payload_bps - 1) < 0.02);
	assert_true(fabs(8 * seen.wire_B / duration_s / total.wire_bps - 1) < 0.02);
	if (isfinite(total.dispersion) && forecast.hurst == 0.5 &&
	    !(fabs(seen.dispersion - total.dispersion) < 0.1 * total.dispersion + 0.02))
		fail_msg("%s: dispersion %g for %g", text, seen.dispersion, total.dispersion);
	forecast_clear(&forecast);
	model_clear(&model);
}

#define PULSE \
	MODEL_FIRST_LINE "\nfamily pulse-train\nnodes 4\n[controller data]\nsilence 10 " \
			 "ms\npulses 9\ninter-pulse 2 ms\n" \
			 "size-mean 8204.57 B\nsize-variance 18461061 B^2\nheader 82 B\n[worker " \
			 "data]\nsilence 30 ms\n" \
			 "pulses 3.5\ninter-pulse 1 ms\nsize-mean 67 B\nsize-variance 154449 " \
			 "B^2\nsize-floor 40 B\n" \
			 "[worker overhead]\nsilence 5 ms\npulses 1\ninter-pulse 1 ms\nsize-mean " \
			 "100 B\nsize-variance 0 B^2\n"

static void pulse_trains(void **state)
{
	char text[1000] = MODEL_FIRST_LINE "\nsilence-from burst-start\n";

	(void)state;
	check(PULSE, 1000);
	strncat(text, strchr(PULSE, '\n') + 1, sizeof(text) - strlen(text) - 1);
	check(text, 1000);
}

static void pulse_trains_of_other_laws(void **state)
{
	(void)state;
	check(MODEL_FIRST_LINE
	      "\nfamily pulse-train\nnodes 4\n[worker data]\nsilence 10 ms\nsilence-law lognormal "
	      "0.8\n"
	      "pulses 4\npulses-law uniform\ninter-pulse 2 ms\ninter-pulse-law gamma 3\n"
	      "size-mean 500 B\nsize-variance 100 B^2\nsizes empirical\nbin 3 x exponential 300 B "
	      "from 40 B\n"
	      "bin 1 x normal 1400 B 50 B cut 1460 B\n",
	      1000);
	check(MODEL_FIRST_LINE
	      "\nfamily pulse-train\nnodes 4\n[worker data]\nsilence 10 ms\nsilence-law constant\n"
	      "pulses 2.4\npulses-law constant\ninter-pulse 2 ms\ninter-pulse-law uniform\n"
	      "size-floor 40 B\nsize-mean 500 B\nsize-variance 100 B^2\n",
	      1000);
	check(MODEL_FIRST_LINE
	      "\nfamily pulse-train\nnodes 4\n[worker data]\nsilence 10 ms\nsilence-law uniform\n"
	      "pulses 6\npulses-law weibull 1.5\ninter-pulse 2 ms\ninter-pulse-law empirical\n"
	      "inter-pulse-bin 5 x 1 ms\ninter-pulse-bin 3 x 5 ms .. 9 ms\n"
	      "size-floor 40 B\nsize-mean 500 B\nsize-variance 100 B^2\n",
	      1000);
}

#define STREAMS_OF(family, size) \
	MODEL_FIRST_LINE "\nfamily " family "\nnodes 3\n[worker data]\nsize " size "\n"
#define STREAMS(family) STREAMS_OF(family, "40 B .. 560 B") // drawn in less time than others

// Long-range dependence is reported with its H, the largest of all sources'; not where a source's
// is not known.
static void hurst_of_streams(void **state)
{
	static const struct {
		const char *text;
		double hurst;
	} cases[] = {
		{STREAMS("m-g-infinity") "session-gap 20 ms\nsession 20 ms\nsession-law pareto "
					 "1.4\ninter-packet 2 ms\n",
		 0.8},
		{STREAMS("m-g-infinity") "session-gap 20 ms\nsession 20 ms\nsession-law pareto "
					 "2.5\ninter-packet 2 ms\n",
		 0.5},
		{STREAMS("renewal") "gap 3 ms\ngap-law pareto 1.5\n[node 2 data]\ngap 1 ms\nsize 4 "
				    "B\n",
		 0.75},
		{STREAMS("batch-poisson") "gap 3 ms\nbatch 2\nbatch-law pareto 1.5\n", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct family *family;
		struct forecast forecast;
		struct model model;
		struct tr_error err;

		model_of_text(&model, cases[i].text);
		assert_int_equal(family_of(&model, &family, &err), TR_OK);
		assert_int_equal(family->generator->forecast(&model, &forecast, &err), TR_OK);
		assert_true(fabs(forecast.hurst - cases[i].hurst) < 1e-12);
		forecast_clear(&forecast);
		model_clear(&model);
	}
}

static void arrival_processes(void **state)
{
	(void)state;
	check(STREAMS_OF("poisson",
			 "pareto 300 B 3.2 from 40 B cut 8192 B") "header 9 B\ngap 3 ms\n[node 2 "
								  "data]\ngap 2 ms\nsize 4 "
								  "B\n[network overhead]\ngap 1 "
								  "ms\nsize 7 B\n",
	      500);
	check(STREAMS("batch-poisson") "gap 3 ms\nbatch 3\nbatch-law uniform\n[pair 0 2 data]\ngap "
				       "5 ms\nbatch 4\nsize 5 B\n",
	      1000);
	check(STREAMS("renewal") "gap 3 ms\ngap-law lognormal 1\n", 1000);
	check(STREAMS("renewal") "gap 3 ms\ngap-law weibull 0.6\n", 1000);
	check(STREAMS("renewal") "gap 3 ms\ngap-law constant\n", 1000);
	check(STREAMS("mmpp") "state 1000 packets/s for 20 ms\nstate 50 packets/s for 100 ms\n",
	      2000);
	check(STREAMS("m-g-infinity") "session-gap 20 ms\nsession 20 ms\ninter-packet 2 ms\n",
	      2000);
	check(STREAMS("m-g-infinity") "session-gap 9 ms\nsession 5 ms\nsession-law lognormal "
				      "1\ninter-packet 1 ms\n",
	      2000);
	check(STREAMS("cascade") "finest 1 ms\npackets 2\nspread 0.5\nsplit 3\nsplit 0.7\n", 500);
	check(MODEL_FIRST_LINE "\nfamily poisson\nnodes 9\ndestinations transpose\n[node "
			       "data]\ngap 3 ms\nsize 64 B\n"
			       "[network overhead]\ngap 1 ms\nsize 7 B\n",
	      500);
	check(MODEL_FIRST_LINE "\nfamily poisson\nnodes 4\ndestinations permutation\nto 0 1 3 "
			       "2\n[node 3 data]\ngap 3 ms\n"
			       "size 64 B\n[network overhead]\ngap 1 ms\nsize 7 B\nfrom 0 50 %\n",
	      500);
	check(STREAMS("map") "d0 - 30 /s\nd0 0 - /s\nd1 0 70 /s\nd1 800 200 /s\n", 1000);
}

#define LOAD \
	MODEL_FIRST_LINE "\nfamily load\nnodes 9\nrate 8 Mb/s\nload 10 %\nheader 8 B\nsize 100 B " \
			 ".. 900 B\n"

static void loads(void **state)
{
	(void)state;
	check(LOAD, 200);
	check(LOAD "arrivals uniform\ndestinations transpose\n", 200);
	check(LOAD "arrivals saturated\n", 60);
	check(LOAD "destinations hot-spot\nhot-share 30 %\nhot-node 8\n", 200);
}

#define ON_OFF \
	MODEL_FIRST_LINE "\nfamily on-off\nnodes 2\nsources 2\nsize 64 B .. 300 B\nheader 8 " \
			 "B\ninter-packet 1 ms\n"

static void sources_on_and_off(void **state)
{
	(void)state;
	check(ON_OFF "on 5 ms\noff 20 ms\n", 1000);
	check(ON_OFF "on 0.3 ms\noff 20 ms\n", 2000);
	check(ON_OFF "on 5 ms\noff 20 ms\non-shape 3.5\n", 1000);
	check(ON_OFF "on 5.5 ms\non-law constant\noff 20 ms\n", 1000);
	check(ON_OFF "on 0.7 ms\non-law gamma 0.5\noff 3 ms\noff-law uniform\n", 1000);
	check(ON_OFF "on 5 ms\non-law empirical\non-bin 5 x 1 ms\non-bin 3 x 5 ms .. 9 ms\noff 2 "
		     "ms\noff-law constant\n",
	      1000);
	check(ON_OFF "on 5 ms\non-law lognormal 1\noff 20 ms\noff-law weibull 0.8\n", 1000);
	check(ON_OFF "on 5 ms\non-law constant\noff 20 ms\noff-law gamma 2\n", 1000);
	check(ON_OFF "on 5 ms\noff 20 ms\noff-shape 1.9\n", 4000);
}

static void clients_and_servers(void **state)
{
	(void)state;
	check(MODEL_FIRST_LINE "\nfamily client-server\nrate 8 Mb/s\nsize 200 B .. 400 B\nheader 8 "
			       "B\nthink 1 ms\n[servers]\nnodes 2\n"
			       "rate 80 Mb/s\nto all 100 %\n[clients]\nnodes 6\nload 20 %\nto "
			       "servers 30 %\nto own 70 %\n",
	      100);
	check(MODEL_FIRST_LINE "\nfamily client-server\nrate 8 Mb/s\nsize 200 B\nheader 8 "
			       "B\n[servers]\nnodes 2\nload 0 %\n"
			       "reply 500 B .. 1500 B\nservice 1 us\n[clients]\nnodes 6\nload 2 "
			       "%\nto servers 100 %\n",
	      200);
	// One client of a server each, so that nobody waits for another's answer.
	check(MODEL_FIRST_LINE
	      "\nfamily client-server\nrate 8 Mb/s\nsize 200 B\nheader 8 B\n[server]\nload 0 %\n"
	      "reply 500 B .. 1500 B\nservice 3 ms\n[client]\nthink 2 ms\nto server 100 %\n",
	      1000);
}

static void traffic_matrices(void **state)
{
	(void)state;
	check(MODEL_FIRST_LINE "\nfamily traffic-matrix\nnodes 5\nsize 200 B .. 400 B\nheader 8 "
			       "B\npair 0 4 2 Mb/s\npair 0 1 1 Mb/s\n"
			       "pair 3 1 0.5 Mb/s\n",
	      200);
	check(MODEL_FIRST_LINE "\nfamily traffic-matrix\nnodes 5\nsize 200 B\nfactor 2\nover 1 "
			       "s\narrivals constant\n"
			       "pair 0 4 200 kB\npair 3 1 100 kB\n",
	      20);
}

// Where clients wait for one another's answers what is said is an approximation: within 6 %.
static void waiting_clients(void **state)
{
	static const char *const texts[] = {
		"[server]\nload 0 %\nreply 1 kB\nservice 3 ms\n[client]\nnodes 4\nthink 10 ms\nto "
		"server 100 %\n",
		"[server]\nload 0 %\nreply 1 kB\nservice 3 ms\n[client]\nnodes 40\nthink 10 ms\nto "
		"server 100 %\n",
		"[server]\nnodes 3\nload 0 %\nreply 1 kB\nservice 3 ms\n[client]\nnodes 8\nthink 5 "
		"ms\nto server 80 %\nto own 20 %\n"
		"[other]\nnodes 5\nthink 20 ms\nto server 100 %\n",
		"[server]\nload 0 %\nreply 1 kB\nservice 3 ms\n[client]\nnodes 4\nthink 10 ms\nto "
		"server 100 %\n"
		"[other]\nnodes 5\nload 0.2 %\nto server 100 %\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct client_server parameters;
		struct model model;
		struct tr_error err = {""};
		char text[1000];

		(void)snprintf(text, sizeof(text),
			       MODEL_FIRST_LINE
			       "\nfamily client-server\nrate 8 Mb/s\nsize 200 B\nheader 8 B\n%s",
			       texts[i]);
		model_of_text(&model, text);
		assert_int_equal(client_server_get(&model, &parameters, &err), TR_OK);
		const struct seen seen = generate(&model, 500, 1);
		double expected = 0;

		client_server_solve(&parameters);
		for (uint32_t c = 0; c < parameters.class_count; c++)
			expected += (double)parameters.classes[c].nodes *
				    (parameters.classes[c].packets_per_s +
				     client_server_asked(&parameters, c));
		assert_true(fabs(seen.packets / 500 / expected - 1) < 0.06);
		client_server_clear(&parameters);
		model_clear(&model);
	}
}

#ifdef FLIT_TRANSFORMS
static void noise(void **state)
{
	(void)state;
	check(MODEL_FIRST_LINE "\nfamily fractional-noise\nnodes 8\ncounts-every 1 ms\npackets "
			       "40\ndispersion 4\nhurst 0.5\n"
			       "size 64 B .. 1500 B\n",
	      100);
	check(MODEL_FIRST_LINE "\nfamily fractional-noise\nnodes 8\ncounts-every 1 ms\npackets "
			       "20\ndispersion 2\nhurst 0.3\n"
			       "size 64 B .. 1500 B\nheader 9 B\n",
	      100);
}
#endif

// Volumes end with the packets where those are fewer.
static void volumes_end_with_the_packets(void **state)
{
	struct forecast forecast = {.duration_s = 10};
	const struct forecast_sender sender = {
		.senders = 2, .packets_per_s = 50, .payload_B = 100, .wire_B = 108};
	struct tr_error err;

	(void)state;
	assert_int_equal(forecast_add(&forecast, &sender, &err), TR_OK);
	struct forecast_volume volume = forecast_volume(&forecast, 0);

	assert_true(volume.packets == 1000 && volume.payload_B == 100000 &&
		    volume.stream_B == 40000);
	volume = forecast_volume(&forecast, 500);
	assert_true(volume.packets == 500 && volume.duration_s == 5);
	volume = forecast_volume(&forecast, 5000);
	assert_true(volume.packets == 1000 && volume.duration_s == 10);
	forecast_clear(&forecast);
}

// Twice as long: half the rates, the same packets.
static void a_stretched_forecast_has_the_same_packets(void **state)
{
	struct forecast forecast;
	struct model model;
	struct tr_error err = {""};

	(void)state;
	model_of_text(&model, LOAD "arrivals constant\nduration 10 s\n");
	assert_int_equal(load_family.generator->forecast(&model, &forecast, &err), TR_OK);
	const struct forecast_total before = forecast_total(&forecast);
	const double packets = forecast_volume(&forecast, 0).packets;

	forecast_stretch(&forecast, 2);
	assert_true(forecast.duration_s == 20);
	assert_true(forecast_total(&forecast).wire_bps == before.wire_bps / 2);
	assert_true(forecast_volume(&forecast, 0).packets == packets);
	forecast_clear(&forecast);
	model_clear(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pulse_trains),
		cmocka_unit_test(pulse_trains_of_other_laws),
		cmocka_unit_test(arrival_processes),
		cmocka_unit_test(hurst_of_streams),
		cmocka_unit_test(loads),
		cmocka_unit_test(sources_on_and_off),
		cmocka_unit_test(clients_and_servers),
		cmocka_unit_test(waiting_clients),
		cmocka_unit_test(traffic_matrices),
#ifdef FLIT_TRANSFORMS
		cmocka_unit_test(noise),
#endif
		cmocka_unit_test(volumes_end_with_the_packets),
		cmocka_unit_test(a_stretched_forecast_has_the_same_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
