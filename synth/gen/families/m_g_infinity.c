// SPDX-License-Identifier: GPL-3.0-or-later
// M/G/infinity sessions (Cox 1984; Parulekar and Makowski 1997, see processes.h): their text, their packets and their fit.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/processes.h"
#include "gen/arrivals/replicas.h"
#include "gen/families/family.h"
#include "gen/law.h"

// Limit of simultaneous sessions: 12 standard deviations of a Poisson number, and 64.
#define ROOM(mean) ((mean) + 12 * sqrt(mean) + 64)

static const struct model_field fields[] = {
	{"session-gap", MODEL_TIME, offsetof(struct m_g_infinity, session_gap_s), true, 1e-9, 1e9, NULL},
	{"session", MODEL_TIME, offsetof(struct m_g_infinity, session.mean), true, 1e-9, 1e9, NULL},
	LAW_FIELDS("session"),
	{"inter-packet", MODEL_TIME, offsetof(struct m_g_infinity, packet_gap_s), true, 1e-12, 1e9, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

// A source: the ends of its sessions as a heap, the soonest first.
struct sessions {
	const struct draw_tables *tables;
	struct law_plan length; // ticks
	double *ends;
	size_t count, room;
	double now, begins, stop; // ticks: the last packet or event, the next session's begin, the end of the requested time
	double session_gap, packet_gap; // ticks
};

static double mean_sessions(const struct m_g_infinity *parameters)
{
	return parameters->session.mean / parameters->session_gap_s;
}

static enum tr_status get(void *parameters, const struct model *model, const char *section, struct tr_error *err)
{
	struct m_g_infinity *sessions = parameters;
	enum tr_status status = law_get(model, section, "session", LAW_TIMES, &sessions->session, err);

	if (status == TR_OK && mean_sessions(sessions) > M_G_INFINITY_SESSIONS_MAX)
		status = model_fail(model, model_find(model, section, "session"), err,
				    "session: %.3g sessions at a time exceed %.3g", mean_sessions(sessions),
				    M_G_INFINITY_SESSIONS_MAX);
	if (status != TR_OK)
		law_clear(&sessions->session);
	return status;
}

static void put(const void *parameters, struct model *model)
{
	law_put(model, "session", LAW_TIMES, &((const struct m_g_infinity *)parameters)->session, LAW_EXPONENTIAL);
}

static void clear(void *parameters)
{
	law_clear(&((struct m_g_infinity *)parameters)->session);
}

static double rate(const void *parameters)
{
	const struct m_g_infinity *sessions = parameters;

	return mean_sessions(sessions) / sessions->packet_gap_s;
}

// A session of length S sends a Poisson number of packets with mean S over their gap: the variance of a Poisson sum of such
// numbers is their second moment, so the ratio to the mean is 1 + E S^2/(E S gap).
static double dispersion(const void *parameters)
{
	const struct m_g_infinity *sessions = parameters;
	double variation = NAN;
	struct law_plan length;

	if (law_plan_make(&length, &sessions->session, 1, NULL) == TR_OK)
		variation = law_variation(&length);
	law_plan_clear(&length);
	return 1 + sessions->session.mean * (1 + variation) / sessions->packet_gap_s;
}

static double hurst(const void *parameters)
{
	const struct law *session = &((const struct m_g_infinity *)parameters)->session;

	return session->name == LAW_PARETO && session->shape < 2 ? (3 - session->shape) / 2 : 0;
}

static void explain(const void *parameters, FILE *out)
{
	const struct m_g_infinity *sessions = parameters;
	char gap[MODEL_NUMBER_BYTES], length[MODEL_NUMBER_BYTES], packet[MODEL_NUMBER_BYTES], law[LAW_DESCRIPTION_BYTES];

	fprintf(out,
		"A session starts every %s on average and lasts %s (%s), so %.4g are active at a time. Each sends\n    a packet every %s on average. Starts and packets are Poisson processes.\n",
		model_format(MODEL_TIME, sessions->session_gap_s, gap),
		model_format(MODEL_TIME, sessions->session.mean, length), law_describe(&sessions->session, law),
		mean_sessions(sessions), model_format(MODEL_TIME, sessions->packet_gap_s, packet));
	if (hurst(parameters) > 0)
		fprintf(out, "    Over times beyond a session's the packets are self-similar with H = %.4g.\n",
			hurst(parameters));
}

static void push(struct sessions *s, double end)
{
	size_t at = s->count;

	if (at == s->room)
		return;
	s->count++;
	for (; at > 0 && s->ends[(at - 1) / 2] > end; at = (at - 1) / 2)
		s->ends[at] = s->ends[(at - 1) / 2];
	s->ends[at] = end;
}

static void pop(struct sessions *s)
{
	const double end = s->ends[--s->count];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= s->count)
			break;
		if (child + 1 < s->count && s->ends[child + 1] < s->ends[child])
			child++;
		if (s->ends[child] >= end)
			break;
		s->ends[at] = s->ends[child];
		at = child;
	}
	s->ends[at] = end;
}

// A Poisson number of sessions is in progress, each at a random time of its life.
static enum tr_status start(void *state, const void *parameters, const struct arrival_settings *settings,
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
	for (double sum = draw_exponential(s->tables, random); sum < mean; sum += draw_exponential(s->tables, random))
		push(s, law_rest(&s->length, s->tables, random));
	s->begins = s->session_gap * draw_exponential(s->tables, random);
	return TR_OK;
}

// The packets of n sessions are one Poisson process until a session ends or begins.
static double next(void *state, struct tr_random *random)
{
	struct sessions *s = state;
	const double before = s->now;

	while (s->now < s->stop) {
		const bool ends = s->count > 0 && s->ends[0] < s->begins;
		const double event = ends ? s->ends[0] : s->begins;

		if (s->count > 0) {
			const double gap = s->packet_gap / (double)s->count * draw_exponential(s->tables, random);

			if (s->now + gap < event) {
				s->now += gap;
				return s->now - before;
			}
		}
		s->now = event;
		if (ends) {
			pop(s);
			continue;
		}
		push(s, event + law_draw(&s->length, s->tables, random));
		s->begins = event + s->session_gap * draw_exponential(s->tables, random);
	}
	return INFINITY;
}

static void stop(void *state)
{
	struct sessions *s = state;

	law_plan_clear(&s->length);
	free(s->ends);
}

// Two gaps, the mean length, and the law, with its shape if any.
static unsigned freedom(const void *parameters)
{
	return ((const struct m_g_infinity *)parameters)->session.name == LAW_EXPONENTIAL ? 4 : 5;
}

#define WINDOWS_LEAST 32    // of the longest time
#define SESSIONS_MOST 1e5   // at a time
#define PACKETS_LEAST 0.1   // per session, on average: fewer cannot be told from independent packets
#define TIME_LEAST_S 1.1e-9 // of sessions and between their begins: the least time in a model text is a nanosecond
#define DIGITS 6
#define SHAPE_COSTS 4.0 // reduction of the weighted squares required of a law with a shape

// Partial moments of a session's length L at t: below of order k, E(L^k; L < t), and above, E(L^k; L >= t).
struct partial {
	double below2, below3, above0, above1;
};

static struct partial partial_exponential(double mean, double t)
{
	const double x = t / mean, e = exp(-x);

	return (struct partial){.below2 = mean * mean * (2 - e * (x * x + 2 * x + 2)),
				.below3 = mean * mean * mean * (6 - e * (x * x * x + 3 * x * x + 6 * x + 6)),
				.above0 = e,
				.above1 = mean * e * (x + 1)};
}

// Integral of a b^a x^(k - 1 - a) from b to t.
static double pareto_power(double a, double least, double t, double k)
{
	const double by = k - a;

	return a * pow(least, k) * (fabs(by) < 1e-9 ? log(t / least) : expm1(by * log(t / least)) / by);
}

static struct partial partial_pareto(double mean, double a, double t)
{
	const double least = mean * (a - 1) / a;

	if (t <= least)
		return (struct partial){.above0 = 1, .above1 = mean};
	return (struct partial){.below2 = pareto_power(a, least, t, 2),
				.below3 = pareto_power(a, least, t, 3),
				.above0 = pow(t / least, -a),
				.above1 = mean * pow(t / least, 1 - a)};
}

static struct partial partial_lognormal(double mean, double deviation, double t)
{
	const double s = deviation, m = log(mean) - s * s / 2, z = (log(t) - m) / s;

	return (struct partial){.below2 = exp(2 * m + 2 * s * s) * gsl_cdf_ugaussian_P(z - 2 * s),
				.below3 = exp(3 * m + 4.5 * s * s) * gsl_cdf_ugaussian_P(z - 3 * s),
				.above0 = gsl_cdf_ugaussian_P(-z),
				.above1 = mean * gsl_cdf_ugaussian_P(s - z)};
}

// The covariance of the number of sessions decays as R(u), the integral of P(L > x) over x > u; the counts' variance has the
// integral of (t - u) R(u) over 0 .. t, which for a session of length l is l^2 t/2 - l^3/6, or t^2 l/2 - t^3/6 for l > t.
double m_g_infinity_dispersion(const struct m_g_infinity *parameters, double t_s)
{
	const double mean = parameters->session.mean, shape = parameters->session.shape, t = t_s;
	struct partial part;

	switch (parameters->session.name) {
	case LAW_EXPONENTIAL: part = partial_exponential(mean, t); break;
	case LAW_PARETO: part = partial_pareto(mean, shape, t); break;
	case LAW_LOGNORMAL: part = partial_lognormal(mean, shape, t); break;
	default: return NAN;
	}
	const double doubled = part.below2 * t / 2 - part.below3 / 6 + t * t * part.above1 / 2 - t * t * t * part.above0 / 6;

	return 1 + 2 * doubled / (parameters->packet_gap_s * mean * t);
}

// The search space: the logarithms of the packets' gap and the session's length, and the shape.
#define SOUGHT 3
#define SHAPE_LEAST 1.02 // of Pareto's law
#define LENGTH_MOST 10	 // of a session, relative to the longest time examined
#define SHAPE_STEP 1e-3	 // from its bound
struct search {
	const struct count_dispersion *seen;
	enum law_name law;
	double low[SOUGHT], high[SOUGHT];
};

static struct m_g_infinity parameters_at(const struct search *search, const double at[SOUGHT])
{
	return (struct m_g_infinity){.packet_gap_s = exp(at[0]),
				     .session_gap_s = exp(at[1] - at[0]) / search->seen->rate,
				     .session = {.name = search->law, .mean = exp(at[1]), .shape = at[2]}};
}

// Weighted squares: the log of a variance estimated from n windows has itself a variance of about 2/n.
static double squares(const struct search *search, const double at[SOUGHT])
{
	const struct m_g_infinity parameters = parameters_at(search, at);
	const struct count_dispersion *seen = search->seen;
	double sum = 0;

	if (parameters.session.mean < PACKETS_LEAST * parameters.packet_gap_s || parameters.session.mean < TIME_LEAST_S ||
	    parameters.session_gap_s < TIME_LEAST_S)
		return INFINITY;
	for (size_t i = 0; i < seen->count; i++) {
		const double off = log(seen->index[i] / m_g_infinity_dispersion(&parameters, seen->t_s[i]));

		sum += off * off * seen->windows[i] / (2 + seen->windows[i] * 1e-4);
	}
	return isnan(sum) ? INFINITY : sum;
}

// Whether a step along an axis is better: then it is taken.
static bool try_step(const struct search *search, double at[SOUGHT], int axis, double step, double *best)
{
	const double before = at[axis];
	double value;

	if (before + step < search->low[axis] || before + step > search->high[axis])
		return false;
	at[axis] += step;
	value = squares(search, at);
	if (value < *best) {
		*best = value;
		return true;
	}
	at[axis] = before;
	return false;
}

// Pattern search: steps along each axis, halved when none is better (Hooke and Jeeves).
static double descend(const struct search *search, double at[SOUGHT])
{
	double step[SOUGHT] = {1, 1, search->law == LAW_EXPONENTIAL ? 0 : 0.3}, best = squares(search, at);

	for (int round = 0; round < 2000 && step[0] > 1e-4; round++) {
		bool better = false;

		for (int k = 0; k < SOUGHT; k++)
			better |= step[k] > 0 &&
				  (try_step(search, at, k, step[k], &best) || try_step(search, at, k, -step[k], &best));
		for (int k = 0; k < SOUGHT && !better; k++)
			step[k] /= 2;
	}
	return best;
}

// Searches from several starts; the best is left in at.
static double search_law(const struct count_dispersion *seen, enum law_name law, double at[SOUGHT])
{
	const double first = seen->t_s[0], last = seen->t_s[seen->count - 1];
	const struct search search = {seen,
				      law,
				      {log(first * 0.02), log(first * 0.1), law == LAW_PARETO ? SHAPE_LEAST : 0.1},
				      {log(fmin(last * 100, SESSIONS_MOST / seen->rate)), log(last * LENGTH_MOST), 4}};
	double best = INFINITY;

	for (int i = 0; i < 6; i++) {
		double from[SOUGHT] = {log(first) + (i % 2) * 0.5 * log(last / first),
				       log(first) + (i / 2) * 0.4 * log(last / first), 1.5};
		const double reached = descend(&search, from);

		if (reached >= best)
			continue;
		best = reached;
		for (int k = 0; k < SOUGHT; k++)
			at[k] = from[k];
	}
	return best;
}

// Indices of the fields with notes, in the kind's table.
enum { OF_SESSION_GAP = 0, OF_SESSION = 1, OF_PACKET_GAP = 4 };

static unsigned values(const void *parameters, double out[REPLICAS_VALUES_MAX])
{
	const struct m_g_infinity *sessions = parameters;

	out[0] = log(sessions->session_gap_s);
	out[1] = log(sessions->session.mean);
	out[2] = log(sessions->packet_gap_s);
	out[3] = log(sessions->session.shape);
	return sessions->session.name == LAW_EXPONENTIAL ? 3 : 4;
}

static enum tr_status find_intervals(const struct m_g_infinity *sessions, const struct arrival_sample *sample,
				     struct arrival_notes *notes, struct tr_error *err)
{
	double ends[4][2] = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
	char *of_session = notes->field[OF_SESSION], shape[MODEL_INTERVAL_BYTES];

	if (replicas_intervals(&m_g_infinity_family, sessions, sample, values, ends, err) != TR_OK)
		return TR_ERROR;
	(void)model_interval(MODEL_TIME, exp(ends[0][0]), exp(ends[0][1]), sample->level, notes->field[OF_SESSION_GAP]);
	(void)model_interval(MODEL_TIME, exp(ends[1][0]), exp(ends[1][1]), sample->level, of_session);
	(void)model_interval(MODEL_TIME, exp(ends[2][0]), exp(ends[2][1]), sample->level, notes->field[OF_PACKET_GAP]);
	if (isfinite(ends[3][0])) {
		const size_t used = strlen(of_session);

		(void)snprintf(of_session + used, ARRIVAL_NOTE_BYTES - used, ", shape %s",
			       model_range(MODEL_REAL, exp(ends[3][0]), exp(ends[3][1]), shape));
	}
	return TR_OK;
}

// Notes a mean beyond what the trace shows, or a law whose mean is nearly infinite.
static void note_bound(const struct m_g_infinity *out, const struct count_dispersion *seen, struct arrival_notes *notes)
{
	const double longest_s = LENGTH_MOST * seen->t_s[seen->count - 1];

	if (out->session.name == LAW_PARETO && out->session.shape < SHAPE_LEAST + SHAPE_STEP)
		(void)snprintf(notes->bound, sizeof(notes->bound), "session-shape is at its bound, %g", SHAPE_LEAST);
	else if (out->session.mean > longest_s * (1 - SHAPE_STEP))
		(void)snprintf(notes->bound, sizeof(notes->bound), "session is at its bound, %.4g s", longest_s);
}

// Fits the rate by the count, the rest by least squares of the logarithm of the dispersion over dyadic times, for the three
// laws above; takes the best. Intervals are from replicas (replicas.h).
static enum tr_status m_g_infinity_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
				       struct tr_error *err)
{
	static const enum law_name laws[] = {LAW_EXPONENTIAL, LAW_PARETO, LAW_LOGNORMAL};
	struct m_g_infinity *out = parameters;
	struct count_dispersion seen;
	double best = INFINITY;

	*out = (struct m_g_infinity){0};
	if (count_dispersion_take(&seen, sample, WINDOWS_LEAST, err) != TR_OK)
		return TR_ERROR;
	if (!(seen.index[seen.count - 1] > 1))
		return tr_fail(err, "counts vary as in a Poisson process: there are no sessions");
	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++) {
		const struct search search = {.seen = &seen, .law = laws[i]};
		double at[SOUGHT] = {0}, reached = search_law(&seen, laws[i], at);

		reached += laws[i] == LAW_EXPONENTIAL ? 0 : SHAPE_COSTS;
		if (reached >= best)
			continue;
		best = reached;
		*out = parameters_at(&search, at);
	}
	if (isinf(best))
		return tr_fail(err, "no sessions give this dispersion");
	if (out->session.name == LAW_EXPONENTIAL)
		out->session.shape = 0;
	out->session.shape = model_settle(MODEL_REAL, out->session.shape, DIGITS);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by moments: the rate, and the dispersion by least squares over %zu times from %.3g s to %.3g s",
		       seen.count, seen.t_s[0], seen.t_s[seen.count - 1]);
	note_bound(out, &seen, notes);
	if (sample->level > 0 && find_intervals(out, sample, notes, err) != TR_OK) {
		*out = (struct m_g_infinity){0};
		return TR_ERROR;
	}
	return TR_OK;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct m_g_infinity),
	.get = get,
	.put = put,
	.clear = clear,
	.rate = rate,
	.dispersion = dispersion,
	.hurst = hurst,
	.explain = explain,
	.state_bytes = sizeof(struct sessions),
	.start = start,
	.next = next,
	.stop = stop,
};

static const struct arrival_fit fitting = {
	.fit = m_g_infinity_fit,
	.freedom = freedom,
};

const struct family m_g_infinity_family = {
	.name = "m-g-infinity",
	.summary = "Poisson sessions of any distribution of length",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
