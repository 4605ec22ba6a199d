// SPDX-License-Identifier: GPL-3.0-or-later
// A model of streams in words.
#include <math.h>

#include "gen/streams_model.h"
#include "trace/words.h"

// Whether a section for some of the nodes stands beside one for each.
static bool some_have_their_own(const struct streams_model *model, const struct streams_section *each)
{
	for (size_t i = 0; i < model->count; i++)
		if (model->sections[i].class == each->class && model->sections[i].who < STREAMS_PAIR &&
		    &model->sections[i] != each)
			return true;
	return false;
}

void streams_section_who_text(const struct streams_model *model, const struct streams_section *section,
			      char out[FORECAST_WHO_BYTES])
{
	const bool controller = streams_has_controller(model), others = some_have_their_own(model, section);

	if (section->who == STREAMS_NODE)
		(void)snprintf(out, FORECAST_WHO_BYTES, "node%u", section->node);
	else if (section->who == STREAMS_PAIR)
		(void)snprintf(out, FORECAST_WHO_BYTES, "node%u to node%u", section->node, section->to);
	else
		(void)snprintf(out, FORECAST_WHO_BYTES, "%s",
			       section->who == STREAMS_CONTROLLER ? "The controller (node0)"
			       : section->who == STREAMS_NETWORK  ? "The network"
			       : section->who == STREAMS_EACH	  ? (others ? "Each other node" : "Each node")
			       : controller			  ? "Each worker"
								  : "Each node");
}

static void explain_sizes(const struct streams_section *section, FILE *out)
{
	char size[SIZE_TEXT_BYTES];

	if (section->bin_count == 1)
		fprintf(out, "  Packets of %s", size_bin_format(section->bins, size));
	else
		fprintf(out, "  Packets of %zu kinds of sizes", section->bin_count);
	if (section->bin_count > 1 || section->bins->low_B != section->bins->high_B)
		fprintf(out, " (mean %.6g B, deviation %.6g B)", size_bins_mean_B(section->bins, section->bin_count),
			sqrt(size_bins_variance_B2(section->bins, section->bin_count)));
	if (section->header_B > 0)
		fprintf(out, ", and %.9g B more on the wire", section->header_B);
}

static void explain_destinations(const struct streams_model *model, const struct streams_section *section, FILE *out)
{
	if (section->to_nodes.count) {
		fprintf(out, "; to the nodes named, by their shares");
	} else if (model->destinations.by_role && streams_has_controller(model) && section->who != STREAMS_CONTROLLER) {
		fprintf(out, "; %.4g %% to the controller, else to any other worker", 100 * section->to_controller);
	} else {
		fprintf(out, "; to ");
		destinations_explain(&model->destinations, out);
	}
}

static void explain_places(const struct streams_model *model, const struct streams_section *section, FILE *out)
{
	if (section->who == STREAMS_NETWORK)
		fprintf(out, "; from %s",
			section->from_nodes.count ? "the nodes named, by their shares" : "any node, all alike");
	if (section->who != STREAMS_PAIR)
		explain_destinations(model, section, out);
	fprintf(out, ".\n");
}

enum tr_status streams_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char duration[MODEL_NUMBER_BYTES], who[FORECAST_WHO_BYTES];
	struct streams_model model;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "%s: %s.\n%llu nodes for %s unless told otherwise.\n", model.family->name, model.family->summary,
		(unsigned long long)model.nodes, model_format(MODEL_TIME, model.duration_s, duration));
	for (size_t i = 0; i < model.count; i++) {
		const struct streams_section *section = &model.sections[i];

		streams_section_who_text(&model, section, who);
		fprintf(out, "%s: %s, %.6g packets/s on average.\n  ", who, tr_word(TR_CLASS_CODE, section->class),
			model.family->arrivals->rate(section->parameters));
		model.family->arrivals->explain(section->parameters, out);
		explain_sizes(section, out);
		explain_places(&model, section, out);
	}
	streams_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}
