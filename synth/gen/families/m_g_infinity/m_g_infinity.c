// SPDX-License-Identifier: GPL-3.0-or-later
// M/G/infinity sessions (Cox 1984; Parulekar and Makowski 1997, see processes.h): their text and
// their packets.
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/processes.h"
#include "gen/law.h"
#include "value/heap.h"

// Limit of simultaneous sessions: 12 standard deviations of a Poisson number, and 64.
#define ROOM(mean) ((mean) + 12 * sqrt(mean) + 64)

static const struct model_field fields[] = {
	{"session-gap", MODEL_TIME, offsetof(struct m_g_infinity, session_gap_s), true, 1e-9, 1e9,
	 NULL},
	{"session", MODEL_TIME, offsetof(struct m_g_infinity, session.mean), true, 1e-9, 1e9, NULL},
	LAW_FIELDS("session"),
	{"inter-packet", MODEL_TIME, offsetof(struct m_g_infinity, packet_gap_s), true, 1e-12, 1e9,
	 NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

// A source: the ends of its sessions as a heap, the soonest first.
struct sessions {
	const struct draw_tables *tables;
	struct law_plan length; // ticks
	double *ends;
	size_t count, room;
	double now, begins, stop; // ticks: the last packet or event, the next session's begin, the
				  // end of the requested time
	double session_gap, packet_gap; // ticks
};

static double mean_sessions(const struct m_g_infinity *parameters)
{
	return parameters->session.mean / parameters->session_gap_s;
}

static enum tr_status m_g_infinity_get(void *parameters, const struct model *model,
				       const char *section, struct tr_error *err)
{
	struct m_g_infinity *sessions = parameters;
	enum tr_status status = law_get(model, section, "session", LAW_TIMES, &sessions->session,
					err);

	if (status == TR_OK && mean_sessions(sessions) > M_G_INFINITY_SESSIONS_MAX)
		status = model_fail(model, model_find(model, section, "session"), err,
				    "session: %.3g sessions at a time exceed %.3g",
				    mean_sessions(sessions), M_G_INFINITY_SESSIONS_MAX);
	if (status != TR_OK)
		law_clear(&sessions->session);
	return status;
}

static void m_g_infinity_put(const void *parameters, struct model *model)
{
	law_put(model, "session", LAW_TIMES, &((const struct m_g_infinity *)parameters)->session,
		LAW_EXPONENTIAL);
}

static void m_g_infinity_clear(void *parameters)
{
	law_clear(&((struct m_g_infinity *)parameters)->session);
}

static double m_g_infinity_rate(const void *parameters)
{
	const struct m_g_infinity *sessions = parameters;

	return mean_sessions(sessions) / sessions->packet_gap_s;
}

// A session of length S sends a Poisson number of packets with mean S over their gap: the variance
// of a Poisson sum of such numbers is their second moment, so the ratio to the mean is 1 + E S^2/(E
// S gap).
static double dispersion_m_g_infinity(const void *parameters)
{
	const struct m_g_infinity *sessions = parameters;
	double variation = NAN;
	struct law_plan length;

	if (law_plan_make(&length, &sessions->session, 1, NULL) == TR_OK)
		variation = law_variation(&length);
	law_plan_clear(&length);
	return 1 + sessions->session.mean * (1 + variation) / sessions->packet_gap_s;
}

static double m_g_infinity_hurst(const void *parameters)
{
	const double tail = law_tail(&((const struct m_g_infinity *)parameters)->session);

	return tail < 2 ? (3 - tail) / 2 : 0;
}

static void m_g_infinity_explain(const void *parameters, FILE *out)
{
	const struct m_g_infinity *sessions = parameters;
	char gap[MODEL_NUMBER_BYTES], length[MODEL_NUMBER_BYTES], packet[MODEL_NUMBER_BYTES],
		law[LAW_DESCRIPTION_BYTES];

	fprintf(out,
		"A session starts every %s on average and lasts %s (%s), so %.4g are active at a "
		"time. Each sends\n    a packet every %s on average. Starts and packets are "
		"Poisson processes.\n",
		model_format(MODEL_TIME, sessions->session_gap_s, gap),
		model_format(MODEL_TIME, sessions->session.mean, length),
		law_describe(&sessions->session, law), mean_sessions(sessions),
		model_format(MODEL_TIME, sessions->packet_gap_s, packet));
	if (m_g_infinity_hurst(parameters) > 0)
		fprintf(out,
			"    Over times beyond a session's the packets are self-similar with H = "
			"%.4g.\n",
			m_g_infinity_hurst(parameters));
}

static bool ends_before(const double *a, const double *b)
{
	return *a < *b;
}

HEAP(session_end, double, ends_before);

static void m_g_infinity_push(struct sessions *s, double end)
{
	if (s->count < s->room)
		session_end_put(s->ends, s->count++, end);
}

// A Poisson number of sessions is in progress, each at a random time of its life.
static enum tr_status m_g_infinity_start(void *state, const void *parameters,
					 const struct arrival_settings *settings,
					 struct tr_random *random, struct tr_error *err)
{
	const struct m_g_infinity *sessions = parameters;
	const double mean = mean_sessions(sessions), unit = settings->ticks_per_s;
	struct sessions *s = state;

	*s = (struct sessions){.tables = settings->tables,
			       .room = (size_t)ROOM(mean),
			       .stop = (double)settings->end_ticks,
			       .session_gap = sessions->session_gap_s * unit,
			       .packet_gap = sessions->packet_gap_s * unit};
	s->ends = calloc(s->room, sizeof(*s->ends));
	if (!s->ends)
		return tr_no_memory(err, "%zu sessions", s->room);
	if (law_plan_make(&s->length, &sessions->session, unit, err) != TR_OK)
		return TR_ERROR;
	for (double sum = draw_exponential(s->tables, random); sum < mean;
	     sum += draw_exponential(s->tables, random))
		m_g_infinity_push(s, law_rest(&s->length, s->tables, random));
	s->begins = s->session_gap * draw_exponential(s->tables, random);
	return TR_OK;
}

// The packets of n sessions are one Poisson process until a session ends or begins.
static double m_g_infinity_next(void *state, struct tr_random *random)
{
	struct sessions *s = state;
	const double before = s->now;

	while (s->now < s->stop) {
		const bool ends = s->count > 0 && s->ends[0] < s->begins;
		const double event = ends ? s->ends[0] : s->begins;

		if (s->count > 0) {
			const double gap = s->packet_gap / (double)s->count *
					   draw_exponential(s->tables, random);

			if (s->now + gap < event) {
				s->now += gap;
				return s->now - before;
			}
		}
		s->now = event;
		if (ends) {
			(void)session_end_take(s->ends, --s->count);
			continue;
		}
		m_g_infinity_push(s, event + law_draw(&s->length, s->tables, random));
		s->begins = event + s->session_gap * draw_exponential(s->tables, random);
	}
	return INFINITY;
}

static void m_g_infinity_stop(void *state)
{
	struct sessions *s = state;

	law_plan_clear(&s->length);
	free(s->ends);
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct m_g_infinity),
	.get = m_g_infinity_get,
	.put = m_g_infinity_put,
	.clear = m_g_infinity_clear,
	.rate = m_g_infinity_rate,
	.dispersion = dispersion_m_g_infinity,
	.hurst = m_g_infinity_hurst,
	.explain = m_g_infinity_explain,
	.state_bytes = sizeof(struct sessions),
	.start = m_g_infinity_start,
	.next = m_g_infinity_next,
	.stop = m_g_infinity_stop,
};

const struct family m_g_infinity_family = {
	.name = "m-g-infinity",
	.summary = "Poisson sessions of any distribution of length",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &m_g_infinity_fitting,
};
