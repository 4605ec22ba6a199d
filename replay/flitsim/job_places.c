// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ranks of programs are, and the nodes of a trace beside them: as the map of all says, or
// on the hosts, and in the order, that a job asks for.
#include "program_run.h"

#include <stdlib.h>
#include <string.h>

#include "value/num.h"

void job_places_name(uint32_t rank, char text[RANK_NAME_BYTES], struct tr_name *name)
{
	snprintf(text, RANK_NAME_BYTES, "rank%u", rank);
	*name = (struct tr_name){
		.kind = TR_NAME_NODE, .id = rank, .text = text, .text_bytes = strlen(text)};
}

static enum tr_status job_places_find_host(const struct program_run *run, struct node_map *map,
					   struct tr_names *names, uint32_t rank, uint32_t hosts,
					   struct tr_error *err)
{
	char text[RANK_NAME_BYTES];
	struct tr_name name;

	job_places_name(rank, text, &name);
	if (tr_names_set(names, &name, err) != TR_OK ||
	    node_map_find(map, rank, names, hosts, &run->host_of[rank], err) != TR_OK)
		return TR_ERROR;
	if (run->host_of[rank] == NODE_UNMAPPED)
		return tr_fail(err, "%s: %s is not a host of the network",
			       run->options->traffic.map, text);
	return TR_OK;
}

// The first rank of each job, and the number of all, freed by the caller; NULL: no memory.
static uint32_t *job_places_first(const struct goal_program *goal)
{
	uint32_t *first = calloc((size_t)goal->job_count + 1, sizeof(*first));

	for (uint32_t job = 0; first && job <= goal->job_count; job++)
		first[job] = goal_job_first(goal, job);
	return first;
}

// Opens the map; *err is empty if the error was reported.
static enum tr_status job_places_open_map(struct program_run *run, const struct net_setup *setup,
					  const struct net_fabric *kind, struct node_map *map,
					  struct tr_error *err)
{
	struct place_pattern pattern = {0};
	struct map_request request = {.text = run->options->traffic.map,
				      .network = run->options->network,
				      .topology = setup->topology,
				      .routes = kind->linked ? setup->routes : NULL,
				      .ways = kind->ways,
				      .params = setup->params,
				      .pattern = run->form->pattern ? &pattern : NULL,
				      .ignore_unmapped = run->options->traffic.ignore_unmapped};
	enum tr_status status = TR_OK;
	uint32_t *first = NULL;

	if (run->goal.job_count > 0) {
		first = job_places_first(&run->goal);
		if (!first)
			return tr_no_memory(err, "the map");
		request.job_first = first;
		request.jobs = run->goal.job_count;
	}
	if (run->form->pattern && node_map_is_word(request.text, "least"))
		status = run->form->pattern(run, &pattern, err);
	if (status == TR_OK && !map_input_open(run->tool, &request, map, &run->placed))
		status = TR_ERROR;
	place_pattern_clear(&pattern);
	free(first);
	return status;
}

// As --map says, by a node map with ranks called "rank0" and so on; *err as above.
static enum tr_status job_places_by_map(struct program_run *run, const struct net_setup *setup,
					const struct net_fabric *kind, struct tr_error *err)
{
	struct tr_names names = {.limits.nodes = GOAL_RANKS_MAX};
	struct node_map map = {0};
	enum tr_status status;

	status = job_places_open_map(run, setup, kind, &map, err);
	for (uint32_t rank = 0; status == TR_OK && rank < run->form->ranks(run); rank++)
		status = job_places_find_host(run, &map, &names, rank, setup->topology->hosts, err);
	node_map_close(&map);
	tr_names_clear(&names);
	return status;
}

// ---- jobs with hosts or an order of their own

static bool job_places_has_keys(const struct job_keys *keys)
{
	return *keys->hosts != '\0' || keys->order != JOB_AS_ALL;
}

// Whether one of the programs has them.
static bool job_places_are_keyed(const struct program_run *run)
{
	for (uint32_t job = 0; run->jobs.keys && job < goal_job_count(&run->goal); job++)
		if (job_places_has_keys(&run->jobs.keys[job]))
			return true;
	return false;
}

// The hosts of the keys, both ends included.
static enum tr_status job_places_range(const struct job_keys *keys, uint32_t hosts, uint32_t *from,
				       uint32_t *to, struct tr_error *err)
{
	const char *dots = strstr(keys->hosts, "..");
	char first[KEY_TEXT_BYTES] = "0";
	uint64_t begin = 0, end = hosts - 1;

	*from = 0;
	*to = hosts - 1;
	if (*keys->hosts == '\0')
		return TR_OK;
	if (dots && dots > keys->hosts)
		snprintf(first, sizeof(first), "%.*s", (int)(dots - keys->hosts), keys->hosts);
	if (!dots || num_parse_count(first, 0, hosts - 1, &begin, NULL) != TR_OK ||
	    (dots[2] != '\0' && num_parse_count(dots + 2, begin, hosts - 1, &end, NULL) != TR_OK))
		return tr_fail(err, "hosts: expected FROM..TO of 0 to %u, found \"%.100s\"",
			       hosts - 1, keys->hosts);
	*from = (uint32_t)begin;
	*to = (uint32_t)end;
	return TR_OK;
}

// All hosts in the order of the job, of_id[i] the i-th, in a map that is closed in any case.
static enum tr_status job_places_order(const struct program_run *run, const struct job_keys *keys,
				       const struct net_topology *topology, struct node_map *map,
				       struct tr_error *err)
{
	const char *text = run->options->traffic.map;
	static const char *const units[] = {"host", "switch", "group"};
	char own[64];

	snprintf(own, sizeof(own), "random:seed=%llu,by=%s", (unsigned long long)keys->seed,
		 units[keys->unit]);
	if (keys->order == JOB_AT_RANDOM)
		text = own;
	else if (keys->order == JOB_BY_NUMBER || !node_map_is_word(text, "random"))
		text = "ids";
	if (node_map_open(map, text, topology, err) != TR_OK)
		return TR_ERROR;
	if (map->of_id)
		return TR_OK;
	map->of_id = calloc((size_t)topology->hosts + 1, sizeof(*map->of_id));
	if (!map->of_id)
		return tr_no_memory(err, "the map");
	map->of_id_count = topology->hosts;
	for (uint32_t host = 0; host < topology->hosts; host++)
		map->of_id[host] = host;
	return TR_OK;
}

// Leaves in the map the hosts from..to that are not taken; taken NULL: none is.
static void job_places_choose(struct node_map *map, uint32_t from, uint32_t to, const bool *taken)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < map->of_id_count; i++)
		if (map->of_id[i] >= from && map->of_id[i] <= to &&
		    !(taken && taken[map->of_id[i]]))
			map->of_id[count++] = map->of_id[i];
	map->of_id_count = count;
}

// Puts the ranks of a job onto hosts that are not taken, and takes them.
static enum tr_status job_places_put(struct program_run *run, uint32_t job,
				     const struct net_topology *topology, bool *taken,
				     struct tr_error *err)
{
	const uint32_t first = goal_job_first(&run->goal, job),
		       ranks = goal_job_first(&run->goal, job + 1) - first;
	struct node_map map = {0};
	uint32_t from, to;
	enum tr_status status = TR_ERROR;

	if (job_places_range(&run->jobs.keys[job], topology->hosts, &from, &to, err) == TR_OK &&
	    job_places_order(run, &run->jobs.keys[job], topology, &map, err) == TR_OK) {
		job_places_choose(&map, from, to, taken);
		status = map.of_id_count < ranks
				 ? tr_fail(err, "%u ranks, and of hosts %u to %u %u are free",
					   ranks, from, to, map.of_id_count)
				 : TR_OK;
	}
	for (uint32_t i = 0; status == TR_OK && i < ranks; i++) {
		run->host_of[first + i] = map.of_id[i];
		taken[map.of_id[i]] = true;
	}
	node_map_close(&map);
	return status == TR_OK ? TR_OK
			       : tr_fail_in(err, "--program %s", goal_name_of(&run->goal, first));
}

// First the jobs that name their hosts, then the others.
static enum tr_status job_places_by_keys(struct program_run *run,
					 const struct net_topology *topology, bool *taken,
					 struct tr_error *err)
{
	const char *map = run->options->traffic.map;

	if (strcmp(map, "ids") != 0 && !node_map_is_word(map, "random"))
		return tr_fail(err, "--program: hosts and map go with --map ids or random, not %s",
			       map);
	for (int named = 1; named >= 0; named--)
		for (uint32_t job = 0; job < goal_job_count(&run->goal); job++)
			if ((*run->jobs.keys[job].hosts != '\0') == named &&
			    job_places_put(run, job, topology, taken, err) != TR_OK)
				return TR_ERROR;
	return TR_OK;
}

// ---- a trace beside them

// Its nodes have the hosts of its keys, also where ranks are, or those that no rank has.
static enum tr_status job_places_of_trace(struct program_run *run,
					  const struct net_topology *topology, bool *taken,
					  struct tr_error *err)
{
	const struct job_keys *keys = &run->jobs.keys[goal_job_count(&run->goal)];
	const char *text = run->options->traffic.map;
	struct node_map *map = job_trace_map(run->trace, topology->hosts);
	uint32_t from, to;

	if (!job_places_has_keys(keys) && (strcmp(text, "names") == 0 || node_map_is_file(text)))
		return node_map_open(map, text, topology, err);
	for (uint32_t rank = 0; rank < run->goal.ranks; rank++) {
		const uint32_t host = run->host_of ? run->host_of[rank] : rank;

		if (host < topology->hosts)
			taken[host] = true;
	}
	if (job_places_range(keys, topology->hosts, &from, &to, err) != TR_OK ||
	    job_places_order(run, keys, topology, map, err) != TR_OK)
		return tr_fail_in(err, "%s", job_trace_name(run->trace));
	job_places_choose(map, from, to, *keys->hosts == '\0' ? taken : NULL);
	(void)job_trace_map(run->trace, map->of_id_count);
	return TR_OK;
}

enum tr_status job_places_find(struct program_run *run, const struct net_setup *setup,
			       const struct net_fabric *kind, struct tr_error *err)
{
	const bool by_map = strcmp(run->options->traffic.map, "ids") != 0;
	const bool keyed = job_places_are_keyed(run);
	bool *taken = calloc((size_t)setup->topology->hosts + 1, sizeof(*taken));
	enum tr_status status = TR_OK;

	if (by_map || keyed)
		run->host_of = calloc((size_t)run->form->ranks(run) + 1, sizeof(*run->host_of));
	if (!taken || ((by_map || keyed) && !run->host_of))
		status = tr_no_memory(err, "the ranks");
	else if (keyed)
		status = job_places_by_keys(run, setup->topology, taken, err);
	else if (by_map)
		status = job_places_by_map(run, setup, kind, err);
	if (status == TR_OK && run->trace)
		status = job_places_of_trace(run, setup->topology, taken, err);
	free(taken);
	return status;
}
