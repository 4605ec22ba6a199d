// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/noise_model.h"

#include <math.h>
#include <stdlib.h>

#include "gen/model_field.h"

static const struct opt_choice law_words[] = {{"fgn", FRACTIONAL_GAUSSIAN}, {"farima", FRACTIONAL_FARIMA}, {NULL, 0}};

#define AT(member) offsetof(struct noise_model, member)
static const struct model_field fields[] = {{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"nodes", MODEL_COUNT, AT(nodes), true, 2, NOISE_NODES_MAX, NULL},
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

enum tr_status noise_model_get(const struct model *model, struct noise_model *out, struct tr_error *err)
{
	enum tr_status status;

	*out = (struct noise_model){.duration_s = 60, .dispersion = 1, .law = FRACTIONAL_GAUSSIAN};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family fractional-noise has no sections");
	if (status == TR_OK && out->law == FRACTIONAL_FARIMA && out->hurst < 0.5)
		status = model_fail(model, model_find(model, "", "hurst"), err, "hurst: noise farima needs at least 0.5");
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status != TR_OK)
		noise_model_clear(out);
	return status;
}

void noise_model_put(struct model *model, const struct noise_model *noise, const char *of_packets, const char *of_hurst)
{
	const char *comments[FIELDS] = {[OF_PACKETS] = of_packets, [OF_HURST] = of_hurst};

	model_key(model, "family", "fractional-noise", NULL);
	model_put(model, fields, noise, comments);
	size_bins_or_size_put(model, noise->bins, noise->bin_count);
}

struct rectified_normal noise_under(const struct noise_model *noise)
{
	return rectified_normal_of(noise->packets, sqrt(noise->packets * noise->dispersion));
}

enum tr_status noise_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char bin[MODEL_NUMBER_BYTES];
	struct noise_model noise;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	const double sd = sqrt(noise.packets * noise.dispersion), zero = noise_under(&noise).zero;

	fprintf(out,
		"%llu nodes send %.6g packets in each %s all together, with a standard deviation of %.4g that "
		"follows %s of H = %.4g:\n  bursts at all scales from there on, smooth below it. Any node sends, to any "
		"other, all alike.\n",
		(unsigned long long)noise.nodes, noise.packets, model_format(MODEL_TIME, noise.bin_s, bin), sd,
		noise.law == FRACTIONAL_GAUSSIAN ? "fractional Gaussian noise" : "FARIMA(0, d, 0)", noise.hurst);
	if (zero > 0.001)
		fprintf(out,
			"  Of its counts %.2g %% would be below 0 and are 0, which is allowed for in mean and deviation; bins near "
			"one another are less alike than in the noise.\n",
			100 * zero);
	noise_model_clear(&noise);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

enum tr_status noise_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	struct forecast_sender sender = {.who = "All nodes", .what = "data", .senders = 1, .burst_packets_per_s = NAN};
	struct noise_model noise;
	enum tr_status status;

	if (noise_model_get(text, &noise, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = noise.nodes, .duration_s = noise.duration_s, .hurst = noise.hurst};
	sender.packets_per_s = noise.packets / noise.bin_s;
	sender.payload_B = size_bins_mean_B(noise.bins, noise.bin_count);
	sender.wire_B = sender.payload_B + noise.header_B;
	sender.dispersion = noise.hurst > 0.5 ? INFINITY : noise.hurst == 0.5 ? noise.dispersion : 0;
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
