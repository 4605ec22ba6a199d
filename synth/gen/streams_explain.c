// SPDX-License-Identifier: GPL-3.0-or-later
// Which section applies to which node, and consistency checks.
#include "gen/streams_model.h"

#include <math.h>

#include "stream/words.h"

bool streams_has_controller(const struct streams_model *model)
{
	for (size_t i = 0; i < model->count; i++)
		if (model->sections[i].who == STREAMS_CONTROLLER ||
		    model->sections[i].to_controller > 0)
			return true;
	return false;
}

// How specifically the section matches the node; 0: not at all.
static int closeness(const struct streams_section *section, uint32_t node, bool controller)
{
	switch (section->who) {
	case STREAMS_NODE: return section->node == node ? 3 : 0;
	case STREAMS_CONTROLLER: return controller ? 2 : 0;
	case STREAMS_WORKER: return controller ? 0 : 2;
	case STREAMS_EACH: return 1;
	case STREAMS_PAIR:
	case STREAMS_NETWORK: break;
	}
	return 0;
}

const struct streams_section *streams_section_of(const struct streams_model *model, uint32_t node,
						 enum tr_class class)
{
	const bool controller = node == 0 && streams_has_controller(model);
	const struct streams_section *found = NULL;
	int best = 0;

	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];
		int close = section->class == class ? closeness(section, node, controller) : 0;

		if (close > best) {
			best = close;
			found = section;
		}
	}
	return found;
}

// Whether the node may send packets of the section.
static bool streams_sends(const struct streams_model *model, const struct streams_section *section,
			  uint32_t node)
{
	if (section->who != STREAMS_NETWORK)
		return streams_section_of(model, node, section->class) == section;
	return section->from_nodes.count == 0 || node_shares_of(&section->from_nodes, node) > 0;
}

bool streams_leads(const struct streams_section *section, const struct destinations *destinations,
		   uint32_t node)
{
	return section->who == STREAMS_PAIR || section->to_nodes.count > 0 ||
	       destinations_lead(destinations, node);
}

// The shares of nodes other than this one must not all be 0.
static bool serves(const struct streams_section *section, uint32_t node)
{
	return section->to_nodes.count == 0 || node_shares_of_others(&section->to_nodes, node) > 0;
}

static bool shares_within(const struct node_shares *shares, uint64_t nodes)
{
	for (size_t i = 0; i < shares->count; i++)
		if (shares->each[i].node >= nodes)
			return false;
	return true;
}

// A node without a share leaves all of them to others.
static bool serves_all(const struct streams_model *model, const struct streams_section *section)
{
	for (size_t i = 0; i < section->to_nodes.count; i++) {
		const uint32_t node = section->to_nodes.each[i].node;

		if (streams_sends(model, section, node) && !serves(section, node))
			return false;
	}
	return serves(section, UINT32_MAX);
}

enum tr_status streams_model_check(const struct streams_model *model, uint64_t nodes,
				   struct tr_error *err)
{
	char name[STREAMS_NAME_BYTES];

	if (nodes < 2 || nodes > MODEL_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", MODEL_NODES_MAX);
	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];

		streams_section_name(section, name);
		if (section->node >= nodes || section->to >= nodes ||
		    !shares_within(&section->from_nodes, nodes) ||
		    !shares_within(&section->to_nodes, nodes))
			return tr_fail(err, "[%s]: the node exceeds the number of nodes, %llu",
				       name, (unsigned long long)nodes);
		if (!serves_all(model, section))
			return tr_fail(err, "[%s]: the packets of a node have no destination",
				       name);
		if (section->from_nodes.count &&
		    !(node_shares_of_others(&section->from_nodes, UINT32_MAX) > 0))
			return tr_fail(err, "[%s]: all shares of from are zero", name);
	}
	return TR_OK;
}

// ---- A model of streams in words.

// Whether there are sections for some of the nodes besides one for each.
static bool some_have_their_own(const struct streams_model *model,
				const struct streams_section *each)
{
	for (size_t i = 0; i < model->count; i++)
		if (model->sections[i].class == each->class &&
		    model->sections[i].who < STREAMS_PAIR && &model->sections[i] != each)
			return true;
	return false;
}

// The senders in words: "Each worker", "node3 to node5".
static void streams_section_who_text(const struct streams_model *model,
				     const struct streams_section *section,
				     char out[FORECAST_WHO_BYTES])
{
	const bool controller = streams_has_controller(model),
		   others = some_have_their_own(model, section);

	if (section->who == STREAMS_NODE)
		(void)snprintf(out, FORECAST_WHO_BYTES, "node%u", section->node);
	else if (section->who == STREAMS_PAIR)
		(void)snprintf(out, FORECAST_WHO_BYTES, "node%u to node%u", section->node,
			       section->to);
	else
		(void)snprintf(out, FORECAST_WHO_BYTES, "%s",
			       section->who == STREAMS_CONTROLLER ? "The controller (node0)"
			       : section->who == STREAMS_NETWORK  ? "The network"
			       : section->who == STREAMS_EACH
				       ? (others ? "Each other node" : "Each node")
			       : controller ? "Each worker"
					    : "Each node");
}

static void streams_explain_explain_sizes(const struct streams_section *section, FILE *out)
{
	char size[SIZE_TEXT_BYTES];

	if (section->bin_count == 1)
		fprintf(out, "  Packets of %s", size_bin_format(section->bins, size));
	else
		fprintf(out, "  Packets of %zu kinds of sizes", section->bin_count);
	if (section->bin_count > 1 || section->bins->low_B != section->bins->high_B)
		fprintf(out, " (mean %.6g B, deviation %.6g B)",
			size_bins_mean_B(section->bins, section->bin_count),
			sqrt(size_bins_variance_B2(section->bins, section->bin_count)));
	if (section->header_B > 0)
		fprintf(out, ", and a header of %.9g B on the wire", section->header_B);
}

static void explain_destinations(const struct streams_model *model,
				 const struct streams_section *section, FILE *out)
{
	if (section->to_nodes.count) {
		fprintf(out, "; to the listed nodes, by their shares");
	} else if (model->destinations.by_role && streams_has_controller(model) &&
		   section->who != STREAMS_CONTROLLER) {
		fprintf(out, "; %.4g %% to the controller, the rest to any other worker",
			100 * section->to_controller);
	} else {
		fprintf(out, "; to ");
		destinations_explain(&model->destinations, out);
	}
}

static void explain_places(const struct streams_model *model, const struct streams_section *section,
			   FILE *out)
{
	if (section->who == STREAMS_NETWORK)
		fprintf(out, "; from %s",
			section->from_nodes.count ? "the listed nodes, by their shares"
						  : "any node with equal probability");
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
	fprintf(out, "%s: %s.\n%llu nodes; default duration %s.\n", model.family->name,
		model.family->summary, (unsigned long long)model.nodes,
		model_format(MODEL_TIME, model.duration_s, duration));
	for (size_t i = 0; i < model.count; i++) {
		const struct streams_section *section = &model.sections[i];

		streams_section_who_text(&model, section, who);
		fprintf(out, "%s: %s, %.6g packets/s on average.\n  ", who,
			tr_word(TR_CLASS_CODE, section->class),
			model.family->arrivals->rate(section->parameters));
		model.family->arrivals->explain(section->parameters, out);
		streams_explain_explain_sizes(section, out);
		explain_places(&model, section, out);
	}
	streams_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

// ---- The forecast of a model of streams.

// Sources of the section, among the model's nodes, that send anything.
static double streams_explain_count_sources(const struct streams_model *model,
					    const struct streams_section *section,
					    const struct destinations *destinations)
{
	double count = 0;

	if (section->who == STREAMS_PAIR)
		return 1;
	for (uint32_t node = 0; node < model->nodes; node++)
		count += streams_sends(model, section, node) &&
			 streams_leads(section, destinations, node);
	return section->who == STREAMS_NETWORK ? fmin(count, 1) : count;
}

static enum tr_status forecast_section(const struct streams_model *model,
				       const struct streams_section *section,
				       const struct destinations *destinations,
				       struct forecast *out, struct tr_error *err)
{
	const struct arrival_process *process = model->family->arrivals;
	struct forecast_sender sender = {
		.what = tr_word(TR_CLASS_CODE, section->class),
		.senders = streams_explain_count_sources(model, section, destinations),
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

// The largest H of all, if it is known for each that is long-range dependent; 0: not known. A
// variance that grows like the mean means H = .5.
static double hurst_of(const struct streams_model *model)
{
	const struct arrival_process *process = model->family->arrivals;
	double most = 0.5;

	for (size_t i = 0; i < model->count; i++) {
		const void *parameters = model->sections[i].parameters;
		const double dispersion = process->dispersion ? process->dispersion(parameters)
							      : NAN;
		const double own = isfinite(dispersion) ? 0.5
				   : isinf(dispersion) && process->hurst
					   ? process->hurst(parameters)
					   : 0;

		if (own == 0)
			return 0;
		most = fmax(most, own);
	}
	return most;
}

static enum tr_status forecast_sections(const struct streams_model *model,
					const struct destinations *destinations,
					struct forecast *out, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*out = (struct forecast){.nodes = model->nodes, .duration_s = model->duration_s};
	for (size_t i = 0; status == TR_OK && i < model->count; i++)
		status = forecast_section(model, &model->sections[i], destinations, out, err);
	out->hurst = hurst_of(model);
	return status;
}

enum tr_status streams_forecast(const struct model *text, struct forecast *out,
				struct tr_error *err)
{
	struct destinations destinations;
	struct streams_model model;
	enum tr_status status;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = destinations_open(&destinations, &model.destinations, (uint32_t)model.nodes, 1,
				   text, err);
	if (status == TR_OK)
		status = forecast_sections(&model, &destinations, out, err);
	destinations_clear(&destinations);
	streams_model_clear(&model);
	return status;
}
