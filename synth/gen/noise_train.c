// SPDX-License-Identifier: GPL-3.0-or-later
// Packets whose counts per bin follow fractional noise. The whole series of counts is made at the start; the packets of a
// bin are spread over it, each at random in its own share of the bin. Streams: "counts", "times", "nodes", "sizes".
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/noise_model.h"
#include "gen/source.h"

#define BINS_MAX ((size_t)1 << 26)

struct noise_train {
	struct draw_tables tables;
	struct sizes sizes;
	struct tr_random times, places, lengths;
	double *counts; // of each bin, whole numbers
	size_t bins;
	size_t bin;  // under way
	double done; // packets of it
	double bin_ticks;
	int64_t end_ticks;
	uint64_t packets;
	uint32_t nodes;
	uint32_t header_B;
};

static void fill_packet(struct noise_train *train, int64_t ticks, struct tr_packet *packet)
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

// Time of the next packet; end_ticks where there is none.
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

static enum tr_status train_next(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err)
{
	struct noise_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max) {
		int64_t ticks = next_ticks(train);

		if (ticks >= train->end_ticks)
			break;
		fill_packet(train, ticks, &packets[n++]);
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t train_nodes(const void *state)
{
	return ((const struct noise_train *)state)->nodes;
}

static void train_close(void *state)
{
	struct noise_train *train = state;

	sizes_clear(&train->sizes);
	free(train->counts);
}

// Noise of variance 1 becomes counts.
static enum tr_status make_counts(struct noise_train *train, const struct noise_model *noise, uint64_t seed,
				  struct tr_error *err)
{
	const struct rectified_normal normal = noise_under(noise);
	struct tr_random random;

	train->counts = malloc(train->bins * sizeof(*train->counts));
	if (!train->counts)
		return tr_no_memory(err, "%zu counts", train->bins);
	tr_random_open(&random, seed, "counts");
	if (fractional_noise(train->counts, train->bins, (enum fractional_law)noise->law, noise->hurst, &train->tables, &random,
			     err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < train->bins; i++)
		train->counts[i] = fmax(0, round(normal.mean + normal.deviation * train->counts[i]));
	return TR_OK;
}

static enum tr_status set_up(struct noise_train *train, const struct noise_model *noise,
			     const struct generator_settings *settings, struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;
	double bins;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)noise->nodes;
	if (train->nodes < 2 || train->nodes > NOISE_NODES_MAX)
		return tr_fail(err, "there must be 2 to %u nodes", NOISE_NODES_MAX);
	train->bin_ticks = noise->bin_s * ticks_per_s;
	train->end_ticks = source_end_ticks(settings, noise->duration_s);
	bins = ceil((double)train->end_ticks / train->bin_ticks);
	if (!(bins <= (double)BINS_MAX))
		return tr_fail(err, "%.3g counts are more than %zu: a shorter duration or a longer counts-every", bins,
			       BINS_MAX);
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

static enum tr_status train_open(void *state, const struct model *text, const struct generator_settings *settings,
				 struct tr_error *err)
{
	struct noise_model noise;
	enum tr_status status;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	status = set_up(state, &noise, settings, err);
	noise_model_clear(&noise);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct noise_train),
	.open = train_open,
	.next = train_next,
	.nodes = train_nodes,
	.node = source_worker,
	.explain = noise_explain,
	.forecast = noise_forecast,
	.close = train_close,
};

const struct family fractional_noise_family = {
	.name = "fractional-noise",
	.summary = "counts of the whole network as fractional noise of one H",
	.generator = &generator,
	.fit = &fractional_noise_fit,
};
