// SPDX-License-Identifier: GPL-3.0-or-later
// Who stood in whose way: for each pair of jobs how long packets of one waited at switches for a
// link on which a packet of the other was, and what both sent over links that they shared.
#include "program_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_rows.h"
#include "value/grow.h"

// A packet of a job that asks for a link later.
struct job_waits_ask {
	int64_t ticks;
	uint32_t job;
};

struct job_waits_link {
	int64_t since_ticks;	     // added up until then
	uint32_t waiting, on;	     // packets of all jobs, that wait for it and are on it
	struct job_waits_ask *later; // by their ticks
	size_t count, room;
};

// Of one job and one link.
struct job_waits_use {
	uint64_t bytes;
	uint32_t waiting, on;
};

// Of a job and one that it may have waited for.
struct job_waits_pair {
	unsigned __int128 ticks;
	uint64_t links, bytes, behind_bytes; // links that both used
};

struct job_waits {
	const struct program_run *run; // lent
	const struct net_topology *topology;
	uint32_t jobs;
	struct job_waits_link *links;
	struct job_waits_use *uses;   // by link and job
	struct job_waits_pair *pairs; // by who waited and who was on the link
	uint32_t *met;		      // of all jobs, those that have used a link
	struct net_contest contest;
	uint64_t left_bytes; // that lists of what asks later may still take
	bool failed;	     // memory ran out
};

static size_t job_waits_links(const struct job_waits *waits)
{
	return 2 * waits->topology->cable_count;
}

static struct job_waits_use *job_waits_use(const struct job_waits *waits, uint32_t link,
					   uint32_t job)
{
	return &waits->uses[(size_t)link * waits->jobs + job];
}

static struct job_waits_pair *job_waits_pair(const struct job_waits *waits, uint32_t job,
					     uint32_t behind)
{
	return &waits->pairs[(size_t)job * waits->jobs + behind];
}

static uint32_t job_waits_job(const struct job_waits *waits, const struct net_worm *worm)
{
	return job_runs_of(waits->run, worm->packet.src);
}

// ---- time

// Adds what has been so since the last change.
static void job_waits_pass(struct job_waits *waits, uint32_t number, int64_t ticks)
{
	struct job_waits_link *link = &waits->links[number];
	const int64_t passed_ticks = ticks - link->since_ticks;

	if (passed_ticks <= 0)
		return;
	link->since_ticks = ticks;
	if (link->waiting == 0 || link->on == 0)
		return;
	for (uint32_t i = 0; i < waits->jobs; i++)
		for (uint32_t k = 0; k < waits->jobs && job_waits_use(waits, number, i)->waiting;
		     k++)
			if (job_waits_use(waits, number, k)->on > 0)
				job_waits_pair(waits, i, k)->ticks +=
					(unsigned __int128)passed_ticks *
					job_waits_use(waits, number, i)->waiting;
}

static void job_waits_until(struct job_waits *waits, uint32_t number, int64_t ticks)
{
	struct job_waits_link *link = &waits->links[number];
	size_t come = 0;

	for (; come < link->count && link->later[come].ticks <= ticks; come++) {
		job_waits_pass(waits, number, link->later[come].ticks);
		job_waits_use(waits, number, link->later[come].job)->waiting++;
		link->waiting++;
	}
	for (size_t i = come; come > 0 && i < link->count; i++)
		link->later[i - come] = link->later[i];
	link->count -= come;
	job_waits_pass(waits, number, ticks);
}

// ---- what the network tells

static void job_waits_ask(void *context, uint32_t number, const struct net_worm *worm,
			  int64_t ticks)
{
	struct job_waits *waits = context;
	struct job_waits_link *link = &waits->links[number];
	size_t place;

	if (waits->failed)
		return;
	if (link->count == link->room) {
		const size_t before = link->room;
		uint64_t bytes;

		if (!GROW(link->later, link->room, link->count)) {
			waits->failed = true;
			return;
		}
		bytes = (link->room - before) * sizeof(*link->later);
		waits->failed = waits->failed || bytes > waits->left_bytes;
		waits->left_bytes -= bytes < waits->left_bytes ? bytes : waits->left_bytes;
	}
	for (place = link->count++; place > 0 && link->later[place - 1].ticks > ticks; place--)
		link->later[place] = link->later[place - 1];
	link->later[place] = (struct job_waits_ask){ticks, job_waits_job(waits, worm)};
}

static void job_waits_leave(void *context, uint32_t number, const struct net_worm *worm,
			    int64_t now_ticks)
{
	struct job_waits *waits = context;

	job_waits_until(waits, number, now_ticks);
	job_waits_use(waits, number, job_waits_job(waits, worm))->waiting--;
	waits->links[number].waiting--;
}

static void job_waits_begin(void *context, uint32_t number, const struct net_worm *worm,
			    int64_t now_ticks)
{
	struct job_waits *waits = context;
	struct job_waits_use *use = job_waits_use(waits, number, job_waits_job(waits, worm));
	const struct net_end *from = &waits->topology->cables[number / 2].ends[number % 2];

	job_waits_until(waits, number, now_ticks);
	if (from->node >= waits->topology->hosts) {
		use->waiting--;
		waits->links[number].waiting--;
	}
	use->on++;
	waits->links[number].on++;
	use->bytes += worm->size_bytes;
}

static void job_waits_end(void *context, uint32_t number, const struct net_worm *worm,
			  int64_t now_ticks)
{
	struct job_waits *waits = context;

	job_waits_until(waits, number, now_ticks);
	job_waits_use(waits, number, job_waits_job(waits, worm))->on--;
	waits->links[number].on--;
}

// Of packets that share the cycles of a link.
static void job_waits_yield(void *context, const struct net_worm *worm,
			    const struct net_worm *other, int64_t ticks)
{
	struct job_waits *waits = context;

	job_waits_pair(waits, job_waits_job(waits, worm), job_waits_job(waits, other))->ticks +=
		(uint64_t)ticks;
}

// ---- a run

// What keeps the network from telling it; NULL: nothing.
static const char *job_waits_obstacle(const struct fabric *fabric, const struct net_engine *engine,
				      const struct net_setup *setup)
{
	if (setup->fault_count > 0)
		return "with faults";
	if (setup->timeout_ticks != 0)
		return "with timeouts";
	if (fabric_given(fabric, "bit-errors"))
		return "with bit errors";
	if (fabric_given(fabric, "recover"))
		return "with recover=eject";
	if (engine->tells_choices || !setup->routes || !setup->routes->choices)
		return NULL;
	return "where routes have a choice";
}

// Whether the run tells it; warns if not, and takes another engine for it if none was named.
static bool job_waits_are_told(const struct program_run *run, const struct fabric *fabric,
			       const struct net_engine **engine, const struct net_setup *setup)
{
	const struct net_engine *const *other = fabric->kind->engines;
	const char *obstacle = job_waits_obstacle(fabric, *engine, setup);
	struct tr_error why;

	if (!obstacle && (*engine)->tells_contest)
		return true;
	while (*other && !(*other)->tells_contest)
		other++;
	if (!obstacle && !*other) {
		tool_warn(run->tool,
			  "--waits: which job waited for which on links is not told by %s; "
			  "switched, lanes, ethernet and myrinet tell it",
			  fabric->kind->name);
		return false;
	}
	if (obstacle) {
		tool_warn(run->tool, "--waits: which job waited for which on links is not told %s",
			  obstacle);
		return false;
	}
	if (strcmp(run->options->engine, "auto") != 0 ||
	    ((*other)->supports && (*other)->supports(setup, &why) != TR_OK)) {
		tool_warn(run->tool,
			  "--waits: --engine %s tells which job waited for which on links",
			  (*other)->name);
		return false;
	}
	tool_warn(run->tool,
		  "--waits: the engine is %s, which tells which job waited for which on links, "
		  "and takes longer",
		  (*other)->name);
	*engine = *other;
	return true;
}

// Whether the tables fit into their share of --memory; reports it if not.
static bool job_waits_fit(struct job_waits *waits, const struct program_run *run)
{
	const uint64_t room = sim_memory_part(run->options, SIM_MEMORY_TIMELINE);
	const unsigned __int128 bytes = (unsigned __int128)job_waits_links(waits) *
						(sizeof(*waits->links) +
						 (uint64_t)waits->jobs * sizeof(*waits->uses)) +
					(uint64_t)waits->jobs * waits->jobs * sizeof(*waits->pairs);

	waits->left_bytes = bytes < room ? room - (uint64_t)bytes : 0;
	if (bytes <= room)
		return true;
	tool_error(run->tool,
		   "--waits: %u jobs and %zu directions of cables take %.3g MiB, of which --memory "
		   "has %.3g; --memory %.0fMiB is enough",
		   waits->jobs, job_waits_links(waits), (double)bytes / 1048576,
		   (double)room / 1048576, ceil(SIM_MEMORY_PARTS * (double)bytes / 1048576) + 1);
	return false;
}

static bool job_waits_open(struct job_waits *waits, const struct program_run *run,
			   const struct net_setup *setup)
{
	const uint32_t jobs = job_runs_count(run);

	*waits = (struct job_waits){.run = run,
				    .topology = setup->topology,
				    .jobs = jobs,
				    .contest = {job_waits_ask, job_waits_begin, job_waits_end,
						job_waits_leave, job_waits_yield, waits}};
	if (!job_waits_fit(waits, run))
		return false;
	waits->links = calloc(job_waits_links(waits) + 1, sizeof(*waits->links));
	waits->uses = calloc(job_waits_links(waits) * jobs + 1, sizeof(*waits->uses));
	waits->pairs = calloc((size_t)jobs * jobs, sizeof(*waits->pairs));
	waits->met = calloc(jobs, sizeof(*waits->met));
	if (waits->links && waits->uses && waits->pairs && waits->met)
		return true;
	tool_no_memory(run->tool, "the waits of the jobs");
	return false;
}

bool job_waits_begin_run(struct program_run *run, const struct fabric *fabric,
			 const struct net_engine **engine, struct net_setup *setup)
{
	struct tr_error why;

	if (!run->jobs.packets || !run->options->program.waits ||
	    !job_waits_are_told(run, fabric, engine, setup))
		return true;
	run->waits = calloc(1, sizeof(*run->waits));
	if (!run->waits)
		tool_no_memory(run->tool, "the waits of the jobs");
	if (!run->waits || !job_waits_open(run->waits, run, setup))
		return false;
	setup->contest = &run->waits->contest;
	if (!(*engine)->supports || (*engine)->supports(setup, &why) == TR_OK)
		return true;
	tool_warn(run->tool, "--waits: %s", why.text);
	setup->contest = NULL;
	job_waits_close(run->waits);
	run->waits = NULL;
	return true;
}

// Adds up what jobs share of a link; most links are used by few.
static void job_waits_share(const struct job_waits *waits, uint32_t link)
{
	uint32_t count = 0;

	for (uint32_t job = 0; job < waits->jobs; job++)
		if (job_waits_use(waits, link, job)->bytes > 0)
			waits->met[count++] = job;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count; k++) {
			struct job_waits_pair *pair = job_waits_pair(waits, waits->met[i],
								     waits->met[k]);

			pair->links++;
			pair->bytes += job_waits_use(waits, link, waits->met[i])->bytes;
			pair->behind_bytes += job_waits_use(waits, link, waits->met[k])->bytes;
		}
}

// Whether a packet still waits for the link or is on it.
static bool job_waits_is_used(const struct job_waits *waits, uint32_t number)
{
	const struct job_waits_link *link = &waits->links[number];

	return link->waiting > 0 || link->on > 0 || link->count > 0;
}

bool job_waits_end_run(struct program_run *run, const struct net_totals *totals)
{
	struct job_waits *waits = run->waits;
	bool left = false;

	for (uint32_t i = 0; waits && i < job_waits_links(waits); i++) {
		job_waits_until(waits, i, totals->end_ticks);
		job_waits_share(waits, i);
		left = left || job_waits_is_used(waits, i);
	}
	if (waits && waits->failed)
		tool_error(run->tool, "--waits: an eighth of --memory is not enough for what asks "
				      "for links later");
	else if (left && totals->in_flight == 0)
		tool_error(run->tool, "--waits: what was told of links does not add up: packets "
				      "that have ended are still on them");
	return !waits || tool_ok(run->tool);
}

// ---- what came of it

TABLE_ROW(job_waits, (count, job), (count, behind), (real, wait_us, 9), (count, links),
	  (count, bytes), (count, behind_bytes));

static void job_waits_put(struct table *table, const struct job_waits *waits, uint64_t ticks_per_s,
			  uint32_t job, uint32_t behind)
{
	const struct job_waits_pair *pair = job_waits_pair(waits, job, behind);

	TABLE_PUT(table, job_waits, .job = job + 1, .behind = behind + 1,
		  .wait_us = (double)pair->ticks * 1e6 / (double)ticks_per_s, .links = pair->links,
		  .bytes = pair->bytes, .behind_bytes = pair->behind_bytes);
}

struct table *job_waits_table(const struct program_run *run)
{
	const struct job_waits *waits = run->waits;
	struct table *table;

	if (!waits)
		return NULL;
	table = table_of("job_waits", "Who stood in whose way: waiting for links at switches",
			 job_waits_fields);
	for (uint32_t job = 0; job < waits->jobs; job++)
		for (uint32_t behind = 0; behind < waits->jobs; behind++)
			job_waits_put(table, waits, run->ticks_per_s, job, behind);
	table_note(table, "wait: of all packets of the job together, while a packet of the other "
			  "was on the link; links: that both used; bytes: on these");
	return table;
}

void job_waits_close(struct job_waits *waits)
{
	for (size_t i = 0; waits && waits->links && i < job_waits_links(waits); i++)
		free(waits->links[i].later);
	if (waits) {
		free(waits->links);
		free(waits->uses);
		free(waits->pairs);
		free(waits->met);
	}
	free(waits);
}
