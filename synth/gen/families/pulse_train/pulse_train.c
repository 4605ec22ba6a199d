// SPDX-License-Identifier: GPL-3.0-or-later
// The bursty pulse train of Yates 1997, (Expon, Geom) unless the model gives other laws: silence ~
// Exp, number of packets ~ Geometric on {1, 2, ...}, time between them ~ Exp. One generator for
// each node and class, with its own random streams ("node3/data/gap"), so a node's times and sizes
// do not depend on the other nodes.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/ahead.h"
#include "gen/families/family.h"
#include "gen/families/pulse_train/pulse_train.h"
#include "gen/law.h"
#include "gen/packet_source.h"
#include "gen/powers.h"
#include "stream/words.h"

// Parameters of a part, prepared for generation.
struct part_plan {
	double silence_ticks, inter_pulse_ticks; // means of exponential times; NAN for other laws
	double log_more; // of the geometric number of packets (draw_geometric_log); NAN for other
			 // laws
	struct law_plan silence, inter_pulse;
	struct law_count pulses;
	double to_controller; // < 0: uniform over the others
	uint32_t header_B;
	struct sizes sizes;
};

#define GAPS_AHEAD DRAW_BLOCK

// One node and class. Its packets are generated in batches and taken in order.
struct pulse_source {
	const struct part_plan *plan;
	uint64_t pulses_left; // of the burst, after those already generated
	int64_t burst_start_ticks;
	uint32_t node;
	uint8_t class;		 // enum tr_class
	uint8_t gaps_left;	 // of the draws in gaps
	double gaps[GAPS_AHEAD]; // exponential, of mean 1
	struct tr_random gap, burst, size, dst;
};

static_assert(AHEAD_PACKETS <= GAPS_AHEAD, "gaps are taken for all of them");
static_assert(sizeof(struct pulse_source) + AHEAD_SOURCE_BYTES <= PULSE_SOURCE_BYTES,
	      "what a source takes");

struct pulse_train {
	struct draw_tables tables;
	struct part_plan plan[PULSE_ROLES][PULSE_CLASSES];
	struct pulse_source *sources;
	struct ahead ahead;
	int64_t end_ticks;
	uint32_t nodes;
	bool controller; // node 0 is the controller
	bool from_burst_start;
};

// The next exponentials of mean 1, at most GAPS_AHEAD.
static void pulse_train_take_gaps(const struct pulse_train *train, struct pulse_source *source,
				  double *out, unsigned count)
{
	const unsigned old = source->gaps_left < count ? source->gaps_left : count;

	memcpy(out, &source->gaps[GAPS_AHEAD - source->gaps_left], old * sizeof(*out));
	source->gaps_left = (uint8_t)(source->gaps_left - old);
	if (old == count)
		return;
	draw_exponentials(&train->tables, &source->gap, source->gaps, GAPS_AHEAD);
	memcpy(out + old, source->gaps, (count - old) * sizeof(*out));
	source->gaps_left = (uint8_t)(GAPS_AHEAD - (count - old));
}

// An exponential time with mean mean_ticks, or one of its own law.
static double next_time(const struct pulse_train *train, struct pulse_source *source,
			double mean_ticks, const struct law_plan *law)
{
	double unit;

	if (isnan(mean_ticks))
		return law_draw(law, &train->tables, &source->gap);
	pulse_train_take_gaps(train, source, &unit, 1);
	return mean_ticks * unit;
}

static uint64_t next_count(const struct pulse_train *train, struct pulse_source *source)
{
	const struct part_plan *plan = source->plan;

	return isnan(plan->log_more) ? law_count_draw(&plan->pulses, &train->tables, &source->burst)
				     : draw_geometric_log(plan->log_more, &source->burst);
}

static int64_t pulse_train_begin_burst(const struct pulse_train *train, struct pulse_source *source,
				       int64_t now_ticks)
{
	double silence = next_time(train, source, source->plan->silence_ticks,
				   &source->plan->silence);
	int64_t start = source_after(
		train->from_burst_start ? source->burst_start_ticks : now_ticks, silence);

	source->burst_start_ticks = start > now_ticks ? start : now_ticks;
	source->pulses_left = next_count(train, source) - 1;
	return source->burst_start_ticks;
}

// Times of count packets of a burst that started with a packet at now_ticks. Returns the last one.
static int64_t follow_burst(const struct pulse_train *train, struct pulse_source *source,
			    int64_t now_ticks, int64_t *out, unsigned count)
{
	const double mean_ticks = source->plan->inter_pulse_ticks;
	double units[GAPS_AHEAD];

	if (isnan(mean_ticks)) {
		for (unsigned i = 0; i < count; i++)
			out[i] = now_ticks = source_after(
				now_ticks,
				law_draw(&source->plan->inter_pulse, &train->tables, &source->gap));
		return now_ticks;
	}
	pulse_train_take_gaps(train, source, units, count);
	for (unsigned i = 0; i < count; i++)
		out[i] = now_ticks = source_after(now_ticks, mean_ticks * units[i]);
	return now_ticks;
}

// Continues after the last packet generated, at out's end.
static void pulse_train_make_times(const struct pulse_train *train, struct pulse_source *source,
				   int64_t out[AHEAD_PACKETS])
{
	int64_t now_ticks = out[AHEAD_PACKETS - 1];

	for (unsigned n = 0; n < AHEAD_PACKETS;) {
		if (source->pulses_left == 0) {
			out[n++] = now_ticks = pulse_train_begin_burst(train, source, now_ticks);
			continue;
		}
		const unsigned room = AHEAD_PACKETS - n;
		const unsigned some = source->pulses_left < room ? (unsigned)source->pulses_left
								 : room;

		now_ticks = follow_burst(train, source, now_ticks, out + n, some);
		source->pulses_left -= some;
		n += some;
	}
}

static void draw_destinations(const struct pulse_train *train, struct pulse_source *source,
			      uint32_t *out)
{
	const double share = source->plan->to_controller;

	if (share < 0)
		source_draw_others(&source->dst, train->nodes, source->node, out, AHEAD_PACKETS);
	else
		for (unsigned i = 0; i < AHEAD_PACKETS; i++)
			out[i] = source_draw_by_role(&source->dst, train->nodes, share,
						     source->node);
}

static void pulse_train_make_packets(void *state, size_t number, const struct ahead_columns *out)
{
	struct pulse_train *train = state;
	struct pulse_source *source = &train->sources[number];

	pulse_train_make_times(train, source, out->ticks);
	sizes_draw_many(&source->plan->sizes, &train->tables, &source->size, out->payload_B,
			AHEAD_PACKETS);
	draw_destinations(train, source, out->dst);
}

static enum tr_status pulse_train_train_next(void *state, struct tr_packet *packets, size_t max,
					     size_t *count, struct tr_error *err)
{
	struct pulse_train *train = state;

	(void)err;
	*count = ahead_take(&train->ahead, pulse_train_make_packets, train, train->end_ticks,
			    packets, max);
	return *count > 0 ? TR_OK : TR_END;
}

static uint32_t pulse_train_train_nodes(const void *state)
{
	return ((const struct pulse_train *)state)->nodes;
}

static enum tr_role pulse_train_train_node(const void *state, uint32_t id,
					   char address[GENERATOR_NAME_BYTES])
{
	const struct pulse_train *train = state;

	snprintf(address, GENERATOR_NAME_BYTES, "node%u", id);
	return train->controller && id == 0 ? TR_ROLE_CONTROLLER : TR_ROLE_WORKER;
}

static void pulse_train_train_close(void *state)
{
	struct pulse_train *train = state;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		struct part_plan *plan = &train->plan[p / 2][p % 2];

		sizes_clear(&plan->sizes);
		law_plan_clear(&plan->silence);
		law_plan_clear(&plan->inter_pulse);
		law_count_clear(&plan->pulses);
	}
	free(train->sources);
	ahead_close(&train->ahead);
}

static enum tr_status plan_laws(const struct pulse_part *part, double ticks_per_s,
				struct part_plan *plan, struct tr_error *err)
{
	plan->silence_ticks = part->silence_law.name == LAW_EXPONENTIAL
				      ? part->silence_s * ticks_per_s
				      : NAN;
	plan->inter_pulse_ticks = part->inter_pulse_law.name == LAW_EXPONENTIAL
					  ? part->inter_pulse_s * ticks_per_s
					  : NAN;
	plan->log_more = part->pulses_law.name != LAW_GEOMETRIC ? NAN
			 : part->pulses > 1			? powers_log1p(-1 / part->pulses)
								: 0;
	if (pulse_part_time(&part->silence_law, part->silence_s, ticks_per_s, &plan->silence,
			    err) != TR_OK ||
	    pulse_part_time(&part->inter_pulse_law, part->inter_pulse_s, ticks_per_s,
			    &plan->inter_pulse, err) != TR_OK)
		return TR_ERROR;
	return pulse_part_count(part, &plan->pulses, err);
}

static enum tr_status plan_parts(struct pulse_train *train, const struct pulse_model *model,
				 double ticks_per_s, struct tr_error *err)
{
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_part *part = &model->part[p / 2][p % 2];
		struct part_plan *plan = &train->plan[p / 2][p % 2];

		if (!part->present)
			continue;
		if (pulse_part_sizes(model, part, &plan->sizes, err) != TR_OK ||
		    plan_laws(part, ticks_per_s, plan, err) != TR_OK)
			return TR_ERROR;
		plan->header_B = (uint32_t)(part->header_B + 0.5);
		plan->to_controller = model->destinations == PULSE_BY_ROLE && train->controller
					      ? part->to_controller
					      : -1;
	}
	return TR_OK;
}

static void pulse_train_open_streams(struct pulse_source *source, uint64_t seed)
{
	const struct source_stream streams[] = {{&source->gap, "gap"},
						{&source->burst, "burst"},
						{&source->size, "size"},
						{&source->dst, "to"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u/%s",
			    source->node, tr_word(TR_CLASS_CODE, source->class));
}

// Sources ordered by node, then class: the order of packets at the same time.
static bool make_sources(struct pulse_train *train, const struct pulse_model *model, uint64_t seed)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < PULSE_CLASSES * train->nodes; i++) {
		uint32_t node = i / PULSE_CLASSES, class = i % PULSE_CLASSES;
		unsigned role = train->controller && node == 0 ? PULSE_CONTROLLER : PULSE_WORKER;
		struct pulse_source *source = &train->sources[count];
		const struct ahead_columns out = ahead_of(&train->ahead, count);

		if (!model->part[role][class].present)
			continue;
		source->plan = &train->plan[role][class];
		source->node = node;
		source->class = class == PULSE_DATA ? TR_CLASS_DATA : TR_CLASS_OVERHEAD;
		ahead_set_sender(&train->ahead, count, node, source->plan->header_B,
				 (enum tr_class)source->class);
		pulse_train_open_streams(source, seed);
		pulse_train_make_packets(train, count++, &out);
	}
	return ahead_begin(&train->ahead, count);
}

static enum tr_status pulse_train_set_up(struct pulse_train *train, const struct pulse_model *model,
					 const struct generator_settings *settings,
					 struct tr_error *err)
{
	double ticks_per_s = (double)settings->ticks_per_s;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)model->nodes;
	train->end_ticks = source_end_ticks(settings, model->duration_s);
	train->controller = pulse_has_controller(model);
	train->from_burst_start = model->silence_from == PULSE_FROM_BURST_START;
	if (train->nodes < 2 || train->nodes > PULSE_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", PULSE_NODES_MAX);
	draw_tables_make(&train->tables);
	return plan_parts(train, model, ticks_per_s, err);
}

static enum tr_status pulse_train_start_sources(struct pulse_train *train,
						const struct pulse_model *model, uint64_t seed,
						struct tr_error *err)
{
	size_t sources = (size_t)PULSE_CLASSES * train->nodes;

	train->sources = calloc(sources, sizeof(*train->sources));
	if (!train->sources || !ahead_open(&train->ahead, sources, false) ||
	    !make_sources(train, model, seed))
		return tr_no_memory(err, "%u nodes", train->nodes);
	return TR_OK;
}

static enum tr_status pulse_train_train_open(void *state, const struct model *text,
					     const struct generator_settings *settings,
					     struct tr_error *err)
{
	struct pulse_model model;
	enum tr_status status;

	if (pulse_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = pulse_train_set_up(state, &model, settings, err);
	if (status == TR_OK)
		status = pulse_train_start_sources(state, &model, settings->seed, err);
	pulse_model_clear(&model);
	return status;
}

// ---- The pulse train in words.

// With their mean and deviation before clipping.
static void pulse_train_explain_sizes(const struct pulse_part *part, FILE *out)
{
	const bool bins = part->sizes == PULSE_EMPIRICAL;
	const double mean_B = bins ? size_bins_mean_B(part->bins, part->bin_count)
				   : part->size_mean_B;
	const double variance_B2 = bins ? size_bins_variance_B2(part->bins, part->bin_count)
					: part->size_variance_B2;
	char mean[MODEL_NUMBER_BYTES];

	fprintf(out, "  Sizes are %s, mean %s, deviation %.4g B.\n", bins ? "empirical" : "normal",
		model_format(MODEL_SIZE, model_settle(MODEL_SIZE, mean_B, 6), mean),
		sqrt(variance_B2));
}

// Only for laws other than the usual ones.
static void explain_laws(const struct pulse_part *part, FILE *out)
{
	char silence[LAW_DESCRIPTION_BYTES], pulses[LAW_DESCRIPTION_BYTES],
		between[LAW_DESCRIPTION_BYTES];

	if (part->silence_law.name != LAW_EXPONENTIAL || part->pulses_law.name != LAW_GEOMETRIC ||
	    part->inter_pulse_law.name != LAW_EXPONENTIAL)
		fprintf(out, "  Distributions: silences %s, numbers of packets %s, gaps %s.\n",
			law_describe(&part->silence_law, silence),
			law_describe(&part->pulses_law, pulses),
			law_describe(&part->inter_pulse_law, between));
}

static void explain_part(const struct pulse_model *model, unsigned role, unsigned class, FILE *out)
{
	static const char *const who[] = {"The controller (node0)", "Each worker"};
	static const char *const what[] = {"data", "overhead"};
	const struct pulse_part *part = &model->part[role][class];
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	if (!part->present)
		return;
	fprintf(out,
		"%s sends %s in bursts: on average a silence of %s, then %.4g packets, %s apart.\n",
		who[role], what[class], model_format(MODEL_TIME, part->silence_s, a), part->pulses,
		model_format(MODEL_TIME, part->inter_pulse_s, b));
	pulse_train_explain_sizes(part, out);
	explain_laws(part, out);
	if (part->sizes == PULSE_NORMAL)
		fprintf(out, "  Sizes above %s are cut, sizes below %s are drawn again.\n",
			model_format(MODEL_SIZE, model->mtu_B, a),
			model_format(MODEL_SIZE, part->size_floor_B, b));
}

static enum tr_status pulse_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	struct pulse_model model;
	char duration[MODEL_NUMBER_BYTES];

	if (pulse_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "A bursty pulse train of %llu nodes; default duration %s.\n",
		(unsigned long long)model.nodes,
		model_format(MODEL_TIME, model.duration_s, duration));
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
		explain_part(&model, p / 2, p % 2, out);
	fprintf(out, "Silence is counted from the %s. Destinations are %s.\n",
		model.silence_from == PULSE_FROM_LAST_PULSE ? "burst's last packet"
							    : "burst's first packet",
		model.destinations == PULSE_UNIFORM ? "any other node with equal probability"
						    : "drawn by the shares of the model");
	pulse_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct pulse_train),
	.open = pulse_train_train_open,
	.next = pulse_train_train_next,
	.nodes = pulse_train_train_nodes,
	.node = pulse_train_train_node,
	.explain = pulse_explain,
	.forecast = pulse_forecast,
	.close = pulse_train_train_close,
};

const struct family pulse_train_family = {
	.name = "pulse-train",
	.summary = "bursts of packets: exponential silences, geometric numbers of packets",
	.generator = &generator,
	.fit = &pulse_train_fit,
};
