// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of M/G/infinity sessions: the dispersion of their counts in closed form, and the search
// for the law that has the one seen.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/replicas.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"

// Two gaps, the mean length, and the law, with its shape if any.
static unsigned m_g_infinity_fit_freedom(const void *parameters)
{
	return ((const struct m_g_infinity *)parameters)->session.name == LAW_EXPONENTIAL ? 4 : 5;
}

#define WINDOWS_LEAST 32  // of the longest time
#define SESSIONS_MOST 1e5 // at a time
#define PACKETS_LEAST 0.1 // per session, on average: fewer cannot be told from independent packets
#define TIME_LEAST_S \
	1.1e-9 // of sessions and between their begins: the least time in a model text is a
	       // nanosecond
#define DIGITS 6
#define SHAPE_COSTS 4.0 // reduction of the weighted squares required of a law with a shape

// Partial moments of a session's length L at t: below of order k, E(L^k; L < t), and above, E(L^k;
// L >= t).
struct m_g_infinity_fit_partial {
	double below2, below3, above0, above1;
};

static struct m_g_infinity_fit_partial partial_exponential(double mean, double t)
{
	const double x = t / mean, e = exp(-x);

	return (struct m_g_infinity_fit_partial){
		.below2 = mean * mean * (2 - e * (x * x + 2 * x + 2)),
		.below3 = mean * mean * mean * (6 - e * (x * x * x + 3 * x * x + 6 * x + 6)),
		.above0 = e,
		.above1 = mean * e * (x + 1)};
}

// The law of a session's length, with what its partial moments at every t share.
struct m_g_infinity_fit_lengths {
	enum law_name name;
	double mean, shape;
	double least;	      // Pareto's
	double log_median;    // of the lognormal law
	double second, third; // Pareto's a b^k, the lognormal law's E(L^k)
};

static struct m_g_infinity_fit_lengths lengths_of(const struct law *session)
{
	const double mean = session->mean, a = session->shape;
	struct m_g_infinity_fit_lengths out = {.name = session->name, .mean = mean, .shape = a};

	if (session->name == LAW_PARETO) {
		out.least = mean * (a - 1) / a;
		out.second = a * pow(out.least, 2);
		out.third = a * pow(out.least, 3);
	} else if (session->name == LAW_LOGNORMAL) {
		const double s = a, m = log(mean) - s * s / 2;

		out.log_median = m;
		out.second = exp(2 * m + 2 * s * s);
		out.third = exp(3 * m + 4.5 * s * s);
	}
	return out;
}

// Integral of a b^a x^(k - 1 - a) from b to t, given a b^k and log(t/b).
static double pareto_power(double scale, double log_ratio, double by)
{
	return scale * (fabs(by) < 1e-9 ? log_ratio : expm1(by * log_ratio) / by);
}

static struct m_g_infinity_fit_partial partial_pareto(
	const struct m_g_infinity_fit_lengths *lengths, double t)
{
	const double a = lengths->shape, ratio = t / lengths->least;

	if (t <= lengths->least)
		return (struct m_g_infinity_fit_partial){.above0 = 1, .above1 = lengths->mean};
	const double log_ratio = log(ratio);

	return (struct m_g_infinity_fit_partial){
		.below2 = pareto_power(lengths->second, log_ratio, 2 - a),
		.below3 = pareto_power(lengths->third, log_ratio, 3 - a),
		.above0 = pow(ratio, -a),
		.above1 = lengths->mean * pow(ratio, 1 - a)};
}

static struct m_g_infinity_fit_partial partial_lognormal(
	const struct m_g_infinity_fit_lengths *lengths, double t)
{
	const double s = lengths->shape, z = (log(t) - lengths->log_median) / s;

	return (struct m_g_infinity_fit_partial){
		.below2 = lengths->second * gsl_cdf_ugaussian_P(z - 2 * s),
		.below3 = lengths->third * gsl_cdf_ugaussian_P(z - 3 * s),
		.above0 = gsl_cdf_ugaussian_P(-z),
		.above1 = lengths->mean * gsl_cdf_ugaussian_P(s - z)};
}

// The covariance of the number of sessions decays as R(u), the integral of P(L > x) over x > u; the
// counts' variance has the integral of (t - u) R(u) over 0 .. t, which for a session of length l is
// l^2 t/2 - l^3/6, or t^2 l/2 - t^3/6 for l > t.
static double covered(const struct m_g_infinity_fit_lengths *lengths, double t)
{
	struct m_g_infinity_fit_partial part;

	switch (lengths->name) {
	case LAW_EXPONENTIAL: part = partial_exponential(lengths->mean, t); break;
	case LAW_PARETO: part = partial_pareto(lengths, t); break;
	case LAW_LOGNORMAL: part = partial_lognormal(lengths, t); break;
	default: return NAN;
	}
	return part.below2 * t / 2 - part.below3 / 6 + t * t * part.above1 / 2 -
	       t * t * t * part.above0 / 6;
}

static double dispersion_of(const struct m_g_infinity *parameters, double t, double covered_at_t)
{
	return 1 + 2 * covered_at_t / (parameters->packet_gap_s * parameters->session.mean * t);
}

double m_g_infinity_dispersion(const struct m_g_infinity *parameters, double t_s)
{
	const struct m_g_infinity_fit_lengths lengths = lengths_of(&parameters->session);

	return dispersion_of(parameters, t_s, covered(&lengths, t_s));
}

// The search space: the logarithms of the packets' gap and the session's length, and the shape.
#define SOUGHT 3
#define SHAPE_LEAST 1.02 // of Pareto's law
#define LENGTH_MOST 10	 // of a session, relative to the longest time examined
#define SHAPE_STEP 1e-3	 // from its bound
#define KEPT 16

// The integrals for one law of lengths at the first known of the times seen.
struct integrals {
	double log_mean, shape;
	struct m_g_infinity_fit_lengths lengths;
	size_t known;
	double each[COUNT_DISPERSION_TIMES];
};

struct m_g_infinity_fit_search {
	const struct count_dispersion *seen;
	enum law_name law;
	double low[SOUGHT], high[SOUGHT];
	struct integrals kept[KEPT]; // of the latest laws: a step of the packets' gap, and one
				     // back, find theirs
	size_t tried;
};

static struct m_g_infinity parameters_at(const struct m_g_infinity_fit_search *search,
					 const double at[SOUGHT])
{
	return (struct m_g_infinity){
		.packet_gap_s = exp(at[0]),
		.session_gap_s = exp(at[1] - at[0]) / search->seen->rate,
		.session = {.name = search->law, .mean = exp(at[1]), .shape = at[2]}};
}

// The integrals of the law at a point.
static struct integrals *integrals_of(struct m_g_infinity_fit_search *search,
				      const double at[SOUGHT], const struct law *session)
{
	for (size_t i = 0; i < search->tried && i < KEPT; i++)
		if (search->kept[i].log_mean == at[1] && search->kept[i].shape == at[2])
			return &search->kept[i];
	struct integrals *out = &search->kept[search->tried++ % KEPT];

	out->log_mean = at[1];
	out->shape = at[2];
	out->lengths = lengths_of(session);
	out->known = 0;
	return out;
}

// Weighted squares: the log of a variance estimated from n windows has itself a variance of about
// 2/n. INFINITY where they are not below enough.
static double m_g_infinity_fit_squares(struct m_g_infinity_fit_search *search,
				       const double at[SOUGHT], double enough)
{
	const struct m_g_infinity parameters = parameters_at(search, at);
	const struct count_dispersion *seen = search->seen;
	double sum = 0;

	if (parameters.session.mean < PACKETS_LEAST * parameters.packet_gap_s ||
	    parameters.session.mean < TIME_LEAST_S || parameters.session_gap_s < TIME_LEAST_S)
		return INFINITY;
	struct integrals *integrals = integrals_of(search, at, &parameters.session);

	for (size_t i = 0; i < seen->count && !(sum >= enough); i++) {
		const double t = seen->t_s[i];

		if (i == integrals->known)
			integrals->each[integrals->known++] = covered(&integrals->lengths, t);
		const double off = log(seen->index[i] /
				       dispersion_of(&parameters, t, integrals->each[i]));

		sum += off * off * seen->windows[i] / (2 + seen->windows[i] * 1e-4);
	}
	return sum < enough ? sum : INFINITY;
}

// Whether a step along an axis is better: then it is taken.
static bool try_step(struct m_g_infinity_fit_search *search, double at[SOUGHT], int axis,
		     double step, double *best)
{
	const double before = at[axis];
	double value;

	if (before + step < search->low[axis] || before + step > search->high[axis])
		return false;
	at[axis] += step;
	value = m_g_infinity_fit_squares(search, at, *best);
	if (value < *best) {
		*best = value;
		return true;
	}
	at[axis] = before;
	return false;
}

// Pattern search: steps along each axis, halved when none is better (Hooke and Jeeves).
static double m_g_infinity_fit_descend(struct m_g_infinity_fit_search *search, double at[SOUGHT])
{
	double step[SOUGHT] = {1, 1, search->law == LAW_EXPONENTIAL ? 0 : 0.3},
	       best = m_g_infinity_fit_squares(search, at, INFINITY);

	for (int round = 0; round < 2000 && step[0] > 1e-4; round++) {
		bool better = false;

		for (int k = 0; k < SOUGHT; k++)
			better |= step[k] > 0 && (try_step(search, at, k, step[k], &best) ||
						  try_step(search, at, k, -step[k], &best));
		for (int k = 0; k < SOUGHT && !better; k++)
			step[k] /= 2;
	}
	return best;
}

// Searches from several starts; the best is left in at.
static double search_law(const struct count_dispersion *seen, enum law_name law, double at[SOUGHT])
{
	const double first = seen->t_s[0], last = seen->t_s[seen->count - 1];
	struct m_g_infinity_fit_search search = {
		seen,
		law,
		{log(first * 0.02), log(first * 0.1), law == LAW_PARETO ? SHAPE_LEAST : 0.1},
		{log(fmin(last * 100, SESSIONS_MOST / seen->rate)), log(last * LENGTH_MOST), 4}};
	double best = INFINITY;

	for (int i = 0; i < 6; i++) {
		double from[SOUGHT] = {log(first) + (i % 2) * 0.5 * log(last / first),
				       log(first) + (i / 2) * 0.4 * log(last / first), 1.5};
		const double reached = m_g_infinity_fit_descend(&search, from);

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

static unsigned m_g_infinity_fit_values(const void *parameters, double out[REPLICAS_VALUES_MAX])
{
	const struct m_g_infinity *sessions = parameters;

	out[0] = log(sessions->session_gap_s);
	out[1] = log(sessions->session.mean);
	out[2] = log(sessions->packet_gap_s);
	out[3] = log(sessions->session.shape);
	return sessions->session.name == LAW_EXPONENTIAL ? 3 : 4;
}

static enum tr_status m_g_infinity_fit_find_intervals(const struct m_g_infinity *sessions,
						      const struct arrival_sample *sample,
						      struct arrival_notes *notes,
						      struct tr_error *err)
{
	double ends[4][2] = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
	char *of_session = notes->field[OF_SESSION], shape[MODEL_INTERVAL_BYTES];

	if (replicas_intervals(&m_g_infinity_family, sessions, sample, m_g_infinity_fit_values,
			       ends, err) != TR_OK)
		return TR_ERROR;
	(void)model_interval(MODEL_TIME, exp(ends[0][0]), exp(ends[0][1]), sample->level,
			     notes->field[OF_SESSION_GAP]);
	(void)model_interval(MODEL_TIME, exp(ends[1][0]), exp(ends[1][1]), sample->level,
			     of_session);
	(void)model_interval(MODEL_TIME, exp(ends[2][0]), exp(ends[2][1]), sample->level,
			     notes->field[OF_PACKET_GAP]);
	if (isfinite(ends[3][0])) {
		const size_t used = strlen(of_session);

		(void)snprintf(of_session + used, ARRIVAL_NOTE_BYTES - used, ", shape %s",
			       model_range(MODEL_REAL, exp(ends[3][0]), exp(ends[3][1]), shape));
	}
	return TR_OK;
}

// Notes a mean beyond what the trace shows, or a law whose mean is nearly infinite.
static void m_g_infinity_fit_note_bound(const struct m_g_infinity *out,
					const struct count_dispersion *seen,
					struct arrival_notes *notes)
{
	const double longest_s = LENGTH_MOST * seen->t_s[seen->count - 1];

	if (out->session.name == LAW_PARETO && out->session.shape < SHAPE_LEAST + SHAPE_STEP)
		(void)snprintf(notes->bound, sizeof(notes->bound),
			       "session-shape is at its bound, %g", SHAPE_LEAST);
	else if (out->session.mean > longest_s * (1 - SHAPE_STEP))
		(void)snprintf(notes->bound, sizeof(notes->bound),
			       "session is at its bound, %.4g s", longest_s);
}

// Fits the rate by the count, the rest by least squares of the logarithm of the dispersion over
// dyadic times, for the three laws above; takes the best. Intervals are from replicas (replicas.h).
static enum tr_status m_g_infinity_fit(void *parameters, const struct arrival_sample *sample,
				       struct arrival_notes *notes, struct tr_error *err)
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
		const struct m_g_infinity_fit_search search = {.seen = &seen, .law = laws[i]};
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
		       "by moments: the rate, and the dispersion by least squares over %zu times "
		       "from %.3g s to %.3g s",
		       seen.count, seen.t_s[0], seen.t_s[seen.count - 1]);
	m_g_infinity_fit_note_bound(out, &seen, notes);
	if (sample->level > 0 &&
	    m_g_infinity_fit_find_intervals(out, sample, notes, err) != TR_OK) {
		*out = (struct m_g_infinity){0};
		return TR_ERROR;
	}
	return TR_OK;
}

const struct arrival_fit m_g_infinity_fitting = {
	.fit = m_g_infinity_fit,
	.freedom = m_g_infinity_fit_freedom,
};
