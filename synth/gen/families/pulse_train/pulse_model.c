// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the pulse train (Yates 1997), and its forecast.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/pulse_train/pulse_train.h"
#include "gen/law.h"
#include "gen/size_bins.h"

const char *const pulse_section[PULSE_ROLES][PULSE_CLASSES] = {
	{"controller data", "controller overhead"},
	{"worker data", "worker overhead"}};

static const struct opt_choice silence_words[] = {{"last-pulse", PULSE_FROM_LAST_PULSE},
						  {"burst-start", PULSE_FROM_BURST_START},
						  {NULL, 0}};
static const struct opt_choice destination_words[] = {{"uniform", PULSE_UNIFORM},
						      {"by-role", PULSE_BY_ROLE},
						      {NULL, 0}};
static const struct opt_choice sizes_words[] = {{"normal", PULSE_NORMAL},
						{"empirical", PULSE_EMPIRICAL},
						{NULL, 0}};

#define AT(member) offsetof(struct pulse_model, member)
static const struct model_field global_fields[] = {
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, PULSE_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"mtu", MODEL_SIZE, AT(mtu_B), false, 1, UINT32_MAX, NULL},
	{"silence-from", MODEL_WORD, AT(silence_from), false, 0, 0, silence_words},
	{"destinations", MODEL_WORD, AT(destinations), false, 0, 0, destination_words},
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

#define AT(member) offsetof(struct pulse_part, member)
const struct model_field pulse_part_fields[] = {
	{"silence", MODEL_TIME, AT(silence_s), true, 0, 1e9, NULL},
	{"pulses", MODEL_REAL, AT(pulses), true, 1, 1e15, NULL},
	{"inter-pulse", MODEL_TIME, AT(inter_pulse_s), true, 0, 1e9, NULL},
	{"size-mean", MODEL_SIZE, AT(size_mean_B), false, -(double)UINT32_MAX, UINT32_MAX, NULL},
	{"size-variance", MODEL_VARIANCE, AT(size_variance_B2), false, 0, 1e18, NULL},
	{"size-floor", MODEL_SIZE, AT(size_floor_B), false, 0, UINT32_MAX, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"to-controller", MODEL_SHARE, AT(to_controller), false, 0, 1, NULL},
	{"sizes", MODEL_WORD, AT(sizes), false, 0, 0, sizes_words},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	LAW_FIELDS("silence"),
	LAW_FIELDS("pulses"),
	LAW_FIELDS("inter-pulse"),
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

struct pulse_part pulse_part_default(enum pulse_class class)
{
	return (struct pulse_part){.size_floor_B = class == PULSE_DATA ? 750 : 40,
				   .pulses_law = {.name = LAW_GEOMETRIC}};
}

static enum tr_status get_laws(const struct model *model, const char *section,
			       struct pulse_part *part, struct tr_error *err)
{
	struct tr_error why = {""};
	struct law_count count;

	if (law_get(model, section, "silence", LAW_TIMES, &part->silence_law, err) != TR_OK ||
	    law_get(model, section, "inter-pulse", LAW_TIMES, &part->inter_pulse_law, err) !=
		    TR_OK ||
	    law_get(model, section, "pulses", LAW_NUMBERS, &part->pulses_law, err) != TR_OK)
		return TR_ERROR;
	if (pulse_part_count(part, &count, &why) != TR_OK)
		return model_fail_for(model, model_find(model, section, "pulses"), err, &why,
				      "pulses");
	part->pulses = count.mean;
	law_count_clear(&count);
	return TR_OK;
}

// A normal law needs its mean and variance; with bins they default to the bins'.
static enum tr_status get_moments(const struct model *model, const char *section,
				  struct pulse_part *part, struct tr_error *err)
{
	const bool mean = model_find(model, section, "size-mean"),
		   variance = model_find(model, section, "size-variance");

	if (part->sizes == PULSE_NORMAL && !(mean && variance))
		return model_fail(model, model_find_section(model, section), err,
				  "in [%s] the key %s is missing", section,
				  mean ? "size-variance" : "size-mean");
	if (!mean)
		part->size_mean_B = size_bins_mean_B(part->bins, part->bin_count);
	if (!variance)
		part->size_variance_B2 = size_bins_variance_B2(part->bins, part->bin_count);
	return TR_OK;
}

static enum tr_status get_part(const struct model *model, const char *section,
			       const struct pulse_model *pulse, struct pulse_part *part,
			       struct tr_error *err)
{
	const struct model_entry *at = model_find_section(model, section);
	struct tr_error why = {""};
	struct sizes sizes;

	part->present = at;
	if (!part->present)
		return TR_OK;
	if (model_get(model, section, pulse_part_fields, part, err) != TR_OK ||
	    size_bins_get(model, section, &part->bins, &part->bin_count, err) != TR_OK ||
	    get_laws(model, section, part, err) != TR_OK)
		return TR_ERROR;
	if ((part->sizes == PULSE_EMPIRICAL) != (part->bin_count > 0))
		return model_fail(model, at, err,
				  "\"sizes empirical\" needs lines of bin, and these need it");
	if (get_moments(model, section, part, err) != TR_OK)
		return TR_ERROR;
	if (part->silence_s == 0 && (part->inter_pulse_s == 0 || part->pulses == 1))
		return model_fail(model, at, err,
				  "a silence of 0 needs inter-pulse above 0 and pulses above 1");
	if (pulse_part_sizes(pulse, part, &sizes, &why) != TR_OK)
		return model_fail_for(model, at, err, &why, "");
	sizes_clear(&sizes);
	return TR_OK;
}

static enum tr_status check_sections(const struct model *model, struct tr_error *err)
{
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];
		bool known = entry->kind != MODEL_SECTION;

		for (unsigned p = 0; !known && p < PULSE_ROLES * PULSE_CLASSES; p++)
			known = strcmp(entry->key, pulse_section[p / 2][p % 2]) == 0;
		if (!known)
			return model_fail(
				model, entry, err,
				"unknown section [%.60s]; expected [controller data], [controller "
				"overhead], [worker data] or [worker overhead]",
				entry->key);
	}
	return TR_OK;
}

enum tr_status pulse_model_get(const struct model *model, struct pulse_model *out,
			       struct tr_error *err)
{
	*out = (struct pulse_model){.duration_s = 60, .mtu_B = 8192};
	enum tr_status status = check_sections(model, err);
	bool any = false;

	if (status == TR_OK)
		status = model_get(model, "", global_fields, out, err);
	for (unsigned p = 0; status == TR_OK && p < PULSE_ROLES * PULSE_CLASSES; p++) {
		struct pulse_part *part = &out->part[p / 2][p % 2];

		*part = pulse_part_default(p % 2);
		status = get_part(model, pulse_section[p / 2][p % 2], out, part, err);
		any = any || part->present;
	}
	if (status == TR_OK && !any)
		status = model_fail(model, NULL, err, "expected at least one section");
	if (status != TR_OK)
		pulse_model_clear(out);
	return status;
}

static void put_part(struct model *model, const struct pulse_part *part, const char *section,
		     const struct pulse_notes *notes)
{
	const char *beside[sizeof(pulse_part_fields) / sizeof(*pulse_part_fields)] = {NULL};

	for (unsigned i = 0; notes && i < PULSE_SCALED; i++)
		if (*notes->statistic[i])
			beside[i] = notes->statistic[i];
	for (unsigned i = 0; notes && *notes->sizes && pulse_part_fields[i].key; i++)
		if (strcmp(pulse_part_fields[i].key, "sizes") == 0)
			beside[i] = notes->sizes;
	model_blank(model);
	model_section(model, section, notes && *notes->section ? notes->section : NULL);
	model_put(model, pulse_part_fields, part, beside);
	law_put(model, "silence", LAW_TIMES, &part->silence_law, LAW_EXPONENTIAL);
	law_put(model, "pulses", LAW_NUMBERS, &part->pulses_law, LAW_GEOMETRIC);
	law_put(model, "inter-pulse", LAW_TIMES, &part->inter_pulse_law, LAW_EXPONENTIAL);
	size_bins_put(model, part->bins, part->bin_count);
}

void pulse_model_put(struct model *model, const struct pulse_model *pulse,
		     const struct pulse_notes (*notes)[PULSE_CLASSES])
{
	model_key(model, "family", "pulse-train", NULL);
	model_put(model, global_fields, pulse, NULL);
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		if (pulse->part[p / 2][p % 2].present)
			put_part(model, &pulse->part[p / 2][p % 2], pulse_section[p / 2][p % 2],
				 notes ? &notes[p / 2][p % 2] : NULL);
}

enum tr_status pulse_part_sizes(const struct pulse_model *pulse, const struct pulse_part *part,
				struct sizes *out, struct tr_error *err)
{
	if (part->sizes == PULSE_EMPIRICAL)
		return sizes_empirical(out, part->bins, part->bin_count, err);
	return sizes_normal(out, part->size_mean_B, part->size_variance_B2, part->size_floor_B,
			    pulse->mtu_B, err);
}

bool pulse_has_controller(const struct pulse_model *pulse)
{
	return pulse->part[PULSE_CONTROLLER][PULSE_DATA].present ||
	       pulse->part[PULSE_CONTROLLER][PULSE_OVERHEAD].present;
}

enum tr_status pulse_part_count(const struct pulse_part *part, struct law_count *out,
				struct tr_error *err)
{
	struct law law = part->pulses_law;

	law.mean = part->pulses;
	return law_count_make(out, &law, err);
}

enum tr_status pulse_part_time(const struct law *law, double mean_s, double ticks_per_s,
			       struct law_plan *out, struct tr_error *err)
{
	struct law of_mean = *law;

	of_mean.mean = mean_s;
	return law_plan_make(out, &of_mean, ticks_per_s, err);
}

static enum tr_status own_sizes(struct pulse_part *part, struct tr_error *err)
{
	const struct size_bin *from = part->bins;
	const size_t count = part->bin_count;

	part->bins = NULL;
	part->bin_count = 0;
	if (count == 0)
		return TR_OK;
	part->bins = calloc(count, sizeof(*part->bins));
	if (!part->bins)
		return tr_no_memory(err, "the sizes");
	memcpy(part->bins, from, count * sizeof(*from));
	part->bin_count = count;
	return TR_OK;
}

enum tr_status pulse_part_own(struct pulse_part *part, struct tr_error *err)
{
	const enum tr_status of[] = {own_sizes(part, err), law_own(&part->silence_law, err),
				     law_own(&part->pulses_law, err),
				     law_own(&part->inter_pulse_law, err)};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (of[i] != TR_OK)
			return of[i];
	return TR_OK;
}

static void pulse_part_clear(struct pulse_part *part)
{
	free(part->bins);
	law_clear(&part->silence_law);
	law_clear(&part->pulses_law);
	law_clear(&part->inter_pulse_law);
	*part = (struct pulse_part){.present = false};
}

void pulse_model_clear(struct pulse_model *pulse)
{
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		pulse_part_clear(&pulse->part[p / 2][p % 2]);
	*pulse = (struct pulse_model){0};
}

// ---- The forecast of the pulse train.

static bool all_usual(const struct pulse_part *part)
{
	return part->silence_law.name == LAW_EXPONENTIAL &&
	       part->inter_pulse_law.name == LAW_EXPONENTIAL &&
	       part->pulses_law.name == LAW_GEOMETRIC;
}

// A cycle is a silence and the burst after it; if silence is counted from the burst's begin it is
// the longer of the two. The times within a burst are a geometric number, less one, of exponential
// ones: 0, or exponential with a mean of pulses times theirs. (With other laws the longer of the
// means is taken, a lower bound.)
static double cycle_s(const struct pulse_model *pulse, const struct pulse_part *part)
{
	const double burst_s = part->pulses * part->inter_pulse_s; // if it is not 0
	const double some = 1 - 1 / part->pulses;

	if (pulse->silence_from == PULSE_FROM_LAST_PULSE || burst_s == 0)
		return part->silence_s + some * burst_s;
	if (part->silence_s == 0)
		return some * burst_s;
	if (!all_usual(part))
		return fmax(part->silence_s, some * burst_s);
	return part->silence_s + some * burst_s - some / (1 / part->silence_s + 1 / burst_s);
}

// Packets per second of a node with this part.
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

// Variance over mean of the packets in long times, by renewal rewards (Cox, Renewal theory, 1962):
// that of (N - rate T) / E N for N packets in a cycle of T. T is a silence and N - 1 times between
// packets.
static double pulse_model_dispersion(const struct pulse_model *pulse, const struct pulse_part *part)
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

// H of a renewal process whose gaps have a tail of this index (Daley and Vesilo, Long range
// dependence of point processes, with queueing examples, Stoch. Proc. Appl. 70 (1997) 265-282): (3
// - index) / 2 for the heaviest tail, .5 without one.
static double pulse_model_hurst(const struct pulse_model *pulse)
{
	double shape = 2;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_part *part = &pulse->part[p / 2][p % 2];
		const struct law *const laws[] = {&part->silence_law, &part->pulses_law,
						  &part->inter_pulse_law};

		for (size_t i = 0; part->present && i < sizeof(laws) / sizeof(*laws); i++)
			shape = fmin(shape, law_tail(laws[i]));
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

// Mean of the normal sizes, redrawn below the floor and clipped at the largest (Johnson, Kotz and
// Balakrishnan, Continuous univariate distributions 1, 1994).
static double normal_mean_B(const struct pulse_model *pulse, const struct pulse_part *part)
{
	const double sd = sqrt(part->size_variance_B2), mean = part->size_mean_B;
	const double low = (part->size_floor_B - mean) / sd, high = (pulse->mtu_B - mean) / sd;

	if (!(sd > 0))
		return fmin(mean, pulse->mtu_B);
	return (mean * (normal_below(high) - normal_below(low)) -
		sd * (normal_density(high) - normal_density(low)) +
		pulse->mtu_B * normal_below(-high)) /
	       normal_below(-low);
}

static enum tr_status forecast_part(const struct pulse_model *pulse, unsigned role, unsigned class,
				    struct forecast *out, struct tr_error *err)
{
	static const char *const who[] = {"The controller (node0)", "Each worker"};
	static const char *const what[] = {"data", "overhead"};
	const struct pulse_part *part = &pulse->part[role][class];
	const double mean_B = part->sizes == PULSE_EMPIRICAL
				      ? size_bins_mean_B(part->bins, part->bin_count)
				      : normal_mean_B(pulse, part);
	const double controllers = pulse_has_controller(pulse) ? 1 : 0;
	struct forecast_sender sender = {
		.what = what[class],
		.senders = role == PULSE_CONTROLLER ? controllers
						    : (double)pulse->nodes - controllers,
		.packets_per_s = pulse_part_rate(pulse, part),
		.payload_B = mean_B,
		.wire_B = mean_B + part->header_B,
		.burst_packets_per_s = part->pulses > 1 && part->inter_pulse_s > 0
					       ? 1 / part->inter_pulse_s
					       : NAN,
		.dispersion = pulse_model_dispersion(pulse, part),
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
	*out = (struct forecast){.nodes = pulse.nodes,
				 .duration_s = pulse.duration_s,
				 .hurst = pulse_model_hurst(&pulse)};
	for (unsigned p = 0; status == TR_OK && p < PULSE_ROLES * PULSE_CLASSES; p++)
		if (pulse.part[p / 2][p % 2].present)
			status = forecast_part(&pulse, p / 2, p % 2, out, err);
	for (size_t i = 0; status == TR_OK && i < out->count; i++)
		out->memory_B += PULSE_SOURCE_BYTES * out->senders[i].senders;
	pulse_model_clear(&pulse);
	return status;
}
