// SPDX-License-Identifier: GPL-3.0-or-later
// What a model of streams will give.
#include <math.h>

#include "gen/streams_model.h"
#include "trace/words.h"

// Sources of the section among the model's nodes that send anything.
static double count_sources(const struct streams_model *model, const struct streams_section *section,
			    const struct destinations *destinations)
{
	double count = 0;

	if (section->who == STREAMS_PAIR)
		return 1;
	for (uint32_t node = 0; node < model->nodes; node++)
		count += streams_sends(model, section, node) && streams_leads(section, destinations, node);
	return section->who == STREAMS_NETWORK ? fmin(count, 1) : count;
}

static enum tr_status forecast_section(const struct streams_model *model, const struct streams_section *section,
				       const struct destinations *destinations, struct forecast *out, struct tr_error *err)
{
	const struct arrival_process *process = model->family->arrivals;
	struct forecast_sender sender = {
		.what = tr_word(TR_CLASS_CODE, section->class),
		.senders = count_sources(model, section, destinations),
		.packets_per_s = process->rate(section->parameters),
		.payload_B = size_bins_mean_B(section->bins, section->bin_count),
		.burst_packets_per_s = NAN,
		.dispersion = process->dispersion ? process->dispersion(section->parameters) : NAN,
	};

	streams_section_who_text(model, section, sender.who);
	sender.wire_B = sender.payload_B + section->header_B;
	out->memory_B += sender.senders * (STREAMS_SOURCE_BYTES + (double)process->state_bytes);
	return sender.senders > 0 ? forecast_add(out, &sender, err) : TR_OK;
}

// The largest of all, where each that is long-range dependent is known; 0: one is not. A variance that grows like the mean
// is what H = .5 says.
static double hurst_of(const struct streams_model *model)
{
	const struct arrival_process *process = model->family->arrivals;
	double most = 0.5;

	for (size_t i = 0; i < model->count; i++) {
		const void *parameters = model->sections[i].parameters;
		const double dispersion = process->dispersion ? process->dispersion(parameters) : NAN;
		const double own = isfinite(dispersion)			 ? 0.5
				   : isinf(dispersion) && process->hurst ? process->hurst(parameters)
									 : 0;

		if (own == 0)
			return 0;
		most = fmax(most, own);
	}
	return most;
}

static enum tr_status forecast_sections(const struct streams_model *model, const struct destinations *destinations,
					struct forecast *out, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*out = (struct forecast){.nodes = model->nodes, .duration_s = model->duration_s};
	for (size_t i = 0; status == TR_OK && i < model->count; i++)
		status = forecast_section(model, &model->sections[i], destinations, out, err);
	out->hurst = hurst_of(model);
	return status;
}

enum tr_status streams_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	struct destinations destinations;
	struct streams_model model;
	enum tr_status status;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = destinations_open(&destinations, &model.destinations, (uint32_t)model.nodes, 1, text, err);
	if (status == TR_OK)
		status = forecast_sections(&model, &destinations, out, err);
	destinations_clear(&destinations);
	streams_model_clear(&model);
	return status;
}
