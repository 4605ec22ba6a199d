// SPDX-License-Identifier: GPL-3.0-or-later
// What the rules etr and atr make of a network before they make routes: a trail, the strands on it
// and their shortcuts.
#ifndef NET_TRAILS_TRAIL_PLAN_H
#define NET_TRAILS_TRAIL_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "net/studies/trails/trail_routes.h"
#include "table/keys.h"
#include "table/table.h"

// Which trail; the params of both rules begin with it.
struct net_trail_params {
	char trail[KEY_TEXT_BYTES]; // random, longest, lowest, or one that is given
	uint64_t seed;
	char start[KEY_TEXT_BYTES];  // any, or a switch
	uint64_t best;		     // of so many trails
	bool dual, twice, source;    // struct net_trail_pruning
	bool free_rule, source_rule; // of atr: off for study, struct net_trail_style
};

#define NET_TRAIL_USUAL \
	{ \
		.trail = "random", .start = "any", .best = 1, .dual = true, .twice = true, \
		.source = true, .free_rule = true, .source_rule = true \
	}

// Rows of their keys, for a params struct with a member trail; prunes is what the keys of options
// need.
#define NET_TRAIL_KEYS(params, prunes) \
	{"trail", \
	 KEY_TEXT, \
	 offsetof(params, trail.trail), \
	 NULL, \
	 NULL, \
	 "which cable the trail takes next: random, longest or lowest; or the trail, as 0-5-4"}, \
		{"seed", KEY_COUNT,	 offsetof(params, trail.seed), \
		 NULL,	 "trail=random", "seed of the random trail"}, \
		{"start", KEY_TEXT, offsetof(params, trail.start), \
		 NULL,	  NULL,	    "where the trail starts: any or a switch's number"}, \
		{"best", KEY_COUNT, offsetof(params, trail.best), \
		 NULL,	 NULL,	    "trails to try; the one with the smallest detours is taken"}, \
		{"dual", \
		 KEY_FLAG, \
		 offsetof(params, trail.dual), \
		 "no|yes", \
		 prunes, \
		 "drop options that leave a switch before " \
		 "a shorter one does"}, \
		{"twice",  KEY_FLAG, offsetof(params, trail.twice), \
		 "no|yes", prunes,   "drop options more than twice as long as the best"}, \
	{ \
		"source", KEY_FLAG, offsetof(params, trail.source), "no|yes", prunes, \
			"drop options of hosts twice as long as the best" \
	}

// How the strands are made of the trail.
struct net_trail_style {
	bool adaptive;	// two strands with shortcuts, as atr has them; else one strand without, as
			// etr
	bool keep_free; // shortcuts of the free type that can close a cycle stay: for study
	bool keep_source; // and those of the source type
};

// Zero is a valid empty one.
struct net_trail_plan {
	struct net_trail trail;
	struct net_strand strands[NET_STRANDS_MAX];
	uint32_t strand_count;
	double detours;	 // sum of the detours A of all pairs of switches; only if best is above 1
	uint32_t number; // of the trail among the best
};

// TR_ERROR where the network has no trail, or not this one, a key has a wrong value, or memory
// ends. Close it in any case.
enum tr_status net_trail_plan_open(struct net_trail_plan *plan, const struct net_graph *graph,
				   const struct net_trail_params *params,
				   struct net_trail_style style, struct tr_error *err);
void net_trail_plan_close(struct net_trail_plan *plan);

// The sum of the detours (r - d) / d of all ordered pairs of switches, where r is the length of the
// route and d the distance (Qiao 1997, section 4.5.2; the copy at hand does not show the form of a
// detour, and this is ours: r / d ranks equally). TR_ERROR where memory ends.
enum tr_status net_trail_detours(double *detours, const struct net_graph *graph,
				 const struct net_strand *strands, uint32_t count,
				 struct tr_error *err);

// The plan that text makes ("atr:trail=longest"), as the rule itself makes it; TR_ERROR also where
// text names neither rule.
enum tr_status net_trail_plan_make(struct net_trail_plan *plan, const struct net_graph *graph,
				   const char *text, struct tr_error *err);

#define NET_TRAILS_TABLES 2u

// For people: what the rule that text names ("atr:trail=longest") makes of the network. tables[0]
// is the trail, a step a row; tables[1] the shortcuts of each direction, with their types and those
// that were removed. The caller frees them by table_free. TR_ERROR, and no tables, where text names
// neither etr nor atr or as net_trail_plan_open.
enum tr_status net_trails_table(struct table *tables[NET_TRAILS_TABLES],
				const struct net_topology *topology, const char *text,
				struct tr_error *err);

#endif
