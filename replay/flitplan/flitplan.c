// SPDX-License-Identifier: GPL-3.0-or-later
// flitplan: where nodes, cables and routes of a network of switches should go for given traffic.
#include "flitplan.h"
#include "plan_rates.h"
#include "tool/offered_load.h"

#include <stdlib.h>
#include <string.h>

#include "input/network_input.h"
#include "input/node_map.h"

#define STAGES_MAX 16u
#define ROUNDS_MAX 4u // of steps 3 and 4

static const struct opt_choice additions[] = {
	{"client", PLAN_ADD_CLIENT, "a host with the traffic of a client"},
	{"server", PLAN_ADD_SERVER, "a host with the traffic of a server"},
	{"channel", PLAN_ADD_CHANNEL, "a cable between two switches"},
	{"switch", PLAN_ADD_SWITCH, "a switch"},
	{NULL, 0},
};

struct flitplan_request {
	struct plan_network_request network;
	struct plan_traffic_request traffic;
	struct plan_outputs outputs;
	struct plan_add_request add;
	struct plan_measure measure;
	struct opt_list servers, fabric;
	struct num_ratio link_rate_bps, server_rate_bps, time, delta;
	const char *load, *rate_text;
	struct plan_rate rate;
	uint64_t steps;
	uint64_t seed;
	bool random;
	bool loads;
	bool moves;
	bool nodes;
	struct table_style style;
};

// Everything at work.
struct flitplan_work {
	struct tool *tool;
	struct flitplan_request *request;
	struct plan_text text;
	struct plan_network network;
	struct plan_traffic traffic;
	struct plan plan;
	double *before;	  // utilisation of each channel
	uint32_t *placed; // switch of each node before
	struct plan_stage stages[STAGES_MAX];
	size_t stage_count;
};

static double delta_of(const struct flitplan_work *work)
{
	return num_value(work->request->delta);
}

static void flitplan_end_stage(struct flitplan_work *work, const char *name)
{
	if (work->stage_count < STAGES_MAX)
		work->stages[work->stage_count++] = plan_stage_of(&work->plan, name,
								  delta_of(work));
}

// The rate of cables without a rate of their own: that of the least node of a model, where none is
// given.
static struct num_ratio link_rate(const struct flitplan_work *work)
{
	const struct num_ratio least = work->traffic.least_bps;

	if (tool_option_given(work->tool, "link-rate") || least.den == 0)
		return work->request->link_rate_bps;
	return least;
}

// Cables of nodes get the rates that these have.
static void set_rates(struct flitplan_work *work)
{
	struct net_topology *topology = &work->network.topology;
	const double usual = num_value(link_rate(work));

	for (size_t i = 0; i < topology->cable_count; i++)
		for (int end = 0; end < 2; end++) {
			const uint32_t node = topology->cables[i].ends[end].node;
			struct num_ratio rate;

			if (node >= topology->hosts || topology->cables[i].rate_bps.den != 0)
				continue;
			rate = work->traffic.rates_bps[node];
			if (work->request->server_rate_bps.den != 0 && work->traffic.servers[node])
				rate = work->request->server_rate_bps;
			if (rate.den != 0 && num_value(rate) != usual)
				topology->cables[i].rate_bps = rate;
		}
}

// Bytes a second of a byte of the traffic.
static enum tr_status find_unit(const struct flitplan_work *work, double *unit_Bps,
				struct tr_error *err)
{
	const struct flitplan_request *request = work->request;
	const uint64_t hosts = work->network.topology.hosts;
	const double seconds = request->time.den != 0 ? num_value(request->time)
						      : work->text.seconds,
		     full_Bps = (double)hosts * num_value(link_rate(work)) / 8;
	struct tr_load load;
	double all = 0, share;

	for (uint64_t i = 0; i < hosts * hosts; i++)
		if (i / hosts != i % hosts)
			all += (double)work->traffic.bytes[i];
	if (request->load && tr_load_parse(request->load, &load, err) != TR_OK)
		return TR_ERROR;
	if (request->time.den != 0 && request->load && load.unit != TR_LOAD_MULTIPLE)
		return tr_fail(err, "--duration has no effect with --load %s", request->load);
	if (request->time.den != 0 && work->text.rates.seconds > 0)
		return tr_fail(err, "--duration has no effect: %s has times", work->text.name);
	if (request->time.den != 0 && !(seconds > 0))
		return tr_fail(err, "--duration: expected a time above zero");
	if (!(seconds > 0) && (!request->load || load.unit == TR_LOAD_MULTIPLE))
		return tr_fail(err,
			       "%s: a matrix does not say in which time its bytes were sent: give "
			       "--duration, or --load%s",
			       work->text.name, request->load ? " SHARE" : "");
	if (!request->load) {
		*unit_Bps = 1 / seconds;
		return TR_OK;
	}
	if (tr_load_share(&load, all / seconds / full_Bps, 8 * full_Bps / (double)hosts, &share,
			  err) != TR_OK)
		return TR_ERROR;
	tool_warn_load(work->tool, "--load", share, 8 * full_Bps / (double)hosts,
		       " (--link-rate sets another rate)");
	*unit_Bps = share * full_Bps / all;
	return TR_OK;
}

static enum tr_status open_plan(struct flitplan_work *work, struct tr_error *err)
{
	const struct flitplan_request *request = work->request;
	const bool larger = request->add.what == PLAN_ADD_CHANNEL ||
			    request->add.what == PLAN_ADD_SWITCH;
	const char *rule = plan_network_rule(&request->network, &work->network);
	struct plan_setup setup = {.topology = &work->network.topology,
				   .traffic = work->traffic.bytes,
				   .servers = work->traffic.servers,
				   .link_rate_Bps = num_value(link_rate(work)) / 8,
				   .rule = rule	    ? rule
					   : larger ? "updown"
						    : NULL};

	if (!(setup.link_rate_Bps > 0))
		return tr_fail(err, "--link-rate: expected a rate above zero");
	work->request->add.link_rate_Bps = setup.link_rate_Bps;
	setup.blocks = setup.rule ? NULL : &work->network.blocks;
	if (find_unit(work, &setup.unit_Bps, err) != TR_OK)
		return TR_ERROR;
	if (plan_open(&work->plan, &setup, err) != TR_OK)
		return tr_fail_in(err, "%s",
				  request->network.network ? request->network.network : "--budget");
	return TR_OK;
}

// Remembers what was before all steps.
static enum tr_status keep_before(struct flitplan_work *work, struct tr_error *err)
{
	work->before = calloc((size_t)plan_channels(&work->plan) + 1, sizeof(*work->before));
	work->placed = calloc((size_t)work->plan.nodes + 1, sizeof(*work->placed));
	if (!work->before || !work->placed)
		return tr_no_memory(err, "the network before");
	for (uint32_t k = 0; k < plan_channels(&work->plan); k++)
		work->before[k] = plan_utilisation(&work->plan, k);
	memcpy(work->placed, work->plan.at, work->plan.nodes * sizeof(*work->placed));
	return TR_OK;
}

// There is one from the beginning.
static struct plan_stage *last_stage(struct flitplan_work *work)
{
	return &work->stages[work->stage_count - 1];
}

static bool flitplan_measure(struct flitplan_work *work)
{
	if (!work->request->measure.trace)
		return true;
	return plan_measure(&work->request->measure, &work->plan, &last_stage(work)->measured);
}

// Steps 3 and 4 once. *changed: the plan is another one, and was measured if that was asked for.
static enum tr_status relieve_once(struct flitplan_work *work, uint32_t round, bool *changed,
				   struct tr_error *err)
{
	static const char *const names[2][ROUNDS_MAX] = {{"3", "3 again", "3 again", "3 again"},
							 {"4", "4 again", "4 again", "4 again"}};
	uint32_t rerouted, moved;

	if (plan_reroute(&work->plan, delta_of(work), &rerouted, err) != TR_OK)
		return TR_ERROR;
	if (round == 0 || rerouted > 0)
		flitplan_end_stage(work, names[0][round]);
	if (plan_relieve(&work->plan, delta_of(work), &moved, err) != TR_OK)
		return TR_ERROR;
	if (round == 0 || moved > 0)
		flitplan_end_stage(work, names[1][round]);
	*changed = rerouted + moved > 0;
	return !*changed || flitplan_measure(work) ? TR_OK : TR_ERROR;
}

static void flitplan_take_back(struct flitplan_work *work, const struct plan_kept *kept,
			       double measured)
{
	plan_take_back(&work->plan, kept);
	flitplan_end_stage(work, "taken back");
	last_stage(work)->measured = measured;
}

// Steps 3 and 4 in turns, until neither changes anything or, where it is measured, the busiest
// channel gets no less busy; a round that makes it busier is taken back.
static enum tr_status flitplan_relieve(struct flitplan_work *work, struct tr_error *err)
{
	struct plan_kept kept;
	enum tr_status status = plan_kept_open(&kept, &work->plan, err);
	bool more = true;

	plan_begin(&work->plan);
	for (uint32_t round = 0; status == TR_OK && more && round < ROUNDS_MAX; round++) {
		const double before = last_stage(work)->measured;

		plan_keep(&work->plan, &kept);
		status = relieve_once(work, round, &more, err);
		if (status == TR_OK && more && last_stage(work)->measured > before)
			flitplan_take_back(work, &kept, before);
		more = more && !(last_stage(work)->measured >= before); // unmeasured rounds go on
	}
	plan_kept_close(&kept);
	return status;
}

static enum tr_status take_steps(struct flitplan_work *work, struct tr_error *err)
{
	const struct flitplan_request *request = work->request;
	const struct plan_follow follow = {delta_of(work), request->seed};

	if (request->random && plan_place_random(&work->plan, request->seed, err) != TR_OK)
		return TR_ERROR;
	if (keep_before(work, err) != TR_OK)
		return TR_ERROR;
	flitplan_end_stage(work, request->random ? "random" : "given");
	if (work->stages[0].score.mean > follow.delta)
		tool_warn(work->tool,
			  "the mean utilisation is %.3g, above delta: the network has too few "
			  "channels",
			  work->stages[0].score.mean);
	// Of what is given, of steps 1 and 2, and of each round of the others.
	work->request->measure.runs_most = request->steps < 1	? 1
					   : request->steps < 3 ? 2
								: 2 + ROUNDS_MAX;
	if (!flitplan_measure(work))
		return TR_ERROR;
	if (request->steps < 1)
		return TR_OK;
	memset(work->plan.measured, 0,
	       plan_channels(&work->plan) * sizeof(double)); // of this placement only
	tool_stage(work->tool, "step 1");
	if (plan_place(&work->plan, follow.delta, request->seed, err) != TR_OK)
		return TR_ERROR;
	flitplan_end_stage(work, "1");
	if (request->steps < 2)
		return flitplan_measure(work) ? TR_OK : TR_ERROR;
	tool_stage(work->tool, "step 2");
	if (plan_cables(&work->plan, &follow, err) != TR_OK)
		return TR_ERROR;
	flitplan_end_stage(work, "2");
	if (!flitplan_measure(work))
		return TR_ERROR;
	if (request->steps < 3)
		return TR_OK;
	tool_stage(work->tool, "steps 3 and 4");
	return flitplan_relieve(work, err);
}

static bool changed_cables(const struct plan *plan)
{
	for (size_t i = 0; i < plan->move_count; i++)
		if (plan->moves[i].step == 2)
			return true;
	return false;
}

// What a reader of the steps should know of the network, the routes and what was asked for.
static void note_steps(const struct flitplan_work *work, struct table *table)
{
	const struct plan *plan = &work->plan;

	if (work->network.what)
		table_note(table, "%s", work->network.what);
	if (*work->text.rates.note != '\0')
		table_note(table, "%s", work->text.rates.note);
	table_note(table, "routes: %s", plan->rule.text ? plan->rule.text : "inside blocks");
	if (changed_cables(plan))
		table_note(table,
			   "cables changed, which --moves lists; --steps 1 only places nodes");
	if (work->request->measure.unlike)
		table_note(table, "measured_max is at the rate of the trace; the other "
				  "utilisations are calculated");
	if (!plan->acyclic)
		table_note(table, "worms on these routes can deadlock");
	if (work->request->steps > 0 && work->stages[0].above == 0)
		table_note(table, "no channel is above delta from the beginning: the steps have "
				  "nothing to do");
	for (uint32_t s = 0; s < plan->switches && plan->switches > 1; s++)
		if (plan->ports[s] >= plan->nodes) {
			table_note(table, "a switch of %u ports has room for all %u nodes",
				   plan->ports[s], plan->nodes);
			return;
		}
}

static enum tr_status flitplan_print(struct flitplan_work *work, struct tr_error *err)
{
	const struct flitplan_request *request = work->request;
	struct table *tables[8];
	size_t count = 0;
	enum tr_status status;

	tables[count++] = plan_steps_table(&work->plan, work->stages, work->stage_count);
	note_steps(work, tables[0]);
	tables[count++] = plan_busiest_table(&work->plan);
	if (request->steps > 0 && request->moves)
		tables[count++] = plan_moves_table(&work->plan);
	if (request->steps > 0 && request->nodes)
		tables[count++] = plan_nodes_table(&work->plan, work->placed);
	if (request->loads)
		tables[count++] = plan_channels_table(&work->plan, work->before);
	if (request->add.what != PLAN_ADD_NOTHING) {
		tables[count] = plan_add_table(&work->plan, &request->add, err);
		count += tables[count] != NULL;
	}
	status = *err->text != '\0' ? TR_ERROR
				    : tables_print(tables, count, request->style, "flitplan",
						   tool_stdout(work->tool), err);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}

static enum tr_status flitplan_check_request(const struct flitplan_work *work, struct tr_error *err)
{
	struct flitplan_request *request = work->request;

	if (tool_operand_count(work->tool) > 1)
		return tr_fail(err, "expected one matrix, model, trace or text of counters");
	if (plan_measure_check(&request->fabric, err) != TR_OK)
		return TR_ERROR;
	if (request->steps > 3)
		return tr_fail(err, "--steps: expected 0 to 3");
	if (!(num_value(request->delta) >= 0))
		return tr_fail(err, "--delta: expected 0 or more");
	if (request->rate_text && plan_rate_parse(request->rate_text, &request->rate, err) != TR_OK)
		return TR_ERROR;
	if (!request->network.network && !request->network.budget)
		return tr_fail(err,
			       "expected a network (-N) or a budget (--budget SWITCHES,PORTS)");
	return TR_OK;
}

static bool flitplan_run(struct flitplan_work *work, struct tr_error *err)
{
	struct flitplan_request *request = work->request;

	if (flitplan_check_request(work, err) != TR_OK ||
	    !plan_text_open(work->tool, &request->rate, num_value(request->link_rate_bps),
			    &work->text) ||
	    !plan_network_open(work->tool, &request->network, &work->text, &work->network) ||
	    !plan_traffic_open(work->tool, &work->text, &request->traffic, &work->network.topology,
			       &work->traffic))
		return false;
	set_rates(work);
	if (open_plan(work, err) != TR_OK ||
	    !plan_measure_compare(&request->measure, &work->plan,
				  request->add.link_rate_Bps * work->plan.nodes) ||
	    take_steps(work, err) != TR_OK)
		return false;
	return flitplan_print(work, err) == TR_OK &&
	       plan_outputs_write(work->tool, &request->outputs, &work->plan, request->traffic.map,
				  work->before);
}

static void flitplan_close_work(struct flitplan_work *work)
{
	plan_close(&work->plan);
	plan_traffic_close(&work->traffic);
	plan_network_close(&work->network);
	plan_text_close(&work->text);
	free(work->before);
	free(work->placed);
}

// The whole work, and its answer.
static enum tool_status plan_all(struct flitplan_work *work)
{
	struct flitplan_request *request = work->request;
	struct tr_error err = {""};
	bool done, above;

	request->traffic.servers = &request->servers;
	request->measure = (struct plan_measure){.tool = work->tool,
						 .trace = request->measure.trace,
						 .fabric = &request->fabric,
						 .map = request->traffic.map};
	if (request->add.what != PLAN_ADD_NOTHING && !tool_option_given(work->tool, "steps"))
		request->steps = 0;
	done = flitplan_run(work, &err);
	if (!done && *err.text != '\0')
		tool_error(work->tool, "%s", err.text);
	above = done && request->steps > 0 && plan_score(&work->plan).most > delta_of(work);
	flitplan_close_work(work);
	return above ? TOOL_NO : TOOL_OK;
}

static const struct opt_choice places[] = {
	{"given", false, "as in the traffic"},
	{"random", true, "on random switches, equally many on each"},
	{NULL, 0},
};

// Which options cannot be combined, and which have no effect alone.
#define RELATIONS \
	OPT_NOT_WITH("net", "budget"), OPT_ONLY_WITH("like", "add=client,add=server"), \
		OPT_ONLY_WITH("fabric", "measure"), \
		OPT_NOT_WITH("moves,places,loads,add,json,format", "output=-")

int main(int argc, char **argv)
{
	struct flitplan_request request = {.traffic = {.map = "ids"},
					   .link_rate_bps = {1280000000, 1},
					   .delta = {1, 2},
					   .steps = 3,
					   .seed = 1};
	int place = false;
	const struct opt opts[] = {
		OPT_GROUP("Network and traffic"),
		OPT_NETWORK('N', "net", &request.network.network),
		OPT_STRING(0, "budget", "SWITCHES,PORTS", &request.network.budget,
			   "design a network of blocks with this many switches and ports"),
		OPT_ROUTES(0, "routes", &request.network.routes),
		OPT_LINK_RATE(&request.link_rate_bps),
		OPT_DURATION(&request.time),
		OPT_STRING(0, "rate", "RATE", &request.rate_text, "mean, peak:TIME or 95%:TIME"),
		OPT_STRING(0, "load", "LOAD", &request.load, OPT_LOAD_HELP),
		OPT_MAP(&request.traffic.map, node_map_words),
		OPT_IGNORE_UNMAPPED(&request.traffic.ignore_unmapped),
		OPT_LIST(0, "server", "HOST", &request.servers, "hosts that are servers"),
		OPT_RATE(0, "server-rate", &request.server_rate_bps, "rate of servers' cables"),
		OPT_GROUP("Plan"),
		OPT_COUNT(0, "steps", &request.steps, "level of planning, 0 to 3"),
		OPT_QUANTITY(0, "delta", "SHARE", NUM_PLAIN, &request.delta,
			     "utilisation that no channel should exceed"),
		OPT_CHOICE(0, "place", &place, places, "initial places of the nodes"),
		OPT_SEED(&request.seed),
		OPT_CHOICE(0, "add", &request.add.what, additions,
			   "try adding one of these at each place"),
		OPT_STRING(0, "like", "HOST", &request.add.like,
			   "host whose traffic an added client or server copies"),
		OPT_FILE(0, "measure", &request.measure.trace,
			 "packets that flitsim carries to measure utilisation"),
		OPT_FABRIC(&request.fabric),
		OPT_GROUP("Output"),
		OPT_SILENT_FLAG(0, "moves", &request.moves, "print the changes with their reasons"),
		OPT_SILENT_FLAG(0, "places", &request.nodes,
				"print the nodes that move to another switch"),
		OPT_LINK_LOADS(&request.loads),
		OPT_ALSO_OUTPUT(&request.outputs.network),
		OPT_SILENT_FILE(0, "write-routes", &request.outputs.routes, "write its routes"),
		OPT_SILENT_FILE(0, "write-map", &request.outputs.map,
				"write a map from nodes to its hosts"),
		OPT_SILENT_FILE(0, "draw", &request.outputs.drawing, "write a drawing of it"),
		OPT_SILENT_FILE(0, "draw-before", &request.outputs.drawing_before,
				"write a drawing of the network before"),
		TABLE_OPTIONS(&request.style),
		RELATIONS,
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitplan", "-N NETWORK | --budget SWITCHES,PORTS [option ...] [TRAFFIC]",
		"Plans a network of switches for given traffic: nodes, cables and routes.", opts};
	struct flitplan_work work = {.request = &request};

	work.tool = tool_start(argc, argv, &spec);
	request.random = place;
	return tool_finish(work.tool, plan_all(&work));
}
