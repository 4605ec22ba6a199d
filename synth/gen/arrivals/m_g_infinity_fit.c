// SPDX-License-Identifier: GPL-3.0-or-later
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "gen/arrivals/count_dispersion.h"
#include "gen/arrivals/m_g_infinity.h"
#include "gen/arrivals/replicas.h"

#define WINDOWS_LEAST 32    // of the longest time
#define SESSIONS_MOST 1e5   // at a time
#define PACKETS_LEAST 0.1   // of a session, on average: fewer are not told from packets by chance
#define TIME_LEAST_S 1.1e-9 // of sessions and between their begins: a nanosecond is the least that a text of a model takes
#define DIGITS 6
#define SHAPE_COSTS 4.0 // of the weighted squares that a law with a shape must be better by

// Of a session's length L, for a time t: what is below of order k, E(L^k; L < t), and above, E(L^k; L >= t).
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

// The covariance of the sessions' number falls as the integral R(u) of P(L > x) over x > u; the counts' variance has the
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

// What is sought: the logarithms of the packets' gap and the session's length, and the shape.
#define SOUGHT 3
#define SHAPE_LEAST 1.02 // of Pareto's law
#define LENGTH_MOST 10	 // of a session, in longest times that are looked at
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

// Weighted squares: the logarithm of a variance from n windows has itself a variance of about 2/n.
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

// Steps along each axis, halved when none is better (Hooke and Jeeves).
static double descend(const struct search *search, double at[SOUGHT])
{
	double step[SOUGHT] = {1, 1, search->law == LAW_EXPONENTIAL ? 0 : 0.3}, best = squares(search, at);

	for (int round = 0; round < 2000 && step[0] > 1e-4; round++) {
		bool better = false;

		for (int k = 0; k < 2 * SOUGHT; k++) {
			double trial[SOUGHT] = {at[0], at[1], at[2]}, value;

			trial[k / 2] += k % 2 ? -step[k / 2] : step[k / 2];
			if (trial[k / 2] < search->low[k / 2] || trial[k / 2] > search->high[k / 2])
				continue;
			value = squares(search, trial);
			if (value >= best)
				continue;
			best = value;
			at[k / 2] = trial[k / 2];
			better = true;
		}
		for (int k = 0; k < SOUGHT && !better; k++)
			step[k] /= 2;
	}
	return best;
}

// From several places; the best is left in at.
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

// The places of the fields that have notes, in the kind's table.
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

// A mean beyond what the trace shows, or a law whose mean is about to be infinite.
static void note_bound(const struct m_g_infinity *out, const struct count_dispersion *seen, struct arrival_notes *notes)
{
	const double longest_s = LENGTH_MOST * seen->t_s[seen->count - 1];

	if (out->session.name == LAW_PARETO && out->session.shape < SHAPE_LEAST + SHAPE_STEP)
		(void)snprintf(notes->bound, sizeof(notes->bound), "session-shape stands at its bound, %g", SHAPE_LEAST);
	else if (out->session.mean > longest_s * (1 - SHAPE_STEP))
		(void)snprintf(notes->bound, sizeof(notes->bound), "session stands at its bound, %.4g s", longest_s);
}

enum tr_status m_g_infinity_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
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
		return tr_fail(err, "counts are not more dispersed than a Poisson process': no sessions are seen");
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
		return tr_fail(err, "no sessions have such dispersion");
	if (out->session.name == LAW_EXPONENTIAL)
		out->session.shape = 0;
	out->session.shape = model_settle(MODEL_REAL, out->session.shape, DIGITS);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by moments: the rate, and least squares of the dispersion over %zu times from %.3g s to %.3g s",
		       seen.count, seen.t_s[0], seen.t_s[seen.count - 1]);
	note_bound(out, &seen, notes);
	if (sample->level > 0 && find_intervals(out, sample, notes, err) != TR_OK) {
		*out = (struct m_g_infinity){0};
		return TR_ERROR;
	}
	return TR_OK;
}
