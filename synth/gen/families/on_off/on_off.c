// SPDX-License-Identifier: GPL-3.0-or-later
// On/off sources (Taqqu, Willinger and Sherman 1997, see on_off.h): their text, their packets and
// their forecast.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/on_off/on_off.h"
#include "gen/law.h"
#include "gen/loser_tree.h"
#include "gen/model_field.h"
#include "gen/packet_source.h"

#define SHAPE_MIN 1.01 // of Pareto's law: at 1 and below the mean is infinite

#define AT(member) offsetof(struct on_off_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"sources", MODEL_COUNT, AT(sources), false, 1, ON_OFF_SOURCES_MAX, NULL},
	{"on", MODEL_TIME, AT(on_s), true, 1e-9, 1e9, NULL},
	{"on-shape", MODEL_REAL, AT(on_shape), false, SHAPE_MIN, 100, NULL},
	LAW_FIELDS("on"),
	{"off", MODEL_TIME, AT(off_s), true, 1e-9, 1e9, NULL},
	{"off-shape", MODEL_REAL, AT(off_shape), false, SHAPE_MIN, 100, NULL},
	LAW_FIELDS("off"),
	{"inter-packet", MODEL_TIME, AT(gap_s), true, 1e-9, 1e9, NULL},
	{"stay", MODEL_SHARE, AT(stay), false, 0, 1, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "on-law" and its bins, or "on-shape" for Pareto's law.
static enum tr_status on_off_get_law(const struct model *model, const char *name, double shape,
				     struct law *law, struct tr_error *err)
{
	char key[16];

	if (law_get(model, "", name, LAW_TIMES, law, err) != TR_OK)
		return TR_ERROR;
	if (shape == 0)
		return TR_OK;
	(void)snprintf(key, sizeof(key), "%s-law", name);
	if (model_find(model, "", key))
		return model_fail(model, model_find(model, "", key), err,
				  "%s and %s-shape cannot be combined", key, name);
	*law = (struct law){.name = LAW_PARETO, .shape = shape};
	return TR_OK;
}

enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out,
				struct tr_error *err)
{
	enum tr_status status;

	*out = (struct on_off_model){.duration_s = 60, .sources = 1, .stay = 1};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family on-off has no sections");
	if (status == TR_OK)
		status = on_off_get_law(model, "on", out->on_shape, &out->on_law, err);
	if (status == TR_OK)
		status = on_off_get_law(model, "off", out->off_shape, &out->off_law, err);
	out->on_law.mean = out->on_s;
	out->off_law.mean = out->off_s;
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status != TR_OK)
		on_off_model_clear(out);
	return status;
}

// H of the sum of many such sources, by the same paper; .5 if neither time has a tail of an index
// below 2.
static double on_off_hurst(const struct on_off_model *on_off)
{
	return (3 - fmin(2, fmin(law_tail(&on_off->on_law), law_tail(&on_off->off_law)))) / 2;
}

static enum tr_status on_off_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char on[MODEL_NUMBER_BYTES], off[MODEL_NUMBER_BYTES], gap[MODEL_NUMBER_BYTES];
	char stay[MODEL_NUMBER_BYTES], on_law[LAW_DESCRIPTION_BYTES],
		off_law[LAW_DESCRIPTION_BYTES];
	struct on_off_model model;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out,
		"%llu nodes with %llu sources each. A source is on for %s on average (%s) and off "
		"for %s (%s);\n  while on, it sends a packet every %s to one other node%s%s.\n  "
		"The sum of many sources has H = %.4g at times beyond these means.\n",
		(unsigned long long)model.nodes, (unsigned long long)model.sources,
		model_format(MODEL_TIME, model.on_s, on), law_describe(&model.on_law, on_law),
		model_format(MODEL_TIME, model.off_s, off), law_describe(&model.off_law, off_law),
		model_format(MODEL_TIME, model.gap_s, gap),
		model.stay < 1 ? ", drawn anew after a packet but with a probability of " : "",
		model.stay < 1 ? model_format(MODEL_SHARE, model.stay, stay) : "",
		on_off_hurst(&model));
	on_off_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

#define PACKETS_SUMMED 100000
#define PACKETS_MANY 1000 // of a time on
#define SURVIVAL_LEAST 1e-15
#define BEYOND_MOST 1e-3 // of E N^2

// The sum over k of P(longer than k gaps), with its integral beyond PACKETS_SUMMED; NAN if out of
// memory.
static double on_off_packets(const struct on_off_model *on_off)
{
	const double last_s = (PACKETS_SUMMED - 0.5) * on_off->gap_s;
	struct law_plan on;
	double sum = 0;

	if (on_off->on_law.name == LAW_EXPONENTIAL)
		return 1 / -expm1(-on_off->gap_s / on_off->on_s);
	if (last_s < on_off->on_s) // so many that the fraction of one at the end is negligible
		return on_off->on_s / on_off->gap_s + 0.5;
	if (law_plan_make(&on, &on_off->on_law, 1, NULL) != TR_OK)
		return NAN;
	for (int k = 0; k < PACKETS_SUMMED; k++)
		sum += on.kind->survival(&on, k * on_off->gap_s);
	sum += law_excess(&on, last_s) / on_off->gap_s;
	law_plan_clear(&on);
	return sum;
}

// The integral of the survival by Simpson's rule, if there is no closed form, as for laws with
// steps.
static double survival_between(const struct law_plan *on, double from, double to)
{
	const struct law_kind *kind = on->kind;

	if (kind->excess)
		return kind->excess(on, from) - kind->excess(on, to);
	return (to - from) / 6 *
	       (kind->survival(on, from) + 4 * kind->survival(on, (from + to) / 2) +
		kind->survival(on, to));
}

// Moments of an on time and of its packets N, one more than the whole gaps in it.
struct on_off_moments {
	double packets, variance, covariance; // E N, Var N, Cov(N, on)
};

// With S(x) the probability of an on time longer than x and g the gap: E N sums S(k g), E N^2 (2k +
// 1) S(k g), E (N on) k g S(k g) and the integral of S from there on (each gap's own counts k + 1
// times). NAN if the rest beyond PACKETS_SUMMED matters.
static struct on_off_moments on_off_sums(const struct law_plan *on, double mean_s, double gap_s)
{
	double packets = 0, packets2 = 0, product = 0, survival = 1, beyond;
	int k = 0;

	for (; k < PACKETS_SUMMED && survival > SURVIVAL_LEAST; k++) {
		const double x = k * gap_s;

		survival = on->kind->survival(on, x);
		packets += survival;
		packets2 += (2 * k + 1) * survival;
		product += x * survival + (k + 1) * survival_between(on, x, x + gap_s);
	}
	beyond = law_excess(on, k * gap_s) * k / gap_s;
	if (!(beyond < BEYOND_MOST * packets2))
		packets2 = NAN;
	return (struct on_off_moments){packets, packets2 - packets * packets,
				       product - packets * mean_s};
}

// The same for on times of many packets: the fraction of a gap at the end is uniform, for any on
// time.
static struct on_off_moments on_off_smooth(double mean_s, double variance_s2, double gap_s)
{
	return (struct on_off_moments){mean_s / gap_s + 0.5,
				       variance_s2 / (gap_s * gap_s) + 1.0 / 12,
				       variance_s2 / gap_s};
}

// Variance over mean of the packets of a source in a long time, by renewal rewards (Cox, Renewal
// theory, 1962): that of (N - rate T) / E N for N packets in a cycle of T. NAN if out of memory.
static double on_off_dispersion(const struct on_off_model *on_off, double rate)
{
	const double mean_s = on_off->on_s, gap_s = on_off->gap_s;
	struct law_plan on = {.kind = NULL}, off = {.kind = NULL};
	double dispersion = NAN;

	if (law_plan_make(&on, &on_off->on_law, 1, NULL) == TR_OK &&
	    law_plan_make(&off, &on_off->off_law, 1, NULL) == TR_OK) {
		const double on_s2 = mean_s * mean_s * law_variation(&on);
		const double times_s2 = on_s2 + on_off->off_s * on_off->off_s * law_variation(&off);
		const struct on_off_moments of = mean_s > PACKETS_MANY * gap_s
							 ? on_off_smooth(mean_s, on_s2, gap_s)
							 : on_off_sums(&on, mean_s, gap_s);

		dispersion = (of.variance - 2 * rate * of.covariance + rate * rate * times_s2) /
			     of.packets;
		dispersion = isinf(times_s2) ? INFINITY : dispersion < 0 ? 0 : dispersion;
	}
	law_plan_clear(&on);
	law_plan_clear(&off);
	return dispersion;
}

static enum tr_status on_off_forecast(const struct model *text, struct forecast *out,
				      struct tr_error *err)
{
	struct forecast_sender sender = {.who = "Each source", .what = "data"};
	struct on_off_model model;
	enum tr_status status;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = model.nodes,
				 .duration_s = model.duration_s,
				 .hurst = on_off_hurst(&model)};
	sender.senders = (double)(model.nodes * model.sources);
	sender.packets_per_s = on_off_packets(&model) / (model.on_s + model.off_s);
	sender.payload_B = size_bins_mean_B(model.bins, model.bin_count);
	sender.wire_B = sender.payload_B + model.header_B;
	sender.burst_packets_per_s = 1 / model.gap_s;
	sender.dispersion = out->hurst > 0.5 ? INFINITY
					     : on_off_dispersion(&model, sender.packets_per_s);
	out->memory_B = ON_OFF_SOURCE_BYTES * sender.senders;
	status = forecast_add(out, &sender, err);
	on_off_model_clear(&model);
	return status;
}

void on_off_model_clear(struct on_off_model *on_off)
{
	free(on_off->bins);
	law_clear(&on_off->on_law);
	law_clear(&on_off->off_law);
	*on_off = (struct on_off_model){0};
}

// ---- Packets of on/off sources. Each source has its own random stream ("node3/source1"), so its
// packets do not depend on the other sources. All start in their stationary distribution, in the
// middle of an on or off time.

struct on_off_source {
	struct tr_random random;
	double next_ticks; // time of the next packet
	double end_ticks;  // of the time on that it belongs to
	uint32_t to;
};

static_assert(sizeof(struct on_off_source) + AGENDA_SOURCE_BYTES <= ON_OFF_SOURCE_BYTES,
	      "what a source takes");

struct on_off_train {
	struct draw_tables tables;
	struct sizes sizes;
	struct on_off_source *each;
	struct agenda agenda;
	struct law_plan on, off;
	double gap_ticks;
	double stay;
	int64_t stop_ticks;
	uint64_t packets; // given so far: the next id
	uint32_t nodes;
	uint32_t sources; // of a node
	uint32_t header_B;
};

// A new on time, starting at begin.
static void begin_on(const struct on_off_train *train, struct on_off_source *source, uint32_t node,
		     double begin, double length)
{
	source->next_ticks = begin;
	source->end_ticks = begin + length;
	source->to = source_draw_other(&source->random, 0, train->nodes, node);
}

static void on_off_step(const struct on_off_train *train, struct on_off_source *source,
			uint32_t node)
{
	double begin;

	source->next_ticks += train->gap_ticks;
	if (source->next_ticks < source->end_ticks) {
		if (train->stay < 1 && !(tr_random_unit(&source->random) < train->stay))
			source->to = source_draw_other(&source->random, 0, train->nodes, node);
		return;
	}
	begin = source->end_ticks + law_draw(&train->off, &train->tables, &source->random);
	begin_on(train, source, node, begin, law_draw(&train->on, &train->tables, &source->random));
}

// On with the fraction of time that is on; the first packet of the rest at a uniform time within a
// gap.
static void on_off_start(const struct on_off_train *train, struct on_off_source *source,
			 uint32_t node)
{
	struct tr_random *random = &source->random;
	double rest;

	if (tr_random_unit(random) * (train->on.mean + train->off.mean) < train->on.mean) {
		rest = law_rest(&train->on, &train->tables, random);
		begin_on(train, source, node, 0, rest);
		source->next_ticks = train->gap_ticks * tr_random_unit(random);
		if (source->next_ticks >= rest)
			on_off_step(train, source, node);
		return;
	}
	rest = law_rest(&train->off, &train->tables, random);
	begin_on(train, source, node, rest, law_draw(&train->on, &train->tables, random));
}

static void on_off_fill_packet(struct on_off_train *train, struct on_off_source *source,
			       uint32_t node, int64_t ticks, struct tr_packet *packet)
{
	uint32_t size_B = sizes_draw(&train->sizes, &train->tables, &source->random);

	*packet = (struct tr_packet){
		.time_ticks = ticks,
		.id = train->packets++,
		.flow = TR_FLOW_NONE,
		.src = node,
		.dst = source->to,
		.payload_bytes = size_B,
		.wire_bytes = source_wire_B(size_B, train->header_B),
		.class = TR_CLASS_DATA,
	};
}

static enum tr_status on_off_train_next(void *state, struct tr_packet *packets, size_t max,
					size_t *count, struct tr_error *err)
{
	struct on_off_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max && train->agenda.next_ticks < train->stop_ticks) {
		const int64_t ticks = train->agenda.next_ticks;
		const uint32_t number = (uint32_t)train->agenda.next,
			       node = number / train->sources;
		struct on_off_source *source = &train->each[number];

		on_off_fill_packet(train, source, node, ticks, &packets[n++]);
		on_off_step(train, source, node);
		agenda_postpone(&train->agenda, source_ticks(source->next_ticks));
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t on_off_train_nodes(const void *state)
{
	return ((const struct on_off_train *)state)->nodes;
}

static void on_off_train_close(void *state)
{
	struct on_off_train *train = state;

	sizes_clear(&train->sizes);
	law_plan_clear(&train->on);
	law_plan_clear(&train->off);
	free(train->each);
	agenda_close(&train->agenda);
}

static enum tr_status on_off_start_all(struct on_off_train *train, uint64_t seed,
				       struct tr_error *err)
{
	const size_t all = (size_t)train->nodes * train->sources;
	int64_t *first = calloc(all, sizeof(*first));
	char name[64];
	bool made;

	train->each = calloc(all, sizeof(*train->each));
	for (size_t i = 0; first && train->each && i < all; i++) {
		const uint32_t node = (uint32_t)(i / train->sources);

		(void)snprintf(name, sizeof(name), "node%u/source%zu", node, i % train->sources);
		tr_random_open(&train->each[i].random, seed, name);
		on_off_start(train, &train->each[i], node);
		first[i] = source_ticks(train->each[i].next_ticks);
	}
	made = first && train->each && agenda_open(&train->agenda, first, all);
	free(first);
	return made ? TR_OK : tr_no_memory(err, "%zu sources", all);
}

static enum tr_status on_off_set_up(struct on_off_train *train, const struct on_off_model *model,
				    const struct generator_settings *settings, struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)model->nodes;
	train->sources = (uint32_t)model->sources;
	if (train->nodes < 2 || (uint64_t)train->nodes * train->sources > ON_OFF_SOURCES_MAX)
		return tr_fail(err, "expected at least 2 nodes and at most %u sources in total",
			       ON_OFF_SOURCES_MAX);
	train->gap_ticks = model->gap_s * ticks_per_s;
	train->stay = model->stay;
	train->stop_ticks = source_end_ticks(settings, model->duration_s);
	train->header_B = (uint32_t)(model->header_B + 0.5);
	draw_tables_make(&train->tables);
	if (law_plan_make(&train->on, &model->on_law, ticks_per_s, err) != TR_OK ||
	    law_plan_make(&train->off, &model->off_law, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (sizes_empirical(&train->sizes, model->bins, model->bin_count, err) != TR_OK)
		return TR_ERROR;
	return on_off_start_all(train, settings->seed, err);
}

static enum tr_status on_off_train_open(void *state, const struct model *text,
					const struct generator_settings *settings,
					struct tr_error *err)
{
	struct on_off_model model;
	enum tr_status status;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = on_off_set_up(state, &model, settings, err);
	on_off_model_clear(&model);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct on_off_train),
	.open = on_off_train_open,
	.next = on_off_train_next,
	.nodes = on_off_train_nodes,
	.node = source_worker,
	.explain = on_off_explain,
	.forecast = on_off_forecast,
	.close = on_off_train_close,
};

const struct family on_off_family = {
	.name = "on-off",
	.summary = "on-off sources at each node",
	.generator = &generator,
	.fit = &on_off_family_fit,
};
