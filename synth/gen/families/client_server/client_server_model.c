// SPDX-License-Identifier: GPL-3.0-or-later
// The text of clients and servers (Qiao 1997, see client_server.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/client_server/client_server.h"
#include "gen/model_field.h"
#include "value/grow.h"
#include "value/num.h"

// Keys of a section; before the sections, their defaults.
struct section_keys {
	uint64_t nodes;
	double rate_bps, think_s, service_s;
};

// Keys before the sections.
struct global_keys {
	struct section_keys each;
	uint64_t nodes;
	double duration_s, header_B;
};

#define AT(member) offsetof(struct global_keys, member)
static const struct model_field global_fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), false, 2, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"rate", MODEL_RATE, AT(each.rate_bps), false, 1, 1e15, NULL},
	{"think", MODEL_TIME, AT(each.think_s), false, 0, 1e9, NULL},
	{"load", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

#define AT(member) offsetof(struct section_keys, member)
static const struct model_field section_fields[] = {
	{"nodes", MODEL_COUNT, AT(nodes), false, 1, MODEL_NODES_MAX, NULL},
	{"at", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"to", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"rate", MODEL_RATE, AT(rate_bps), false, 1, 1e15, NULL},
	{"think", MODEL_TIME, AT(think_s), false, 0, 1e9, NULL},
	{"load", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"reply", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"service", MODEL_TIME, AT(service_s), false, 0, 1e9, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "30 %" of the rate, "0.3" of it, or "384 Mb/s"; NAN if the section lacks it.
static enum tr_status client_server_model_get_load(const struct model *model, const char *section,
						   double rate_bps, double *load,
						   struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, section, "load");
	struct tr_error why = {""};
	enum tr_status status;

	*load = NAN;
	if (!entry)
		return TR_OK;
	if (strchr(entry->value, '/')) {
		status = model_value(MODEL_RATE, entry->value, load, &why);
		*load /= rate_bps;
	} else {
		status = model_value(strchr(entry->value, '%') ? MODEL_SHARE : MODEL_REAL,
				     entry->value, load, &why);
	}
	if (status != TR_OK)
		return model_fail_for(model, entry, err, &why, "load");
	if (!(*load >= 0 && *load <= 1000))
		return model_fail(model, entry, err, "load: expected 0 to 1000 times the rate");
	return TR_OK;
}

// A section gives load or think, else the default before the sections applies.
static enum tr_status get_pace(const struct model *model, const char *section,
			       const struct section_keys *keys, struct client_class *class,
			       struct tr_error *err)
{
	const bool thinks = model_find(model, section, "think");
	const bool loads = model_find(model, section, "load");
	const char *from = thinks || loads ? section : "";

	if ((thinks && loads) ||
	    (*from == '\0' && model_find(model, "", "think") && model_find(model, "", "load")))
		return model_fail(model, model_find(model, from, "load"), err,
				  "load and think cannot be combined");
	class->think_s = model_find(model, from, "think") ? keys->think_s : NAN;
	if (client_server_model_get_load(model, from, class->rate_bps, &class->load, err) != TR_OK)
		return TR_ERROR;
	if (isnan(class->load) && isnan(class->think_s))
		return model_fail(model, model_find_section(model, section), err,
				  "[%s]: expected load or think", section);
	return TR_OK;
}

// Numbers and ranges: "3 8 20 .. 29".
static enum tr_status add_at(const struct model *model, const struct model_entry *entry,
			     struct client_class *class, struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *rest = text;
	uint64_t last = MODEL_NODES_MAX; // no previous number
	bool range = false;

	(void)snprintf(text, sizeof(text), "%s", entry->value);
	while (rest) {
		const char *word = strsep(&rest, " ");
		struct tr_error why = {""};
		uint64_t node;

		if (strcmp(word, "..") == 0 && last < MODEL_NODES_MAX && !range) {
			range = true;
			continue;
		}
		if (num_parse_count(word, range ? last + 1 : 0, MODEL_NODES_MAX - 1, &node, &why) !=
		    TR_OK)
			return model_fail(model, entry, err,
					  "at: expected nodes such as 3 8 20 .. 29: %s", why.text);
		const uint64_t first = range ? last + 1 : node;

		for (uint64_t i = first; i <= node; i++) {
			if (!GROW_BY_COUNT(class->at, class->at_count))
				return model_no_memory(model, err);
			class->at[class->at_count++] = (uint32_t)i;
		}
		last = node;
		range = false;
	}
	return range ? model_fail(model, entry, err, "at: expected the end of the range") : TR_OK;
}

// "group 2 30 %": a section's name, own or all, and a share.
static enum tr_status add_target(const struct model *model, const struct model_entry *entry,
				 const struct client_server *out, struct client_class *class,
				 struct tr_error *err)
{
	char name[MODEL_LINE_MAX + 1], *share, *unit;
	struct client_target target = {.class = CLIENT_SERVER_ALL};
	struct tr_error why = {""};

	if (!GROW_BY_COUNT(class->targets, class->target_count))
		return model_no_memory(model, err);
	(void)snprintf(name, sizeof(name), "%s", entry->value);
	unit = strrchr(name, ' ');
	if (unit && strcmp(unit, " %") == 0) // the unit may be a separate word
		memmove(unit, unit + 1, strlen(unit));
	share = strrchr(name, ' ');
	if (!share)
		return model_fail(model, entry, err,
				  "to: expected a section's name and a share such as 30 %%");
	*share++ = '\0';
	if (model_value(MODEL_SHARE, share, &target.share, &why) != TR_OK ||
	    !(target.share >= 0 && target.share <= 1))
		return model_fail(
			model, entry, err,
			"to: expected a share of 0 %% to 100 %% after \"%.60s\", found \"%.20s\"",
			name, share);
	if (strcmp(name, "own") == 0)
		target.class = (uint32_t)(class - out->classes);
	else if (strcmp(name, "all") != 0) {
		for (target.class = 0; target.class < out->class_count; target.class ++)
			if (strcmp(out->classes[target.class].name, name) == 0)
				break;
		if (target.class == out->class_count)
			return model_fail(model, entry, err, "to: unknown section [%.60s]", name);
	}
	class->targets[class->target_count++] = target;
	return TR_OK;
}

static enum tr_status get_reply(const struct model *model, const char *section,
				struct client_class *class, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, section, "reply");
	struct tr_error why = {""};

	if (!entry)
		return TR_OK;
	class->reply_bins = calloc(1, sizeof(*class->reply_bins));
	if (!class->reply_bins)
		return model_no_memory(model, err);
	class->reply_bin_count = 1;
	class->reply_bins->count = 1;
	return size_bin_range(entry->value, class->reply_bins, &why) == TR_OK
		       ? TR_OK
		       : model_fail_for(model, entry, err, &why, "reply");
}

static enum tr_status get_sizes(const struct model *model, const char *section,
				struct client_class *class, struct tr_error *err)
{
	const bool own = model_find(model, section, "size") || model_find(model, section, "bin");

	if (size_bins_or_size(model, own ? section : "", &class->bins, &class->bin_count, err) !=
	    TR_OK)
		return TR_ERROR;
	if (!(size_bins_mean_B(class->bins, class->bin_count) > 0))
		return model_fail(model, model_find_section(model, section), err,
				  "[%s]: all sizes are 0", section);
	return TR_OK;
}

static enum tr_status check_shares(const struct model *model, const char *section,
				   const struct client_class *class, struct tr_error *err)
{
	double sum = 0;

	for (size_t i = 0; i < class->target_count; i++)
		sum += class->targets[i].share;
	if (class->load == 0 && class->target_count == 0)
		return TR_OK;
	if (fabs(sum - 1) > 1e-9)
		return model_fail(model, model_find_section(model, section), err,
				  "[%s]: the shares sum to %.9g %%, not 100 %%", section,
				  100 * sum);
	return TR_OK;
}

static enum tr_status get_class(const struct model *model, const struct global_keys *global,
				struct client_server *out, struct client_class *class,
				struct tr_error *err)
{
	const char *section = class->name;
	struct section_keys keys = global->each;
	enum tr_status status = model_get(model, section, section_fields, &keys, err);
	const struct model_entry *at = NULL, *to = NULL;

	while (status == TR_OK && (at = model_next(model, section, "at", at)))
		status = add_at(model, at, class, err);
	while (status == TR_OK && (to = model_next(model, section, "to", to)))
		status = add_target(model, to, out, class, err);
	class->nodes = class->at ? class->at_count : keys.nodes ? keys.nodes : 1;
	class->rate_bps = keys.rate_bps;
	class->service_s = keys.service_s;
	if (status == TR_OK && class->at && keys.nodes)
		status = model_fail(model, model_find(model, section, "nodes"), err,
				    "nodes and at cannot be combined");
	if (status == TR_OK)
		status = get_pace(model, section, &keys, class, err);
	if (status == TR_OK)
		status = check_shares(model, section, class, err);
	if (status == TR_OK)
		status = get_sizes(model, section, class, err);
	return status == TR_OK ? get_reply(model, section, class, err) : status;
}

static enum tr_status name_classes(const struct model *model, struct client_server *out,
				   struct tr_error *err)
{
	if (model->sections == 0)
		return model_fail(model, NULL, err, "expected at least one section");
	out->classes = calloc(model->sections, sizeof(*out->classes));
	if (!out->classes)
		return model_no_memory(model, err);
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];

		if (entry->kind != MODEL_SECTION)
			continue;
		if (strcmp(entry->key, "all") == 0 || strcmp(entry->key, "own") == 0)
			return model_fail(model, entry, err, "the name [%s] is reserved",
					  entry->key);
		out->classes[out->class_count++].name = entry->key;
	}
	return TR_OK;
}

// No node is in two classes, and each is below the total.
static enum tr_status check_places(const struct model *model, const struct client_server *out,
				   struct tr_error *err)
{
	bool *met = calloc(out->nodes, sizeof(*met));
	enum tr_status status = met ? TR_OK : model_no_memory(model, err);

	for (uint32_t c = 0; c < out->class_count; c++) {
		const struct client_class *class = &out->classes[c];

		for (size_t i = 0; status == TR_OK && i < class->at_count; i++) {
			const uint32_t node = class->at[i];

			if (node >= out->nodes || met[node])
				status = model_fail(model, model_find(model, class->name, "at"),
						    err, "at: node %u %s", node,
						    node >= out->nodes
							    ? "exceeds the number of nodes"
							    : "is given twice");
			else
				met[node] = true;
		}
	}
	free(met);
	return status;
}

// A class must have a destination.
static enum tr_status check_targets(const struct model *model, const struct client_server *out,
				    struct tr_error *err)
{
	for (uint32_t c = 0; c < out->class_count; c++)
		for (size_t i = 0; i < out->classes[c].target_count; i++)
			if (out->classes[c].targets[i].class == c && out->classes[c].nodes == 1 &&
			    out->classes[c].targets[i].share > 0)
				return model_fail(
					model, model_find(model, out->classes[c].name, "to"), err,
					"[%s] has one node, which cannot send to itself",
					out->classes[c].name);
	return TR_OK;
}

enum tr_status client_server_get(const struct model *model, struct client_server *out,
				 struct tr_error *err)
{
	struct global_keys global = {.each = {.rate_bps = 1.28e9}, .duration_s = 1};
	enum tr_status status = model_get(model, "", global_fields, &global, err);

	*out = (struct client_server){.duration_s = global.duration_s, .header_B = global.header_B};
	if (status == TR_OK)
		status = name_classes(model, out, err);
	for (uint32_t c = 0; status == TR_OK && c < out->class_count; c++) {
		status = get_class(model, &global, out, &out->classes[c], err);
		out->nodes += out->classes[c].nodes;
		out->placed = out->placed || out->classes[c].at;
	}
	if (status == TR_OK && (out->nodes < 2 || out->nodes > MODEL_NODES_MAX))
		status = model_fail(model, NULL, err, "expected 2 to %u nodes", MODEL_NODES_MAX);
	if (status == TR_OK)
		status = check_places(model, out, err);
	if (status == TR_OK && global.nodes)
		status = client_server_scale(out, global.nodes, err);
	if (status == TR_OK)
		status = check_targets(model, out, err);
	if (status != TR_OK)
		client_server_clear(out);
	return status;
}

void client_server_clear(struct client_server *model)
{
	for (uint32_t c = 0; c < model->class_count; c++) {
		free(model->classes[c].at);
		free(model->classes[c].targets);
		free(model->classes[c].bins);
		free(model->classes[c].reply_bins);
	}
	free(model->classes);
	*model = (struct client_server){.classes = NULL};
}

// ---- Clients and servers in words.
