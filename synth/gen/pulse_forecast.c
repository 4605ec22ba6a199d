// SPDX-License-Identifier: GPL-3.0-or-later
// What the pulse train will give.
#include <math.h>

#include "gen/pulse_model.h"
#include "gen/size_bins.h"

static bool all_usual(const struct pulse_part *part)
{
	return part->silence_law.name == LAW_EXPONENTIAL && part->inter_pulse_law.name == LAW_EXPONENTIAL &&
	       part->pulses_law.name == LAW_GEOMETRIC;
}

// A cycle is a silence and a burst after it; counted from the burst's begin it is the longer of the two. The times within a
// burst are a geometric number, less one, of exponential ones: 0, or exponential with a mean of so many. (With other laws the
// longer of the means is taken, which is the least that it can be.)
static double cycle_s(const struct pulse_model *pulse, const struct pulse_part *part)
{
	const double burst_s = part->pulses * part->inter_pulse_s; // where it is not 0
	const double some = 1 - 1 / part->pulses;

	if (pulse->silence_from == PULSE_FROM_LAST_PULSE || burst_s == 0)
		return part->silence_s + some * burst_s;
	if (part->silence_s == 0)
		return some * burst_s;
	if (!all_usual(part))
		return fmax(part->silence_s, some * burst_s);
	return part->silence_s + some * burst_s - some / (1 / part->silence_s + 1 / burst_s);
}

// Packets per second of a node that follows the part.
static double pulse_part_rate(const struct pulse_model *pulse, const struct pulse_part *part)
{
	return part->pulses / cycle_s(pulse, part);
}

static double time_variance(const struct law *law, double mean_s)
{
	double variance = NAN;
	struct law_plan plan;

	if (mean_s == 0)
		return 0;
	if (pulse_part_time(law, mean_s, 1, &plan, NULL) == TR_OK)
		variance = mean_s * mean_s * law_variation(&plan);
	law_plan_clear(&plan);
	return variance;
}

// Variance over mean of the packets of long times, by renewal rewards (Cox, Renewal theory, 1962, section 8.4): of
// (N - rate T) / E N, where a cycle of T has N packets. T is a silence and N - 1 times between packets.
static double dispersion(const struct pulse_model *pulse, const struct pulse_part *part)
{
	const double rate = pulse_part_rate(pulse, part), each = 1 - rate * part->inter_pulse_s;
	struct law_count count;
	double variance = NAN, times;

	if (pulse->silence_from != PULSE_FROM_LAST_PULSE)
		return NAN;
	if (pulse_part_count(part, &count, NULL) == TR_OK)
		variance = law_count_variance(&count);
	law_count_clear(&count);
	times = time_variance(&part->silence_law, part->silence_s) +
		(part->pulses - 1) * time_variance(&part->inter_pulse_law, part->inter_pulse_s);
	return (each * each * variance + rate * rate * times) / part->pulses;
}

// H of a renewal process whose gaps have a tail of this index (Daley and Vesilo, Long range dependence of point processes,
// with queueing examples, Stoch. Proc. Appl. 70 (1997) 265-282): (3 - index) / 2 for the heaviest tail, .5 without one.
static double hurst(const struct pulse_model *pulse)
{
	double shape = 2;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_part *part = &pulse->part[p / 2][p % 2];
		const struct law *const laws[] = {&part->silence_law, &part->pulses_law, &part->inter_pulse_law};

		for (size_t i = 0; part->present && i < sizeof(laws) / sizeof(*laws); i++)
			if (laws[i]->name == LAW_PARETO)
				shape = fmin(shape, laws[i]->shape);
	}
	return (3 - shape) / 2;
}

static double normal_density(double x)
{
	return exp(-0.5 * x * x) / sqrt(2 * M_PI);
}

static double normal_below(double x)
{
	return 0.5 * erfc(-x / M_SQRT2);
}

// Mean of the normal sizes, drawn again below the floor and cut at the largest (Johnson, Kotz and Balakrishnan, Continuous
// univariate distributions 1, 1994, section 13.10.1).
static double normal_mean_B(const struct pulse_model *pulse, const struct pulse_part *part)
{
	const double sd = sqrt(part->size_variance_B2), mean = part->size_mean_B;
	const double low = (part->size_floor_B - mean) / sd, high = (pulse->mtu_B - mean) / sd;

	if (!(sd > 0))
		return fmin(mean, pulse->mtu_B);
	return (mean * (normal_below(high) - normal_below(low)) - sd * (normal_density(high) - normal_density(low)) +
		pulse->mtu_B * normal_below(-high)) /
	       normal_below(-low);
}

static enum tr_status forecast_part(const struct pulse_model *pulse, unsigned role, unsigned class, struct forecast *out,
				    struct tr_error *err)
{
	static const char *const who[] = {"The controller (node0)", "Each worker"};
	static const char *const what[] = {"data", "overhead"};
	const struct pulse_part *part = &pulse->part[role][class];
	const double mean_B = part->sizes == PULSE_EMPIRICAL ? size_bins_mean_B(part->bins, part->bin_count)
							     : normal_mean_B(pulse, part);
	const double controllers = pulse_has_controller(pulse) ? 1 : 0;
	struct forecast_sender sender = {
		.what = what[class],
		.senders = role == PULSE_CONTROLLER ? controllers : (double)pulse->nodes - controllers,
		.packets_per_s = pulse_part_rate(pulse, part),
		.payload_B = mean_B,
		.wire_B = mean_B + part->header_B,
		.burst_packets_per_s = part->pulses > 1 && part->inter_pulse_s > 0 ? 1 / part->inter_pulse_s : NAN,
		.dispersion = dispersion(pulse, part),
	};

	(void)snprintf(sender.who, sizeof(sender.who), "%s", who[role]);
	return forecast_add(out, &sender, err);
}

enum tr_status pulse_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	struct pulse_model pulse;

	if (pulse_model_get(text, &pulse, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = pulse.nodes, .duration_s = pulse.duration_s, .hurst = hurst(&pulse)};
	for (unsigned p = 0; status == TR_OK && p < PULSE_ROLES * PULSE_CLASSES; p++)
		if (pulse.part[p / 2][p % 2].present)
			status = forecast_part(&pulse, p / 2, p % 2, out, err);
	for (size_t i = 0; status == TR_OK && i < out->count; i++)
		out->memory_B += PULSE_SOURCE_BYTES * out->senders[i].senders;
	pulse_model_clear(&pulse);
	return status;
}
