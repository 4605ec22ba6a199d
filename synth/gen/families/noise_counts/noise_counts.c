// SPDX-License-Identifier: GPL-3.0-or-later
// Packets whose counts per bin follow fractional noise. All counts are generated at the start; the
// packets of a bin are spread over it, each at random in its own share of the bin. Streams:
// "counts", "times", "nodes", "sizes".
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/noise_counts/noise_counts.h"
#include "gen/model_field.h"
#include "gen/packet_source.h"

static const struct opt_choice law_words[] = {{"fgn", FRACTIONAL_GAUSSIAN},
					      {"farima", FRACTIONAL_FARIMA},
					      {NULL, 0}};

#define AT(member) offsetof(struct noise_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"counts-every", MODEL_TIME, AT(bin_s), true, 1e-9, 1e6, NULL},
	{"packets", MODEL_REAL, AT(packets), true, 1e-6, 1e9, NULL},
	{"dispersion", MODEL_REAL, AT(dispersion), false, 0, 1e9, NULL},
	{"hurst", MODEL_REAL, AT(hurst), true, 0.01, 0.99, NULL},
	{"noise", MODEL_WORD, AT(law), false, 0, 0, law_words},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT
enum { OF_PACKETS = 4, OF_HURST = 6, FIELDS = sizeof(fields) / sizeof(*fields) };

static enum tr_status noise_model_get(const struct model *model, struct noise_model *out,
				      struct tr_error *err)
{
	enum tr_status status;

	*out = (struct noise_model){.duration_s = 60, .dispersion = 1, .law = FRACTIONAL_GAUSSIAN};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err,
				    "the family fractional-noise has no sections");
	if (status == TR_OK && out->law == FRACTIONAL_FARIMA && out->hurst < 0.5)
		status = model_fail(model, model_find(model, "", "hurst"), err,
				    "hurst: farima needs at least 0.5");
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status != TR_OK)
		noise_model_clear(out);
	return status;
}

void noise_model_put(struct model *model, const struct noise_model *noise, const char *of_packets,
		     const char *of_hurst)
{
	const char *comments[FIELDS] = {[OF_PACKETS] = of_packets, [OF_HURST] = of_hurst};

	model_key(model, "family", "fractional-noise", NULL);
	model_put(model, fields, noise, comments);
	size_bins_or_size_put(model, noise->bins, noise->bin_count);
}

// The normal law of the noise for the counts' mean and variance after values below 0 become 0.
static struct rectified_normal noise_under(const struct noise_model *noise)
{
	return rectified_normal_of(noise->packets, sqrt(noise->packets * noise->dispersion));
}

static enum tr_status noise_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char bin[MODEL_NUMBER_BYTES];
	struct noise_model noise;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	const double sd = sqrt(noise.packets * noise.dispersion), zero = noise_under(&noise).zero;

	fprintf(out,
		"%llu nodes together send %.6g packets in each %s, with a standard deviation of "
		"%.4g, as %s with H = %.4g:\n  bursty at all scales above this bin width, smooth "
		"below it. Sources and destinations are uniform.\n",
		(unsigned long long)noise.nodes, noise.packets,
		model_format(MODEL_TIME, noise.bin_s, bin), sd,
		noise.law == FRACTIONAL_GAUSSIAN ? "fractional Gaussian noise" : "FARIMA(0, d, 0)",
		noise.hurst);
	if (zero > 0.001)
		fprintf(out,
			"  %.2g %% of its counts would be negative and are set to 0. Mean and "
			"deviation allow for this; neighbouring bins are less correlated than in "
			"the noise.\n",
			100 * zero);
	noise_model_clear(&noise);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

static enum tr_status noise_forecast(const struct model *text, struct forecast *out,
				     struct tr_error *err)
{
	struct forecast_sender sender = {
		.who = "All nodes", .what = "data", .senders = 1, .burst_packets_per_s = NAN};
	struct noise_model noise;
	enum tr_status status;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){
		.nodes = noise.nodes, .duration_s = noise.duration_s, .hurst = noise.hurst};
	sender.packets_per_s = noise.packets / noise.bin_s;
	sender.payload_B = size_bins_mean_B(noise.bins, noise.bin_count);
	sender.wire_B = sender.payload_B + noise.header_B;
	sender.dispersion = noise.hurst > 0.5	 ? INFINITY
			    : noise.hurst == 0.5 ? noise.dispersion
						 : 0;
	out->memory_B = 48 * noise.duration_s / noise.bin_s;
	status = forecast_add(out, &sender, err);
	noise_model_clear(&noise);
	return status;
}

void noise_model_clear(struct noise_model *noise)
{
	free(noise->bins);
	*noise = (struct noise_model){0};
}

// Range of mean over deviation of the normal law: from a few in 1e16 above 0 to none below 0.
#define LEAST (-8.0)
#define MOST 9.0
#define HALVINGS 60

// Mean of a normal law of this mean and deviation 1, rectified at 0; *square: of its square.
static double noise_counts_moments(double mean, double *square)
{
	const double density = exp(-0.5 * mean * mean) / sqrt(2 * M_PI),
		     above = 0.5 * erfc(-mean / M_SQRT2);

	*square = (mean * mean + 1) * above + mean * density;
	return mean * above + density;
}

struct rectified_normal rectified_normal_of(double mean, double deviation)
{
	double low = LEAST, high = MOST, left, square;

	if (!(deviation * MOST > mean))
		return (struct rectified_normal){mean, deviation, 0};
	for (int i = 0; i < HALVINGS; i++) { // the relative variance falls with the mean
		const double middle = (low + high) / 2;

		left = noise_counts_moments(middle, &square);
		if (square / (left * left) - 1 > deviation / mean * (deviation / mean))
			low = middle;
		else
			high = middle;
	}
	left = noise_counts_moments(low, &square);
	return (struct rectified_normal){low * mean / left, mean / left, 0.5 * erfc(low / M_SQRT2)};
}

#define BINS_MAX ((size_t)1 << 26)

struct noise_train {
	struct draw_tables tables;
	struct sizes sizes;
	struct tr_random times, places, lengths;
	double *counts; // of each bin, whole numbers
	size_t bins;
	size_t bin;  // current
	double done; // packets of it
	double bin_ticks;
	int64_t end_ticks;
	uint64_t packets;
	uint32_t nodes;
	uint32_t header_B;
};

static void noise_counts_fill_packet(struct noise_train *train, int64_t ticks,
				     struct tr_packet *packet)
{
	uint32_t source = (uint32_t)tr_random_below(&train->places, train->nodes);
	uint32_t size_B = sizes_draw(&train->sizes, &train->tables, &train->lengths);

	*packet = (struct tr_packet){
		.time_ticks = ticks,
		.id = train->packets++,
		.flow = TR_FLOW_NONE,
		.src = source,
		.dst = source_draw_other(&train->places, 0, train->nodes, source),
		.payload_bytes = size_B,
		.wire_bytes = source_wire_B(size_B, train->header_B),
		.class = TR_CLASS_DATA,
	};
}

// Time of the next packet; end_ticks if there is none.
static int64_t next_ticks(struct noise_train *train)
{
	double place;

	while (train->bin < train->bins && train->done >= train->counts[train->bin]) {
		train->bin++;
		train->done = 0;
	}
	if (train->bin >= train->bins)
		return train->end_ticks;
	place = (train->done++ + tr_random_unit(&train->times)) / train->counts[train->bin];
	return (int64_t)(((double)train->bin + place) * train->bin_ticks);
}

static enum tr_status noise_counts_train_next(void *state, struct tr_packet *packets, size_t max,
					      size_t *count, struct tr_error *err)
{
	struct noise_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max) {
		int64_t ticks = next_ticks(train);

		if (ticks >= train->end_ticks)
			break;
		noise_counts_fill_packet(train, ticks, &packets[n++]);
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t noise_counts_train_nodes(const void *state)
{
	return ((const struct noise_train *)state)->nodes;
}

static void noise_counts_train_close(void *state)
{
	struct noise_train *train = state;

	sizes_clear(&train->sizes);
	free(train->counts);
}

// Converts noise of variance 1 to counts.
static enum tr_status make_counts(struct noise_train *train, const struct noise_model *noise,
				  uint64_t seed, struct tr_error *err)
{
	const struct rectified_normal normal = noise_under(noise);
	struct tr_random random;

	train->counts = malloc(train->bins * sizeof(*train->counts));
	if (!train->counts)
		return tr_no_memory(err, "%zu counts", train->bins);
	tr_random_open(&random, seed, "counts");
	if (fractional_noise(train->counts, train->bins, (enum fractional_law)noise->law,
			     noise->hurst, &train->tables, &random, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < train->bins; i++)
		train->counts[i] = fmax(0,
					round(normal.mean + normal.deviation * train->counts[i]));
	return TR_OK;
}

static enum tr_status noise_counts_set_up(struct noise_train *train,
					  const struct noise_model *noise,
					  const struct generator_settings *settings,
					  struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;
	double bins;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)noise->nodes;
	if (train->nodes < 2 || train->nodes > MODEL_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", MODEL_NODES_MAX);
	train->bin_ticks = noise->bin_s * ticks_per_s;
	train->end_ticks = source_end_ticks(settings, noise->duration_s);
	bins = ceil((double)train->end_ticks / train->bin_ticks);
	if (!(bins <= (double)BINS_MAX))
		return tr_fail(
			err,
			"%.3g counts exceed %zu: use a shorter duration or a longer counts-every",
			bins, BINS_MAX);
	train->bins = bins > 1 ? (size_t)bins : 1;
	train->header_B = (uint32_t)(noise->header_B + 0.5);
	draw_tables_make(&train->tables);
	tr_random_open(&train->times, settings->seed, "times");
	tr_random_open(&train->places, settings->seed, "nodes");
	tr_random_open(&train->lengths, settings->seed, "sizes");
	if (sizes_empirical(&train->sizes, noise->bins, noise->bin_count, err) != TR_OK)
		return TR_ERROR;
	return make_counts(train, noise, settings->seed, err);
}

static enum tr_status noise_counts_train_open(void *state, const struct model *text,
					      const struct generator_settings *settings,
					      struct tr_error *err)
{
	struct noise_model noise;
	enum tr_status status;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	status = noise_counts_set_up(state, &noise, settings, err);
	noise_model_clear(&noise);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct noise_train),
	.open = noise_counts_train_open,
	.next = noise_counts_train_next,
	.nodes = noise_counts_train_nodes,
	.node = source_worker,
	.explain = noise_explain,
	.forecast = noise_forecast,
	.close = noise_counts_train_close,
};

const struct family noise_counts_family = {
	.name = "fractional-noise",
	.summary = "fractional noise: counts of the whole network with one H",
	.generator = &generator,
	.fit = &noise_family_fit,
	.needs_end = true,
};
