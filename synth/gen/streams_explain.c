// SPDX-License-Identifier: GPL-3.0-or-later
// A model of streams in words.
#include <math.h>

#include "gen/streams_model.h"

// Whether a section for some of the nodes stands beside one for each.
static bool some_have_their_own(const struct streams_model *model, const struct streams_section *each)
{
	for (size_t i = 0; i < model->count; i++)
		if (model->sections[i].class == each->class && model->sections[i].who < STREAMS_PAIR &&
		    &model->sections[i] != each)
			return true;
	return false;
}

static void explain_who(const struct streams_model *model, const struct streams_section *section, FILE *out)
{
	switch (section->who) {
	case STREAMS_CONTROLLER:
		fprintf(out, "The controller (node0) sends");
		break;
	case STREAMS_WORKER:
		fprintf(out, streams_has_controller(model) ? "Each worker sends" : "Each node sends");
		break;
	case STREAMS_EACH:
		fprintf(out, some_have_their_own(model, section) ? "Each other node sends" : "Each node sends");
		break;
	case STREAMS_NODE:
		fprintf(out, "node%u sends", section->node);
		break;
	case STREAMS_PAIR:
		fprintf(out, "node%u sends to node%u", section->node, section->to);
		break;
	case STREAMS_NETWORK:
		fprintf(out, "All nodes together send");
		break;
	}
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

static void explain_places(const struct streams_model *model, const struct streams_section *section, FILE *out)
{
	if (section->who == STREAMS_NETWORK)
		fprintf(out, "; from %s", section->from_nodes.count ? "the nodes named, by their shares" :
								      "any node, all alike");
	if (section->who == STREAMS_PAIR)
		fprintf(out, ".\n");
	else if (section->to_nodes.count)
		fprintf(out, "; to the nodes named, by their shares.\n");
	else if (model->destinations == STREAMS_BY_ROLE && streams_has_controller(model) &&
		 section->who != STREAMS_CONTROLLER)
		fprintf(out, "; %.4g %% to the controller, else to any other worker.\n", 100 * section->to_controller);
	else
		fprintf(out, "; to any other node, all alike.\n");
}

enum tr_status streams_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char duration[MODEL_NUMBER_BYTES];
	struct streams_model model;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "%s: %s.\n%llu nodes for %s unless told otherwise.\n", model.kind->family, model.kind->summary,
		(unsigned long long)model.nodes, model_format(MODEL_TIME, model.duration_s, duration));
	for (size_t i = 0; i < model.count; i++) {
		const struct streams_section *section = &model.sections[i];

		explain_who(&model, section, out);
		fprintf(out, " %s, %.6g packets/s on average.\n  ",
			section->class == TR_CLASS_OVERHEAD ? "overhead" : "data",
			model.kind->rate(section->parameters));
		model.kind->explain(section->parameters, out);
		explain_sizes(section, out);
		explain_places(&model, section, out);
	}
	streams_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}
