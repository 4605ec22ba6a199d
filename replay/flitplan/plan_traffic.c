// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic that is planned for.
#include <stdlib.h>
#include <string.h>

#include "file/spawn.h"
#include "flitplan.h"
#include "input/matrix_input.h"
#include "input/node_map.h"
#include "stream/header.h"
#include "stream/named_columns.h"
#include "value/grow.h"

#define TEXT_MAX ((size_t)1 << 30)
#define MODEL_MAGIC "flitline-model"
#define PAIRS_SECONDS 1000.0 // of flitgen --pairs
#define NODES_HEADING "node\tclass\trole\trate_bps"

// A model's text becomes that of its pairs. path: where the model is.
static enum tr_status ask_flitgen(struct plan_text *text, const char *path, struct tr_error *err)
{
	char place[PATH_MAX];
	struct tr_scratch model = {0}, answer = {0};
	const char *const argv[] = {tr_spawn_beside("flitgen", place),
				    "-q",
				    "--explain",
				    "--pairs",
				    "--format",
				    "tsv",
				    path,
				    NULL};
	const bool piped = strcmp(path, "-") == 0;
	struct tr_error why = {""};
	char *pairs = NULL;
	enum tr_status status = tr_scratch_open(&answer, "the pairs", err);

	if (status == TR_OK && piped)
		status = tr_scratch_open(&model, "the model", err);
	if (status == TR_OK && piped) {
		(void)fwrite(text->text, 1, text->bytes, model.file);
		status = tr_scratch_flush(&model, "the model", err);
	}
	if (status == TR_OK &&
	    tr_spawn(argv, piped ? model.path : NULL, answer.path, &why) != TR_OK)
		status = tr_fail_for(err, &why, "%s", why.text);
	if (status == TR_OK)
		status = tr_scratch_take(&answer, "the pairs", &pairs, err);
	if (status == TR_OK) {
		free(text->text);
		text->text = pairs;
		text->bytes = strlen(pairs);
	}
	tr_scratch_close(&model);
	tr_scratch_close(&answer);
	return status;
}

static bool plan_text_has_nodes(const struct plan_text *text)
{
	return text->rates.seconds == 0 && strstr(text->text, NODES_HEADING "\n");
}

void plan_text_look(struct plan_text *text)
{
	text->seconds = plan_text_has_nodes(text) ? PAIRS_SECONDS : text->rates.seconds;
}

// The pairs of counters become the text.
static enum tr_status plan_text_count(struct plan_text *text, const struct plan_rate *rate,
				      double rate_bps, struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	if (tr_source_open_memory(&source, text->text, text->bytes, text->name, err) != TR_OK)
		return TR_ERROR;
	status = plan_rates_of_counters(source, rate, rate_bps, &text->rates, err);
	tr_source_close(source);
	return status;
}

static enum tr_status plan_text_read(struct plan_text *text, struct tr_source *source,
				     const char *path, const struct plan_rate *rate,
				     double rate_bps, struct tr_error *err)
{
	uint8_t *all = NULL;
	enum tr_status status;

	if (tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES)) {
		status = plan_rates_of_trace(source, rate, &text->rates, err);
	} else {
		status = tr_source_rest(source, TEXT_MAX, &all, &text->bytes, err);
		text->text = (char *)all;
		tr_source_close(source);
		if (status == TR_OK && strlen(text->text) != text->bytes)
			status = tr_fail(err,
					 "%s: a zero byte at offset %zu: expected a table, a "
					 "model or counters as text",
					 text->name, strlen(text->text));
		if (status == TR_OK && plan_counters_begin(text->text))
			status = plan_text_count(text, rate, rate_bps, err);
		else if (status == TR_OK && rate->given)
			status = tr_fail(err,
					 "--rate: %s is no trace and has no counters of ports, so "
					 "it has no times",
					 text->name);
		else if (status == TR_OK &&
			 strncmp(text->text, MODEL_MAGIC, strlen(MODEL_MAGIC)) == 0)
			status = ask_flitgen(text, path, err);
	}
	if (status == TR_OK && text->rates.text) {
		free(text->text);
		text->text = text->rates.text;
		text->bytes = text->rates.bytes;
		text->rates.text = NULL;
	}
	return status;
}

bool plan_text_open(struct tool *tool, const struct plan_rate *rate, double rate_bps,
		    struct plan_text *text)
{
	const char *path = tool_operand_count(tool) > 0 ? tool_operand(tool, 0) : "-";
	struct tr_source *source;
	struct tr_error err = {""};
	enum tr_status status;

	*text = (struct plan_text){.name = strdup(path)};
	if (!text->name) {
		tool_no_memory(tool, "a name");
		return false;
	}
	if (tool_next_source(tool, &source) != TR_OK)
		return false;
	status = plan_text_read(text, source, path, rate, rate_bps, &err);
	if (status == TR_OK)
		plan_text_look(text);
	if (status == TR_OK && *text->rates.warning != '\0')
		tool_warn(tool, "%s: %s", text->name, text->rates.warning);
	if (status != TR_OK && *err.text != '\0')
		tool_error(tool, "%s", err.text);
	return status == TR_OK;
}

void plan_text_close(struct plan_text *text)
{
	free(text->text);
	free(text->rates.text);
	free(text->name);
	*text = (struct plan_text){NULL};
}

// --- names

static bool is_numbered(const char *name, uint32_t *number)
{
	uint64_t value;

	if (strncmp(name, "node", 4) != 0 ||
	    num_parse_count(name + 4, 0, PLAN_NODES_MAX - 1, &value, NULL) != TR_OK)
		return false;
	*number = (uint32_t)value;
	return true;
}

struct naming {
	struct plan_names *names;
	uint32_t numbered; // one above the highest number
	bool others;	   // a name that is no number
	uint32_t last;	   // found last
};

static enum tr_status plan_traffic_add_name(struct naming *naming, const char *name,
					    struct tr_error *err)
{
	struct plan_names *names = naming->names;
	uint32_t number;

	if (!is_numbered(name, &number))
		naming->others = true;
	else if (number >= naming->numbered)
		naming->numbered = number + 1;
	if (names->count > 0 && strcmp(names->names[naming->last], name) == 0)
		return TR_OK;
	for (naming->last = 0; naming->last < names->count; naming->last++)
		if (strcmp(names->names[naming->last], name) == 0)
			return TR_OK;
	if (names->count == PLAN_NODES_MAX)
		return tr_fail(err, "more than %u nodes", PLAN_NODES_MAX);
	if (!GROW_BY_COUNT(names->names, names->count))
		return tr_no_memory(err, "names");
	names->names[names->count] = strdup(name);
	return names->names[names->count++] ? TR_OK : tr_no_memory(err, "names");
}

static enum tr_status plan_traffic_name_rows(struct tr_named_columns *table, struct naming *naming,
					     struct tr_error *err)
{
	char *cells[TR_NAMED_MAX];
	enum tr_status status;
	struct tr_error why;

	while ((status = tr_named_columns_next(table, cells, err)) == TR_OK)
		for (int k = 0; k < 2; k++)
			if (plan_traffic_add_name(naming, cells[k], &why) != TR_OK)
				return tr_lines_fail(&table->lines, err, "%s", why.text);
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status plan_names_find(const struct plan_text *text, struct plan_names *names,
			       struct tr_error *err)
{
	struct tr_named_columns table = {.names = {"src", "dst", "bytes"}, .printer = "flitstat"};
	struct naming naming = {.names = names};
	enum tr_status status;

	*names = (struct plan_names){NULL, 0};
	if (tr_source_open_memory(&table.lines.source, text->text, text->bytes, text->name, err) !=
	    TR_OK)
		return TR_ERROR;
	status = plan_traffic_name_rows(&table, &naming, err);
	tr_lines_clear(&table.lines);
	tr_source_close(table.lines.source);
	if (status == TR_OK && !naming.others) {
		plan_names_close(names);
		names->count = naming.numbered;
	}
	return status;
}

void plan_names_close(struct plan_names *names)
{
	for (uint32_t i = 0; names->names && i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct plan_names){NULL, 0};
}

// --- bytes, roles and rates

static enum tr_status read_node(const struct tr_lines *lines, char *cells[TR_NAMED_MAX],
				const struct net_names *names, struct plan_traffic *traffic,
				struct tr_error *err)
{
	uint32_t host;
	struct num_ratio rate;

	if ((!net_names_find(names, cells[0], &host) && !is_numbered(cells[0], &host)) ||
	    host >= names->topology->hosts)
		return tr_lines_fail(lines, err, "no host of the network: \"%.100s\"", cells[0]);
	traffic->servers[host] = strcmp(cells[1], "server") == 0;
	if (strcmp(cells[2], "-") == 0)
		return TR_OK;
	if (num_parse(cells[2], NUM_PLAIN, &rate, NULL) != TR_OK || rate.num <= 0)
		return tr_lines_fail(lines, err, "expected a rate above zero, found \"%.100s\"",
				     cells[2]);
	traffic->rates_bps[host] = rate;
	if (traffic->least_bps.den == 0 || num_value(rate) < num_value(traffic->least_bps))
		traffic->least_bps = rate;
	return TR_OK;
}

static enum tr_status read_nodes(const struct plan_text *text, const struct net_names *names,
				 struct plan_traffic *traffic, struct tr_error *err)
{
	struct tr_named_columns table = {.names = {"node", "role", "rate_bps"}};
	char *cells[TR_NAMED_MAX];
	enum tr_status status;

	if (!plan_text_has_nodes(text))
		return TR_OK;
	if (tr_source_open_memory(&table.lines.source, text->text, text->bytes, text->name, err) !=
	    TR_OK)
		return TR_ERROR;
	while ((status = tr_named_columns_next(&table, cells, err)) == TR_OK &&
	       (status = read_node(&table.lines, cells, names, traffic, err)) == TR_OK)
		continue;
	tr_lines_clear(&table.lines);
	tr_source_close(table.lines.source);
	return status == TR_END ? TR_OK : TR_ERROR;
}

static enum tr_status set_servers(const struct opt_list *servers, const struct net_names *names,
				  struct plan_traffic *traffic, struct tr_error *err)
{
	for (size_t i = 0; i < servers->count; i++) {
		char *words = strdup(servers->words[i]), *rest = words;

		if (!words)
			return tr_no_memory(err, "servers");
		while (rest) {
			const char *name = strsep(&rest, ",");
			uint32_t host;

			if (!net_names_find(names, name, &host) || host >= names->topology->hosts) {
				(void)tr_fail(err, "--server %.100s: no host of the network", name);
				free(words);
				return TR_ERROR;
			}
			traffic->servers[host] = true;
		}
		free(words);
	}
	return TR_OK;
}

static enum tr_status take_weights(const double *weights, size_t hosts,
				   struct plan_traffic *traffic, struct tr_error *err)
{
	traffic->bytes = calloc(hosts * hosts + 1, sizeof(*traffic->bytes));
	if (!traffic->bytes)
		return tr_no_memory(err, "the traffic of %zu hosts", hosts);
	for (size_t i = 0; i < hosts * hosts; i++)
		traffic->bytes[i] = weights[i] < 0x1p63 ? (uint64_t)weights[i] : UINT64_MAX;
	return TR_OK;
}

enum tr_status plan_traffic_read(const struct plan_text *text,
				 const struct plan_traffic_request *request,
				 const struct net_topology *topology, struct plan_traffic *traffic,
				 double *skipped, struct tr_error *err)
{
	struct node_map map = {0};
	struct net_names names = {0};
	const struct matrix_nodes nodes = {&names, &map, request->ignore_unmapped};
	struct tr_source *source = NULL;
	double *weights = NULL;
	enum tr_status status;

	*skipped = 0;
	*traffic = (struct plan_traffic){
		.servers = calloc((size_t)topology->hosts + 1, sizeof(bool)),
		.rates_bps = calloc((size_t)topology->hosts + 1, sizeof(struct num_ratio))};
	if (!traffic->servers || !traffic->rates_bps)
		return tr_no_memory(err, "the traffic of %u hosts", topology->hosts);
	if (topology->hosts > PLAN_NODES_MAX)
		return tr_fail(err, "more than %u hosts", PLAN_NODES_MAX);
	status = node_map_open(&map, request->map, topology, err);
	if (status == TR_OK)
		status = net_names_open(&names, topology, err);
	if (status == TR_OK)
		status = tr_source_open_memory(&source, text->text, text->bytes, text->name, err);
	if (status == TR_OK)
		status = matrix_input_read(&weights, skipped, &nodes, source, err);
	if (status == TR_OK)
		status = take_weights(weights, topology->hosts, traffic, err);
	if (status == TR_OK)
		status = read_nodes(text, &names, traffic, err);
	if (status == TR_OK)
		status = set_servers(request->servers, &names, traffic, err);
	free(weights);
	tr_source_close(source);
	net_names_close(&names);
	node_map_close(&map);
	return status;
}

bool plan_traffic_open(struct tool *tool, const struct plan_text *text,
		       const struct plan_traffic_request *request,
		       const struct net_topology *topology, struct plan_traffic *traffic)
{
	struct tr_error err = {""};
	double skipped;

	if (node_map_is_file(request->map) && !tool_reads(tool, request->map))
		return false;
	if (plan_traffic_read(text, request, topology, traffic, &skipped, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return false;
	}
	if (skipped > 0)
		tool_warn(tool, "%s: ignored %.0f bytes of nodes outside the network", text->name,
			  skipped);
	return true;
}

void plan_traffic_close(struct plan_traffic *traffic)
{
	free(traffic->bytes);
	free(traffic->servers);
	free(traffic->rates_bps);
	*traffic = (struct plan_traffic){NULL};
}
