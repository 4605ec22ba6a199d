// SPDX-License-Identifier: GPL-3.0-or-later
// A trace of packets beside programs: a job whose packets enter at their times, whatever the
// network does, while the programs react. Its nodes follow the ranks.
#include "program_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "packet_feed.h"
#include "text/program_file.h"
#include "value/ticks.h"

#define JOB_TRACE_IDS ((uint64_t)1 << 62) // what is added to its packets' ids, above the programs'

// Who made the offer that the network holds.
enum job_trace_turn { JOB_TRACE_NONE, JOB_TRACE_PROGRAMS, JOB_TRACE_OWN };

// What the packets of the trace have come to in a run, alone or beside the programs.
struct job_trace_run {
	struct job_trace *trace;
	struct packet_feed feed;
	struct net_traffic programs; // and what takes their results; alone none
	struct net_results results;
	struct net_offer held; // its next packet, if holds
	bool holds, over;      // no more is read
	enum job_trace_turn turn;
	bool wakes;		    // that offer is no packet
	uint32_t *used;		    // by host: packets under way,
	uint32_t window;	    // of which there are at most so many
	uint64_t read, most;	    // packets, at most so many
	uint64_t under_way;	    // of them
	uint64_t programs_on;	    // packets of programs under way
	bool in_flight;		    // at the end some were
	int64_t shift_ticks;	    // to its start
	int64_t ended_ticks;	    // the last one
	struct program_beside told; // to the programs
	int64_t programs_ticks;	    // since when they have ended; INT64_MAX
};

struct job_trace {
	struct program_run *run; // lent
	char name[PATH_MAX];
	struct tr_reader *in;
	uint32_t nodes;
	struct job_trace_run beside;
	const struct fabric *fabric;
};

static const struct job_keys *job_trace_keys(const struct job_trace *trace)
{
	return &trace->run->jobs.keys[goal_job_count(&trace->run->goal)];
}

static int64_t job_trace_start_ticks(const struct job_trace *trace)
{
	return trace->run->jobs.plans[goal_job_count(&trace->run->goal)].start_ticks;
}

// ---- opening

// Nodes of the trace have numbers behind the ranks.
static enum tr_status job_trace_name_node(void *context, const struct tr_name *name,
					  struct tr_error *err)
{
	struct job_trace *trace = context;
	const uint32_t ranks = trace->run->goal.ranks;
	struct tr_name own = *name;

	if (name->kind == TR_NAME_NODE) {
		if (name->id >= TR_NODES_MAX - ranks)
			return tr_fail(err, "%s: more than %u nodes with the ranks", trace->name,
				       TR_NODES_MAX);
		own.id += ranks;
		if (name->id >= trace->nodes)
			trace->nodes = name->id + 1;
	} else if (name->kind == TR_NAME_FLOW) {
		own.src += name->src == TR_NODE_OTHER ? 0 : ranks;
		own.dst += name->dst == TR_NODE_OTHER ? 0 : ranks;
	}
	return trace->run->name(trace->run->listener.context, &own, err);
}

static bool job_trace_is_one(const struct job_trace *trace)
{
	struct tool *tool = trace->run->tool;
	const bool piped = strcmp(trace->name, "-") == 0;

	if (tool_operand_count(tool) > 1)
		tool_error(tool, "one trace beside programs; flitcat merges several");
	else if (piped && trace->run->reads_stdin)
		tool_error(tool, "standard input holds one program, or a trace");
	else if (piped && job_trace_keys(trace)->alone)
		tool_error(tool, "-: alone=yes reads the trace twice: give a file");
	return tool_ok(tool);
}

static bool job_trace_prepare(struct job_trace *trace, uint64_t *ticks_per_s)
{
	struct program_run *run = trace->run;
	struct packet_feed *feed = &trace->beside.feed;
	const char *keys;
	struct tr_error err;

	if (program_file_split(tool_operand(run->tool, 0), trace->name, sizeof(trace->name), &keys,
			       &err) != TR_OK ||
	    job_runs_read_trace(run, keys, &err) != TR_OK) {
		tool_error(run->tool, "%s: %s", tool_operand(run->tool, 0), err.text);
		return false;
	}
	if (!job_trace_is_one(trace))
		return false;
	tool_on_name(run->tool, job_trace_name_node, trace);
	trace->in = feed->in = tool_open_input(run->tool, trace->name);
	if (!feed->in && run->options->mpi.words.count > 0)
		tool_relay(run->tool, "keys of --mpi follow an =");
	if (!feed->in)
		return false;
	if (packet_feed_check(feed, &err) == TR_OK &&
	    packet_feed_join_clocks(feed, ticks_per_s, &err) == TR_OK)
		return true;
	tool_error(run->tool, "%s", err.text);
	return false;
}

bool job_trace_open(struct program_run *run, uint64_t *ticks_per_s)
{
	if (!run->options->program.beside)
		return true;
	run->trace = calloc(1, sizeof(*run->trace));
	if (!run->trace) {
		tool_no_memory(run->tool, "the trace");
		return false;
	}
	run->trace->run = run;
	run->trace->beside.trace = run->trace;
	run->trace->beside.told.end_ticks = INT64_MAX;
	return job_trace_prepare(run->trace, ticks_per_s);
}

struct node_map *job_trace_map(struct job_trace *trace, uint32_t room)
{
	trace->beside.feed.room = room;
	return &trace->beside.feed.map;
}

const struct program_beside *job_trace_beside(const struct job_trace *trace)
{
	return trace && !job_trace_keys(trace)->cut ? &trace->beside.told : NULL;
}

// ---- its packets

// The next packet of the trace, at its time in the run.
static enum tr_status job_trace_read(struct job_trace_run *own, struct tr_error *err)
{
	const struct job_trace *trace = own->trace;
	struct net_offer *held = &own->held;
	enum tr_status status;

	if (own->holds || own->over)
		return TR_OK;
	status = own->read == own->most ? TR_END : packet_feed_next(&own->feed, held, err);
	own->holds = status == TR_OK;
	own->over = status == TR_END;
	if (status != TR_OK)
		return status == TR_END ? TR_OK : TR_ERROR;
	if (own->read++ == 0)
		own->shift_ticks = job_trace_start_ticks(trace) - held->packet.time_ticks;
	held->packet.src += trace->run->goal.ranks;
	held->packet.dst += trace->run->goal.ranks;
	if (held->packet.id >= JOB_TRACE_IDS)
		return tr_fail(err, "%s: a packet has the id %llu, above 2^62", trace->name,
			       (unsigned long long)held->packet.id);
	held->packet.id += JOB_TRACE_IDS;
	if (__builtin_add_overflow(held->packet.time_ticks, own->shift_ticks,
				   &held->packet.time_ticks) ||
	    held->packet.time_ticks > INT64_MAX / 2)
		return tr_fail(err, "%s: a time does not fit the simulation's clock", trace->name);
	return TR_OK;
}

// The network has taken what it was offered.
static void job_trace_settle(struct job_trace_run *own)
{
	if (own->turn == JOB_TRACE_OWN) {
		own->holds = false;
		own->told.moves++;
		own->under_way++;
		if (own->held.refused == TR_DROP_NONE)
			own->used[own->held.source]++;
	} else if (own->turn == JOB_TRACE_PROGRAMS) {
		own->programs_on += !own->wakes;
	}
	own->turn = JOB_TRACE_NONE;
}

// Whether its host has room for another packet.
static bool job_trace_fits(const struct job_trace_run *own)
{
	return own->held.refused != TR_DROP_NONE || own->used[own->held.source] < own->window;
}

// Cuts the trace where the programs have ended, or can do nothing more: they have nothing under way
// and offer nothing.
static void job_trace_cut(struct job_trace_run *own)
{
	struct program_totals totals;

	if (own->programs_on > 0)
		return;
	if (own->programs_ticks == INT64_MAX) {
		program_totals(own->trace->run->program, &totals);
		own->programs_ticks = totals.finish_ticks;
	}
	if (own->held.packet.time_ticks <= own->programs_ticks)
		return;
	own->holds = false;
	own->over = true;
	own->read--;
}

static void job_trace_note_end(struct job_trace_run *own)
{
	if (own->over && !own->holds && own->under_way == 0 && own->told.end_ticks == INT64_MAX)
		own->told.end_ticks = own->read > 0 ? own->ended_ticks
						    : job_trace_start_ticks(own->trace);
}

static enum tr_status job_trace_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct job_trace_run *own = context;
	enum tr_status status = TR_END;

	job_trace_settle(own);
	if (job_trace_read(own, err) != TR_OK)
		return TR_ERROR;
	own->told.due = own->holds && job_trace_fits(own);
	if (own->programs.next)
		status = own->programs.next(own->programs.context, offer, err);
	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_END && own->holds && own->programs.next && job_trace_keys(own->trace)->cut)
		job_trace_cut(own);
	job_trace_note_end(own);
	if (own->holds && job_trace_fits(own) &&
	    (status == TR_END || own->held.packet.time_ticks <= offer->packet.time_ticks)) {
		if (status == TR_OK)
			own->programs.give_back(own->programs.context, offer);
		*offer = own->held;
		own->turn = JOB_TRACE_OWN;
		return TR_OK;
	}
	own->turn = status == TR_OK ? JOB_TRACE_PROGRAMS : JOB_TRACE_NONE;
	own->wakes = status == TR_OK && offer->wake;
	return status;
}

static void job_trace_give_back(void *context, const struct net_offer *offer)
{
	struct job_trace_run *own = context;

	if (own->turn == JOB_TRACE_PROGRAMS)
		own->programs.give_back(own->programs.context, offer);
	own->turn = JOB_TRACE_NONE;
}

static bool job_trace_name_id(const void *context, uint64_t offered, uint64_t *id)
{
	const struct net_traffic *programs = &((const struct job_trace_run *)context)->programs;

	*id = offered;
	return (offered & ~(JOB_TRACE_IDS - 1)) == JOB_TRACE_IDS ||
	       programs->name(programs->context, offered, id);
}

// A packet of the trace has come to its end. One that was refused was no worm.
static void job_trace_take_end(struct job_trace_run *own, const struct net_worm *worm,
			       const struct tr_delivery *delivery)
{
	if (own->turn == JOB_TRACE_OWN && worm->size_bytes == 0 &&
	    own->held.refused == TR_DROP_NONE)
		own->held.refused = delivery->reason;
	if (worm->size_bytes > 0)
		own->used[sim_ports_host(own->trace->run->ports, worm->source)]--;
	own->under_way--;
	own->told.moves += delivery->status != TR_IN_FLIGHT;
	own->in_flight = own->in_flight || delivery->status == TR_IN_FLIGHT;
	own->ended_ticks = delivery->packet.time_ticks;
	job_trace_note_end(own);
}

static enum tr_status job_trace_done(void *context, const struct net_worm *worm,
				     const struct tr_delivery *delivery, struct tr_error *err)
{
	struct job_trace_run *own = context;
	struct program_run *run = own->trace->run;

	if (delivery->packet.src < run->goal.ranks) {
		own->programs_on--;
		return own->results.done(own->results.context, worm, delivery, err);
	}
	job_trace_take_end(own, worm, delivery);
	if (own->programs.next)
		return run->listener.done(run->listener.context, worm, delivery, err);
	job_runs_add(run, worm, delivery);
	return TR_OK;
}

static enum tr_status job_trace_sample(void *context, const struct tr_link *link,
				       struct tr_error *err)
{
	const struct net_results *results = &((struct job_trace_run *)context)->results;

	return results->sample(results->context, link, err);
}

// Makes a run of it ready, of at most so many packets. The map is set.
static enum tr_status job_trace_begin(struct job_trace_run *own, struct net_setup *setup,
				      uint64_t most, struct tr_error *err)
{
	const struct job_trace *trace = own->trace;
	const struct program_run *run = trace->run;
	const uint64_t part = sim_memory_part(run->options, SIM_MEMORY_TRAFFIC);
	const uint32_t hosts = sim_ports_hosts(run->ports, setup->topology)->hosts;
	const struct net_host_ports *turns = sim_ports_turns(run->ports);

	own->feed.hosts = hosts;
	own->feed.keep_going = tool_keep_going(run->tool);
	own->window = program_run_window(trace->fabric);
	own->most = most;
	own->programs_ticks = INT64_MAX;
	setup->traffic = (struct net_traffic){.next = job_trace_next,
					      .context = own,
					      .give_back = job_trace_give_back,
					      .name = own->programs.next ? job_trace_name_id
									 : NULL};
	setup->results.done = job_trace_done;
	setup->results.context = own;
	own->used = calloc((size_t)hosts + 1, sizeof(*own->used));
	if (!own->used)
		return tr_no_memory(err, "%u hosts", hosts);
	if (packet_feed_open(&own->feed, run->options, trace->fabric, setup, turns, err) != TR_OK)
		return TR_ERROR;
	own->feed.cut.most = (size_t)((double)own->feed.cut.most *
				      (double)(part - run->goal_bytes) / (double)part);
	return TR_OK;
}

static void job_trace_end_run(struct job_trace_run *own)
{
	free(own->used);
	packet_feed_close(&own->feed);
}

enum tr_status job_trace_start(struct program_run *run, const struct fabric *fabric,
			       struct net_setup *setup, struct tr_error *err)
{
	struct job_trace *trace = run->trace;

	trace->fabric = fabric;
	trace->beside.programs = setup->traffic;
	trace->beside.results = setup->results;
	setup->results.sample = setup->results.sample ? job_trace_sample : NULL;
	return job_trace_begin(&trace->beside, setup, UINT64_MAX, err);
}

// ---- alone

static enum tr_status job_trace_run_alone(struct job_trace_run *own,
					  const struct net_engine *engine,
					  const struct net_setup *setup, struct tr_error *err)
{
	const struct program_run *run = own->trace->run;
	struct net_host_ports ports = run->ports->choice; // beside those of the whole run
	struct net_setup alone = *setup;
	struct net_totals totals;

	alone.results = (struct net_results){.done = NULL};
	if (job_trace_begin(own, &alone, own->trace->beside.read, err) != TR_OK)
		return TR_ERROR;
	if (run->ports->chooses)
		net_host_ports_join(&ports, &alone.traffic);
	if (engine->run(&alone, &totals, err) != TR_OK)
		return TR_ERROR;
	if (own->told.end_ticks != INT64_MAX && !own->in_flight)
		run->jobs.alone_ticks[goal_job_count(&run->goal)] = own->told.end_ticks -
								    job_trace_start_ticks(
									    own->trace);
	return TR_OK;
}

enum tr_status job_trace_alone(struct program_run *run, const struct net_engine *engine,
			       const struct net_setup *setup, struct tr_error *err)
{
	struct packet_feed *feed = &run->trace->beside.feed;
	struct job_trace_run own = {
		.trace = run->trace,
		.feed = {.factor = feed->factor, .map = feed->map, .room = feed->room},
		.told = {.end_ticks = INT64_MAX}};
	struct tr_source *source;
	enum tr_status status;

	if (tr_source_open(&source, run->trace->name, err) != TR_OK ||
	    tr_reader_open(&own.feed.in, source, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	status = job_trace_run_alone(&own, engine, setup, err);
	feed->map = own.feed.map;
	own.feed.map = (struct node_map){0};
	job_trace_end_run(&own);
	tr_reader_close(own.feed.in);
	return status;
}

// ---- after the run

uint32_t job_trace_nodes(const struct job_trace *trace)
{
	return trace->nodes;
}

const char *job_trace_name(const struct job_trace *trace)
{
	return trace->name;
}

struct program_job job_trace_result(const struct job_trace *trace)
{
	const struct job_trace_run *own = &trace->beside;
	struct program_job out = {.start_ticks = job_trace_start_ticks(trace), .finish_ticks = -1};

	out.ran_ticks = -1;
	if (own->told.end_ticks == INT64_MAX || own->in_flight)
		return out;
	out.runs = 1;
	out.finish_ticks = own->told.end_ticks;
	out.ran_ticks = out.finish_ticks - out.start_ticks;
	return out;
}

void job_trace_tell(const struct job_trace *trace, const struct net_setup *setup)
{
	if (trace)
		packet_feed_tell(&trace->beside.feed, trace->run->tool, trace->name,
				 sim_ports_hosts(trace->run->ports, setup->topology),
				 setup->ticks_per_s);
}

bool job_trace_failed(const struct job_trace *trace, const struct tr_error *err)
{
	return trace && trace->in && strcmp(err->text, tr_reader_error(trace->in)) == 0;
}

void job_trace_close(struct job_trace *trace)
{
	if (!trace)
		return;
	tool_close_input(trace->run->tool, trace->in);
	job_trace_end_run(&trace->beside);
	free(trace);
}
