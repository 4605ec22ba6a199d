// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/all_networks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "file/spawn.h"
#include "net/topologies/topologies.h"
#include "net/topology/topology_build.h"
#include "value/num.h"

#define WORDS_MAX (3u * NET_ALL_CABLES_MAX + 3u)
#define MANY UINT32_MAX

struct wanted {
	uint32_t switches;
	uint32_t cables;
	uint32_t parallel; // cables between two switches at most
	uint32_t degree;   // cables of a switch at most; 0: any
	uint32_t hosts;	   // of all
};

struct net_all {
	struct wanted wanted;
	struct tr_child geng;
	struct tr_child multig;
	bool geng_runs;
	bool multig_runs;
	FILE *in;
	char *line;
	size_t line_room;
	uint64_t number; // of the line
	bool ended;
};

static struct wanted take_wanted(struct net_args *args)
{
	struct wanted wanted = {
		.switches = net_args_count(args, 0, "number of switches (S)", 2,
					   NET_ALL_SWITCHES_MAX),
		.cables = net_args_count(args, 1, "cables between switches (C)", 1,
					 NET_ALL_CABLES_MAX),
		.parallel = net_args_option(args, "parallel", 1, NET_ALL_CABLES_MAX, 1),
		.degree = net_args_option(args, "degree", 1, NET_ALL_CABLES_MAX, 0),
	};
	const uint32_t each = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 0);
	const uint32_t total = net_args_option(args, "total", 1,
					       NET_PORTS_MAX * NET_ALL_SWITCHES_MAX, 0);

	if (each > 0 && total > 0)
		net_args_fail(
			args,
			"hosts= is that of each switch, total= that of all: only one of them");
	wanted.hosts = total > 0 ? total : (each > 0 ? each : 1) * wanted.switches;
	return wanted;
}

// Starts a program of nauty, which Debian calls nauty-NAME and others NAME; argv[0] is set.
static enum tr_status all_networks_start(struct tr_child *child, const char *const names[2],
					 const char **argv, const char *in_path, int *out,
					 struct tr_error *err)
{
	enum tr_status status = TR_END;

	for (unsigned i = 0; i < 2 && status == TR_END; i++) {
		argv[0] = names[i];
		status = tr_spawn_read(child, argv, in_path, out, err);
	}
	if (status == TR_END)
		return tr_fail(err, "cannot run %s or %s: install nauty (Debian package nauty)",
			       names[0], names[1]);
	return status;
}

static enum tr_status start_programs(struct net_all *all, struct tr_error *err)
{
	static const char *const geng[2] = {"nauty-geng", "geng"};
	static const char *const multig[2] = {"nauty-multig", "multig"};
	const struct wanted *w = &all->wanted;
	const uint32_t most = w->switches * (w->switches - 1) / 2;
	const uint32_t fewest = (w->cables + w->parallel - 1) / w->parallel;
	char switches[16], pairs[32], degree[16], parallel[16], cables[16], path[32];
	const char *geng_argv[] = {"", "-c", "-q", degree, switches, pairs, NULL};
	const char *multig_argv[] = {
		"", "-q", "-T", parallel, cables, w->degree > 0 ? degree : NULL, NULL};
	int from_geng, from_multig;
	enum tr_status status;

	snprintf(switches, sizeof(switches), "%u", w->switches);
	snprintf(pairs, sizeof(pairs), "%u:%u", fewest > w->switches - 1 ? fewest : w->switches - 1,
		 w->cables < most ? w->cables : most);
	snprintf(degree, sizeof(degree), "-D%u", w->degree > 0 ? w->degree : w->cables);
	snprintf(parallel, sizeof(parallel), "-m%u", w->parallel);
	snprintf(cables, sizeof(cables), "-e%u", w->cables);
	all->ended = fewest > most || w->cables < w->switches - 1;
	if (all->ended)
		return TR_OK;
	if (all_networks_start(&all->geng, geng, geng_argv, NULL, &from_geng, err) != TR_OK)
		return TR_ERROR;
	all->geng_runs = true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", from_geng);
	status = all_networks_start(&all->multig, multig, multig_argv, path, &from_multig, err);
	(void)close(from_geng);
	if (status != TR_OK)
		return status;
	all->multig_runs = true;
	all->in = fdopen(from_multig, "r");
	if (!all->in) {
		(void)close(from_multig);
		return tr_no_memory(err, "networks");
	}
	return TR_OK;
}

// Takes the arguments, with index= where index is not NULL.
static struct net_all *open_args(struct net_args *args, uint32_t *index, struct tr_error *err)
{
	struct net_all *all = calloc(1, sizeof(*all));

	if (!all) {
		(void)tr_no_memory(err, "networks");
		return NULL;
	}
	all->wanted = take_wanted(args);
	if (index)
		*index = net_args_option(args, "index", 0, NET_ALL_INDEX_MAX, MANY);
	if (net_args_end(args, err) == TR_OK) {
		if (index && *index == MANY)
			(void)tr_fail(err,
				      "expected index=K (flitnet lists all networks without it)");
		else if (start_programs(all, err) == TR_OK)
			return all;
	}
	net_all_close(all);
	return NULL;
}

static bool is_all(const char *text)
{
	return strncmp(text, "all:", strlen("all:")) == 0;
}

bool net_all_is_list(const char *text)
{
	return is_all(text) && !strstr(text, ",index=");
}

struct net_all *net_all_open(const char *text, struct tr_error *err)
{
	struct net_args args;
	struct net_all *all;
	struct tr_error why;

	net_args_open(&args, text + strlen("all:"));
	all = open_args(&args, NULL, &why);
	net_args_clear(&args);
	if (!all)
		(void)tr_fail_for(err, &why, "network \"%s\": %s", text, why.text);
	return all;
}

// Waits for a program that has ended or is being ended.
static enum tr_status all_networks_end(struct tr_child *child, bool *runs, bool early,
				       struct tr_error *err)
{
	if (!*runs)
		return TR_OK;
	*runs = false;
	if (early)
		(void)kill(child->process, SIGTERM);
	return tr_spawn_end(child, err);
}

void net_all_close(struct net_all *all)
{
	struct tr_error ignored;

	if (!all)
		return;
	if (all->in)
		(void)fclose(all->in);
	(void)all_networks_end(&all->geng, &all->geng_runs, !all->ended, &ignored);
	(void)all_networks_end(&all->multig, &all->multig_runs, !all->ended, &ignored);
	free(all->line);
	free(all);
}

static enum tr_status foreign(const struct net_all *all, struct tr_error *err)
{
	return tr_fail(err, "%s: line %llu is not a graph of %u vertices and %u edges",
		       all->multig.program, (unsigned long long)all->number, all->wanted.switches,
		       all->wanted.cables);
}

// Reads "VERTICES PAIRS  V1 V2 EDGES ..." as numbers; returns how many, 0 where it is anything
// else.
static uint32_t read_numbers(struct net_all *all, uint32_t *numbers)
{
	uint32_t count = 0;
	char *rest = all->line;
	char *word;

	rest[strcspn(rest, "\n")] = '\0';
	while ((word = strsep(&rest, " ")) != NULL) {
		uint64_t value;

		if (*word == '\0')
			continue;
		if (count == WORDS_MAX ||
		    num_parse_count(word, 0, NET_ALL_CABLES_MAX, &value, NULL) != TR_OK)
			return 0;
		numbers[count++] = (uint32_t)value;
	}
	return count;
}

// Whether the numbers are a graph as it was wanted; degree gets the edges of each vertex.
static bool check_numbers(const struct wanted *wanted, const uint32_t *numbers, uint32_t count,
			  uint32_t *degree)
{
	uint32_t cables = 0;

	if (count < 2 || numbers[0] != wanted->switches || count != 2 + 3 * numbers[1])
		return false;
	for (const uint32_t *pair = numbers + 2; pair < numbers + count; pair += 3) {
		if (pair[0] >= wanted->switches || pair[1] >= wanted->switches ||
		    pair[0] == pair[1] || pair[2] < 1)
			return false;
		degree[pair[0]] += pair[2];
		degree[pair[1]] += pair[2];
		cables += pair[2];
	}
	return cables == wanted->cables;
}

static enum tr_status all_networks_build(const struct wanted *wanted, const uint32_t *numbers,
					 const uint32_t *degree, struct net_topology *topology,
					 struct tr_error *err)
{
	const uint32_t s = wanted->switches;
	const uint32_t most_hosts = (wanted->hosts + s - 1) / s;
	struct net_size size = {.hosts = wanted->hosts,
				.switches = s,
				.cables = (uint64_t)wanted->hosts + wanted->cables};
	uint32_t used[NET_ALL_SWITCHES_MAX];
	struct net_builder builder;

	for (uint32_t i = 0; i < s; i++) {
		used[i] = most_hosts;
		if (most_hosts + degree[i] > size.ports)
			size.ports = most_hosts + degree[i];
	}
	if (net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < s; i++)
		net_build_hosts(&builder, i * wanted->hosts / s,
				(i + 1) * wanted->hosts / s - i * wanted->hosts / s, i);
	for (const uint32_t *pair = numbers + 2; pair < numbers + 2 + 3 * numbers[1]; pair += 3)
		for (uint32_t i = 0; i < pair[2]; i++)
			net_build_cable(&builder, pair[0], used[pair[0]]++, pair[1],
					used[pair[1]]++);
	return TR_OK;
}

enum tr_status net_all_next(struct net_all *all, struct net_topology *topology,
			    struct tr_error *err)
{
	uint32_t degree[NET_ALL_SWITCHES_MAX] = {0};
	uint32_t numbers[WORDS_MAX];
	uint32_t count;

	*topology = (struct net_topology){0};
	if (!all->ended && getline(&all->line, &all->line_room, all->in) < 0) {
		if (!feof(all->in))
			return tr_no_memory(err, "what %s prints: %s", all->multig.program,
					    strerror(errno));
		all->ended = true;
		if (all_networks_end(&all->multig, &all->multig_runs, false, err) != TR_OK ||
		    all_networks_end(&all->geng, &all->geng_runs, false, err) != TR_OK)
			return TR_ERROR;
	}
	if (all->ended)
		return TR_END;
	all->number++;
	count = read_numbers(all, numbers);
	if (!check_numbers(&all->wanted, numbers, count, degree))
		return foreign(all, err);
	return all_networks_build(&all->wanted, numbers, degree, topology, err);
}

static enum tr_status all_networks_make(struct net_topology *topology, struct net_args *args,
					struct tr_error *err)
{
	uint32_t index;
	struct net_all *all = open_args(args, &index, err);
	enum tr_status status = all ? TR_OK : TR_ERROR;
	uint32_t count = 0;

	while (status == TR_OK) {
		status = net_all_next(all, topology, err);
		if (status != TR_OK || count++ == index)
			break;
		net_topology_clear(topology);
	}
	net_all_close(all);
	return status == TR_END
		       ? tr_fail(err, "there are %u such networks; index= counts from 0", count)
		       : status;
}

const struct net_generator net_all = {"all",
				      "S,C,index=K[,parallel=P][,degree=D][,hosts=H | ,total=N]",
				      "network K of all connected ones of S switches and C cables "
				      "between them, no two alike (needs nauty)",
				      all_networks_make};
