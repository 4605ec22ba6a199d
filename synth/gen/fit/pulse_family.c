// SPDX-License-Identifier: GPL-3.0-or-later
// The bursty pulse train as a family: the fit of pulse_fit.c, and the likelihood of the renewal process that a train is whose
// silence is counted from the last packet of a burst (gap_mixture.h). A source is met at a random time, so that the
// time to its first packet has the density of the forward recurrence time, G(x)/mean with G the probability of a longer gap.
//
// Known value: with pulses 1 it is a Poisson process, n ln(rate) - rate T for each source.
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/pulse_model.h"

static enum tr_status add_all(struct pulse_fit *fit, const struct packet_sample *sample, struct tr_error *err)
{
	for (size_t i = 0; i < sample->count; i++) {
		const struct tr_packet packet = {
			.time_ticks = sample->ticks[i],
			.src = sample->src[i],
			.dst = sample->dst[i],
			.payload_bytes = sample->payload_B[i],
			.wire_bytes = sample->wire_B[i],
			.class = sample->class[i],
		};

		if (pulse_fit_add(fit, &packet, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static unsigned count_free(const struct pulse_model *model)
{
	unsigned free = 0;

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const struct pulse_part *part = &model->part[p / 2][p % 2];

		free += part->present ? part->pulses > 1 ? 3 : 1 : 0;
	}
	return free;
}

static enum tr_status pulse_family_fit(const struct family *family, const struct packet_sample *sample,
				       const struct fit_options *options, struct model *text, struct fit_notes *notes,
				       struct tr_error *err)
{
	struct pulse_fitted fitted;
	struct pulse_fit *fit;
	enum tr_status status;

	(void)family;
	if (pulse_fit_open(&fit, &options->pulse, err) != TR_OK)
		return TR_ERROR;
	status = add_all(fit, sample, err);
	if (status == TR_OK)
		status = pulse_fit_finish(fit, sample->people.roles, sample->people.count, &fitted, err);
	pulse_fit_close(fit);
	if (status != TR_OK)
		return status;
	pulse_model_put(text, &fitted.model, fitted.notes);
	notes->freedom = count_free(&fitted.model);
	(void)snprintf(notes->method, sizeof(notes->method), "%s",
		       options->pulse.method == PULSE_MIXTURE ? "by likelihood of the gaps (EM and Newton's method)"
							      : "by bursts that a window tells apart");
	pulse_model_clear(&fitted.model);
	return TR_OK;
}

// A part's gap in ticks: a silence with probability share, else an inter-pulse time.
struct gap_law {
	double share, silence, inter_pulse;
};

static struct gap_law law_of(const struct pulse_part *part, double ticks_per_s)
{
	return (struct gap_law){1 / part->pulses, part->silence_s * ticks_per_s, part->inter_pulse_s * ticks_per_s};
}

static double mixed(const struct gap_law *law, double of_silence, double of_inter_pulse)
{
	return law->share * of_silence + (law->share < 1 ? (1 - law->share) * of_inter_pulse : 0);
}

static double log_gap(const struct gap_law *law, double x)
{
	return log(mixed(law, exp(-x / law->silence) / law->silence, exp(-x / law->inter_pulse) / law->inter_pulse));
}

static double log_longer(const struct gap_law *law, double x)
{
	return log(mixed(law, exp(-x / law->silence), exp(-x / law->inter_pulse)));
}

// No packet in x from a random time on.
static double log_none(const struct gap_law *law, double x)
{
	return log(mixed(law, law->silence * exp(-x / law->silence), law->inter_pulse * exp(-x / law->inter_pulse)) /
		   mixed(law, law->silence, law->inter_pulse));
}

static double log_first(const struct gap_law *law, double x)
{
	return log_longer(law, x) - log(mixed(law, law->silence, law->inter_pulse));
}

static const struct pulse_part *part_of(const struct pulse_model *model, const struct packet_people *people, uint32_t id,
					unsigned class)
{
	return &model->part[people->roles[id] == TR_ROLE_CONTROLLER ? PULSE_CONTROLLER : PULSE_WORKER][class];
}

// last[2 id + class] is the time of a source's last packet, begin - 1 while it has none.
static double sum_packets(const struct pulse_model *model, const struct packet_sample *sample, int64_t *last)
{
	double sum = 0;

	for (size_t i = 0; i < sample->count; i++) {
		unsigned class = sample->class[i] == TR_CLASS_OVERHEAD ? PULSE_OVERHEAD : PULSE_DATA;
		const struct pulse_part *part;
		struct gap_law law;
		int64_t *at;

		if (sample->src[i] >= sample->people.count)
			continue;
		part = part_of(model, &sample->people, sample->src[i], class);
		if (!part->present)
			return -INFINITY;
		law = law_of(part, sample->ticks_per_s);
		at = &last[(size_t)2 * sample->src[i] + class];
		sum += *at < sample->begin_ticks ? log_first(&law, (double)(sample->ticks[i] - sample->begin_ticks))
						 : log_gap(&law, (double)(sample->ticks[i] - *at));
		*at = sample->ticks[i];
	}
	return sum;
}

static double sum_ends(const struct pulse_model *model, const struct packet_sample *sample, const int64_t *last)
{
	double sum = 0;

	for (size_t i = 0; i < (size_t)2 * sample->people.count; i++) {
		const struct pulse_part *part = part_of(model, &sample->people, (uint32_t)(i / 2), i % 2);
		struct gap_law law = law_of(part, sample->ticks_per_s);

		if (!part->present || sample->people.number[i / 2] == UINT32_MAX)
			continue;
		sum += last[i] < sample->begin_ticks ? log_none(&law, (double)(sample->end_ticks - sample->begin_ticks))
						     : log_longer(&law, (double)(sample->end_ticks - last[i]));
	}
	return sum;
}

static enum tr_status pulse_log_likelihood(const struct family *family, const struct model *text,
					   const struct packet_sample *sample, const struct fit_options *options, double *out,
					   struct tr_error *err)
{
	size_t sources = (size_t)2 * sample->people.count;
	struct pulse_model model;
	int64_t *last;

	(void)family;
	(void)options;
	if (pulse_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	last = calloc(sources + 1, sizeof(*last));
	for (size_t i = 0; last && i < sources; i++)
		last[i] = sample->begin_ticks - 1;
	*out = NAN;
	if (last) {
		*out = sum_packets(&model, sample, last);
		*out += sum_ends(&model, sample, last);
	}
	free(last);
	pulse_model_clear(&model);
	return last ? TR_OK : tr_no_memory(err, "%zu sources", sources);
}

const struct family_fit pulse_train_fit = {
	.by = 1u << FIT_BY_ROLE,
	.fit = pulse_family_fit,
	.log_likelihood = pulse_log_likelihood,
};
