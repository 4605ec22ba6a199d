// SPDX-License-Identifier: GPL-3.0-or-later
// What a model of streams will give.
#include <math.h>

#include "gen/streams_model.h"

// Sources of the section among the model's nodes.
static double count_sources(const struct streams_model *model, const struct streams_section *section)
{
	double count = 0;

	if (section->who == STREAMS_PAIR || section->who == STREAMS_NETWORK)
		return 1;
	for (uint32_t node = 0; node < model->nodes; node++)
		count += streams_section_of(model, node, section->class) == section;
	return count;
}

static enum tr_status forecast_section(const struct streams_model *model, const struct streams_section *section,
				       struct forecast *out, struct tr_error *err)
{
	const struct arrival_kind *kind = model->kind;
	struct forecast_sender sender = {
		.what = section->class == TR_CLASS_OVERHEAD ? "overhead" : "data",
		.senders = count_sources(model, section),
		.packets_per_s = kind->rate(section->parameters),
		.payload_B = size_bins_mean_B(section->bins, section->bin_count),
		.burst_packets_per_s = NAN,
		.dispersion = kind->dispersion ? kind->dispersion(section->parameters) : NAN,
	};

	streams_section_who_text(model, section, sender.who);
	sender.wire_B = sender.payload_B + section->header_B;
	out->memory_B += sender.senders * (STREAMS_SOURCE_BYTES + (double)kind->state_bytes);
	return sender.senders > 0 ? forecast_add(out, &sender, err) : TR_OK;
}

enum tr_status streams_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	struct streams_model model;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = model.nodes, .duration_s = model.duration_s};
	for (size_t i = 0; status == TR_OK && i < model.count; i++)
		status = forecast_section(&model, &model.sections[i], out, err);
	// A variance that grows like the mean is what H = .5 says.
	out->hurst = isfinite(forecast_total(out).dispersion) ? 0.5 : 0;
	streams_model_clear(&model);
	return status;
}
