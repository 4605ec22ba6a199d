// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --load: any model at a wanted load, by stretching its times. Load is the mean rate of a
// node's link, in bytes on the wire, as a fraction of the link's capacity.
#include "flitgen.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "stream/named_columns.h"
#include "stream/names.h"
#include "tool/offered_load.h"
#include "value/num.h"

#define LINK_RATE_BPS 1.28e9 // Myrinet's, as in the family load
#define TICKS_MOST 0x1p62

double gen_link_bps(const struct gen_request *request)
{
	return request->link_rate.num ? num_value(request->link_rate) : LINK_RATE_BPS;
}

// The family load has its own load and rate.
static enum tr_status set_own(const struct gen_request *request, const struct tr_load *load,
			      struct model *model, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "load");
	char rate[64], text[MODEL_NUMBER_BYTES];
	enum model_type type;
	double own;

	if (request->link_rate.num)
		model_set(model, "rate",
			  num_format_exact(request->link_rate, NUM_RATE, rate, sizeof(rate)));
	if (load->unit != TR_LOAD_MULTIPLE) {
		model_set(model, "load", request->load);
		return TR_OK;
	}
	if (!entry)
		return tr_fail(err, "--load %s: the model has no load of its own", request->load);
	type = strchr(entry->value, '/')   ? MODEL_RATE
	       : strchr(entry->value, '%') ? MODEL_SHARE
					   : MODEL_REAL;
	if (model_value(type, entry->value, &own, err) != TR_OK)
		return TR_ERROR;
	model_set(model, "load", model_format(type, load->value * own, text));
	return TR_OK;
}

// The load of a model of the family load, as a share of its rate; 0 where that is not read.
static double own_of_link(const struct gen_request *request, const struct model *model)
{
	const struct model_entry *load = model_find(model, "", "load"),
				 *rate = model_find(model, "", "rate");
	double rate_bps = gen_link_bps(request), value = 0;
	struct tr_error err;

	if (!load || (rate && model_value(MODEL_RATE, rate->value, &rate_bps, &err) != TR_OK))
		return 0;
	if (strchr(load->value, '/'))
		return model_value(MODEL_RATE, load->value, &value, &err) == TR_OK
			       ? value / rate_bps
			       : 0;
	return model_value(strchr(load->value, '%') ? MODEL_SHARE : MODEL_REAL, load->value, &value,
			   &err) == TR_OK
		       ? value
		       : 0;
}

// Mean rate of a node's link.
static enum tr_status offered_bps(const struct family *family, const struct model *model,
				  double *out, struct tr_error *err)
{
	struct forecast forecast;

	if (family->generator->forecast(model, &forecast, err) != TR_OK)
		return TR_ERROR;
	*out = forecast_total(&forecast).wire_bps / (double)forecast.nodes;
	forecast_clear(&forecast);
	return *out > 0 && isfinite(*out)
		       ? TR_OK
		       : tr_fail(err, "--load: the load of this model is not known in advance");
}

enum tr_status gen_load(const struct gen_request *request, struct model *model, double *stretch,
			double *of_link, struct tr_error *err)
{
	const double ticks_per_s = (double)request->ticks_per_s;
	const struct family *family;
	const double link_bps = gen_link_bps(request);
	struct tr_load load;
	double offered;

	*stretch = 1;
	*of_link = 0;
	if (!request->load)
		return TR_OK;
	if (family_of(model, &family, err) != TR_OK ||
	    tr_load_parse(request->load, &load, err) != TR_OK)
		return TR_ERROR;
	if (family == &load_family) {
		if (set_own(request, &load, model, err) != TR_OK)
			return TR_ERROR;
		*of_link = own_of_link(request, model);
		return model->failed ? tr_no_memory(err, "the model") : TR_OK;
	}
	if (offered_bps(family, model, &offered, err) != TR_OK ||
	    tr_load_share(&load, offered / link_bps, link_bps, of_link, err) != TR_OK)
		return TR_ERROR;
	*stretch = load.unit == TR_LOAD_MULTIPLE ? 1 / load.value : offered / (*of_link * link_bps);
	if (*stretch * ticks_per_s < 1 || *stretch * ticks_per_s > TICKS_MOST)
		return tr_fail(err,
			       "--load: %.3g times the load of the model exceeds the range of the "
			       "clock (--ticks sets another one)",
			       1 / *stretch);
	return TR_OK;
}

// ---- flitgen --matrix: turns a traffic matrix, as printed by flitstat, into the model's pairs.

// A node whose name says no number (tr_name_number): numbered in order of appearance.
struct named {
	uint32_t number;
	char name[];
};

struct matrix_reading {
	struct tr_named_columns table; // src, dst, bytes
	struct model *model;
	void *names; // tree of struct named
	uint32_t name_count, nodes;
	bool numbered; // some names say a number
	char word[8];  // before it
};

static int gen_load_by_name(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

static struct named *gen_load_find_name(struct matrix_reading *reading, const char *name)
{
	struct named *named = malloc(sizeof(*named) + strlen(name) + 1), **held;

	if (!named)
		return NULL;
	named->number = reading->name_count;
	memcpy(named->name, name, strlen(name) + 1);
	held = tsearch(named, &reading->names, gen_load_by_name);
	if (!held || *held != named)
		free(named);
	else
		reading->name_count++;
	return held ? *held : NULL;
}

// All names that say a number have the same word before it, so that no two nodes are one.
static enum tr_status check_word(struct matrix_reading *reading, const char *name,
				 size_t word_bytes, struct tr_error *err)
{
	char word[sizeof(reading->word)];

	(void)snprintf(word, sizeof(word), "%.*s", (int)word_bytes, name);
	if (!reading->numbered)
		memcpy(reading->word, word, sizeof(word));
	reading->numbered = true;
	if (strcmp(word, reading->word) == 0)
		return TR_OK;
	return tr_lines_fail(&reading->table.lines, err,
			     "%.100s and %s%.*s would be one node: expected names of one form",
			     name, reading->word, (int)strspn(name + word_bytes, "0123456789"),
			     name + word_bytes);
}

static enum tr_status find_node(struct matrix_reading *reading, const char *name, uint64_t *number,
				struct tr_error *err)
{
	const struct named *named;
	size_t word_bytes;
	uint32_t said;

	if (tr_name_number(name, &word_bytes, &said)) {
		if (said >= MODEL_NODES_MAX)
			return tr_lines_fail(&reading->table.lines, err,
					     "a model has at most 1048576 nodes; found \"%.100s\"",
					     name);
		if (check_word(reading, name, word_bytes, err) != TR_OK)
			return TR_ERROR;
		*number = said;
	} else {
		named = gen_load_find_name(reading, name);
		if (!named)
			return tr_no_memory(err, "the node %s", name);
		*number = named->number;
	}
	if (reading->numbered && reading->name_count > 0)
		return tr_lines_fail(&reading->table.lines, err,
				     "expected names node0, node1, ... for all nodes or for none; "
				     "found \"%.100s\"",
				     name);
	if (*number >= reading->nodes)
		reading->nodes = (uint32_t)*number + 1;
	return TR_OK;
}

static enum tr_status gen_load_add(struct matrix_reading *reading, char *cells[TR_NAMED_MAX],
				   struct tr_error *err)
{
	char text[MODEL_NUMBER_BYTES];
	uint64_t src, dst, bytes;

	if (num_parse_count(cells[2], 0, UINT64_MAX >> 4, &bytes, NULL) != TR_OK)
		return tr_lines_fail(&reading->table.lines, err,
				     "expected a number of bytes, found \"%.100s\"", cells[2]);
	if (find_node(reading, cells[0], &src, err) != TR_OK ||
	    find_node(reading, cells[1], &dst, err) != TR_OK)
		return TR_ERROR;
	(void)snprintf(text, sizeof(text), "%llu %llu %llu B", (unsigned long long)src,
		       (unsigned long long)dst, (unsigned long long)bytes);
	if (src != dst)
		model_key(reading->model, "pair", text, NULL);
	return TR_OK;
}

enum tr_status gen_read_matrix(struct model *model, struct tr_source *source, struct tr_error *err)
{
	struct matrix_reading reading = {
		.table = {.lines.source = source, .names = {"src", "dst", "bytes"}},
		.model = model};
	char *cells[TR_NAMED_MAX], nodes[32];
	enum tr_status status;

	if (model->sections > 0)
		return tr_fail(err, "%s: a model with sections cannot take a matrix",
			       model_name(model));
	while ((status = tr_named_columns_next(&reading.table, cells, err)) == TR_OK &&
	       (status = gen_load_add(&reading, cells, err)) == TR_OK)
		continue;
	(void)snprintf(nodes, sizeof(nodes), "%u", reading.nodes > 2 ? reading.nodes : 2);
	if (status == TR_END && !model_find(model, "", "nodes"))
		model_set(model, "nodes", nodes);
	tr_lines_clear(&reading.table.lines);
	tdestroy(reading.names, free);
	return status == TR_END ? TR_OK : TR_ERROR;
}
