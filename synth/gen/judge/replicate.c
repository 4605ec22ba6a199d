// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/judge/replicate.h"

#include "gen/fit/counted_sample.h"
#include "gen/families/family.h"

#define BATCH 512
#define SPARE 1000u

static enum tr_status take(struct generator *generator, size_t most, struct packet_sample *out, struct tr_error *err)
{
	struct tr_packet packets[BATCH];
	enum tr_status status;
	size_t count;

	while ((status = generator_next(generator, packets, BATCH, &count, err)) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			if (out->count >= most)
				return tr_fail(err, "makes more than %zu packets where the trace has %zu", most,
					       (most - SPARE) / JUDGE_REPLICATE_FACTOR);
			if (packet_sample_add(out, &packets[i], err) != TR_OK)
				return TR_ERROR;
		}
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status judge_replicate(const struct model *text, const struct packet_sample *like, uint64_t seed,
			       struct packet_sample *out, struct tr_error *err)
{
	size_t most = JUDGE_REPLICATE_FACTOR * like->count + SPARE;
	struct generator_settings settings = {
		.seed = seed,
		.ticks_per_s = (uint64_t)like->ticks_per_s,
		.end_ticks = like->end_ticks - like->begin_ticks,
	};
	struct generator generator;
	enum tr_status status;

	*out = (struct packet_sample){.ticks_per_s = like->ticks_per_s, .most = most + 1};
	if (generator_open(&generator, text, &settings, err) != TR_OK)
		return TR_ERROR;
	status = take(&generator, most, out, err);
	generator_close(&generator);
	out->begin_ticks = 0;
	out->end_ticks = settings.end_ticks;
	if (status == TR_OK && like->bin_ticks)
		counted_sample_blur(out, like->bin_ticks, seed);
	return status;
}
