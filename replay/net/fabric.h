// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of networks: the values of --fabric. A kind is a folder (or a file) next to this one and
// its name in NET_FABRICS; flit-fabric(5) says how to add one.
#ifndef NET_FABRIC_H
#define NET_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "net/drive/cables.h"
#include "net/engine.h"
#include "net/host_ports.h"
#include "net/studies/studies.h"
#include "table/keys.h"
#include "table/table.h"

// The time of a worm in an empty network as a sum of terms. The state of a formula is prepared once
// for a setup, then used for any number of worms.
struct net_formula {
	const char *const *terms; // their names; ends with NULL
	size_t state_bytes;
	// Prepares a state of state_bytes; all cables are taken to equal the first. TR_ERROR: a
	// parameter is out of range.
	enum tr_status (*prepare)(void *state, const struct net_setup *setup, struct tr_error *err);
	// Sets each term, in ticks of the setup, for a worm of size_bytes through this number of
	// switches.
	void (*terms_ticks)(const void *state, uint32_t switches, uint32_t size_bytes,
			    int64_t *terms);
	const char *const
		*columns; // extra columns in flitcalc's table of sizes; ends with NULL; NULL: none
	// Sets the value of each such column, for senders that each choose any of as many
	// receivers.
	void (*values)(const struct net_setup *setup, uint32_t senders, uint32_t switches,
		       uint32_t size_bytes, double *values);
	const char *note; // explains the sum and the columns
};

// What formulas of a loaded network (net/routes/delay.h) are to know of a kind.
struct net_load_terms {
	double *rates_Bps; // of each link, B/s; the caller's
	double usual_Bps;  // of a cable without a rate of its own
	double header_B;   // that must be in before a packet goes on, part of its size
	enum net_switching { NET_STORE_AND_FORWARD, NET_CUT_THROUGH, NET_WORMHOLE } switching;
};

// What tables of a kind's own formulas are of. Lent.
struct net_tables_request {
	const struct net_setup *setup;
	const uint32_t *sizes_B; // none: the kind's usual one
	uint32_t size_count;
	const struct net_span {
		uint64_t from; // 2 or more
		uint64_t to;
	} * spans; // numbers of nodes of other systems
	uint32_t span_count;
	struct tr_source *const *measured; // tables of measured times
	uint32_t measured_count;
};

#define NET_TABLES_MAX 4u

// A counter of the kind's own, in the order of net_totals.own.
struct net_column {
	const char *key; // with its unit: "slack_peak_B"
	bool loss;	 // it counts losses: shown only where it is not 0
};

// Words for why nothing moves on links that could be sampled or traced, and why no packets wait for
// one another in a cycle; NULL: something does, they may.
struct net_lacks {
	const char *links;
	const char *cycles;
};

#define NET_ROUTES_WAY_OUT "--routes updown has no cycle (flitroute(1) shows those of others)"

// What a deadlock can come from; a set of these.
#define NET_CAUSE_ROUTES 1u // the routes have a cycle
#define NET_CAUSE_MEMORY 2u // hosts have no memory for worms that have arrived

struct net_fabric {
	const char *name;
	const char *summary;
	const struct key *keys;
	size_t params_bytes; // of the kind's parameters, set by its keys and passed to its engines
	const void *usual;   // their defaults
	const struct net_engine *const
		*engines; // the fast one first, the reference last; ends with NULL
	// Least clock that is a multiple of base_ticks_per_s and in which the network's fixed times
	// are whole. TR_ERROR, naming the kind and the key, if there is none. A run's clock may be
	// a multiple of it.
	enum tr_status (*clock)(const void *params, const struct net_topology *topology,
				uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
				struct tr_error *err);
	uint64_t (*queue_worms)(
		const void *params);		   // capacity of a source's queue; NULL: unlimited
	uint64_t (*mtu_bytes)(const void *params); // of its packets; NULL: unlimited
	const struct net_formula *formula;	   // NULL: none
	const struct net_column *columns;	   // ends with a NULL key; NULL: none
	// Sets terms. TR_ERROR, naming the kind and the key, where a parameter is out of range.
	// NULL: no such formulas.
	enum tr_status (*load_terms)(const void *params, const struct net_topology *topology,
				     struct net_load_terms *terms, struct tr_error *err);
	// Writes up to NET_TABLES_MAX tables of the kind's own formulas, which flitcalc prints
	// instead of those of worms and of loads; the caller frees *count of them. NULL: none.
	enum tr_status (*tables)(const struct net_tables_request *request, struct table **tables,
				 size_t *count, struct tr_error *err);
	struct num_ratio (*host_rate)(
		const void *params); // of a host's link, b/s, to normalise throughput; NULL: none
	// Sets the cables of all hosts, from zero, for traffic that waits until a host's packet has
	// left. TR_ERROR where a host has several. NULL: the kind has no such cables.
	enum tr_status (*host_wires)(const void *params, const struct net_topology *topology,
				     uint64_t ticks_per_s, struct net_wire *wires,
				     struct tr_error *err);
	struct num_ratio (*link_rate)(const void *params); // of a kind without host_rate: of a
							   // cable without a rate of its own, b/s
	// The deadlock that these routes allow, for a warning; static. NULL: nothing, and where the
	// kind has no such keys.
	const char *(*risk)(const void *params, const struct net_routes *routes);
	// Advice against a deadlock of these causes, for the message; static. NULL: only routes
	// without a cycle help.
	const char *(*way_out)(const void *params, unsigned causes);
	bool linked; // worms go over the topology's links by routes; else only its number of hosts
		     // counts, unless it is wired
	bool wired;  // worms go over the topology's links by rules of the kind, without routes
	// Of a wired kind: the ways of its packets as routes, which the caller clears, for those
	// who ask where they go. TR_ERROR where it cannot run on the topology. NULL: none.
	enum tr_status (*ways)(struct net_routes *routes, const void *params,
			       const struct net_topology *topology, struct tr_error *err);
	struct net_lacks no;
	// Whether links pause (net_results.link_pauses). NULL: they do not.
	bool (*pauses)(const void *params);
	bool drops; // packets that meet are dropped where there is no room: TCP sends them again
};

// The key of kinds whose sources can be finite (net_setup.finite_sources), at the offset of a bool
// of the parameters.
#define NET_KEY_SOURCE(offset, needs) \
	{ \
		"source", KEY_FLAG, offset, "open|finite", needs, \
			"packets enter at their times, or one at a time with the gaps between" \
	}

// The key of kinds with timeouts (net_setup.timeout_ticks), at the offset of a struct num_ratio of
// the parameters.
#define NET_KEY_TIMEOUT(offset, needs) \
	{ \
		"timeout", KEY_TIME, offset, NULL, needs, \
			"time in the network, with its source's queue, after which a packet is " \
			"dropped; 0: none" \
	}

// The keys of kinds whose cables have rates and lengths, at the offset of a struct net_cables
// (net/drive/cables.h) of the parameters.
#define NET_KEYS_CABLES(offset) \
	NET_KEY_OF_CABLES("rate", KEY_RATE, (offset) + offsetof(struct net_cables, rate_bps), \
			  "rate of a cable without its own, in each direction"), \
		NET_KEY_OF_CABLES("propagation", KEY_TIME, \
				  (offset) + offsetof(struct net_cables, propagation_s), \
				  "time of a signal on a cable without a length"), \
		NET_KEY_OF_CABLES("speed", KEY_SPEED, \
				  (offset) + offsetof(struct net_cables, speed_mps), \
				  "of a signal on a cable with a length")
#define NET_KEY_OF_CABLES(key, type, offset, meaning) \
	{ \
		key, type, offset, NULL, NULL, meaning \
	}

// The kinds, the usual one first: net_fabric_NAME, defined in the kind's file.
#define NET_FABRICS(KIND) \
	KIND(myrinet) \
	KIND(switched) \
	KIND(lanes) \
	KIND(ideal) \
	STUDY_FABRICS(KIND) \
	KIND(ethernet)

#define DECLARE(name) extern const struct net_fabric net_fabric_##name;
NET_FABRICS(DECLARE)
#undef DECLARE

// All of them; ends with NULL.
extern const struct net_fabric *const net_fabrics[];

// The texts in the folder presets, KIND/NAME, also of kinds of keys that are no network; ends with
// a NULL kind.
extern const struct key_preset net_presets[];

// The description of the kind for keys_read.
struct key_kind fabric_key_kind(const struct net_fabric *kind);

// One network's parameters. Zero is a valid closed one.
struct fabric {
	const struct net_fabric *kind;
	void *params;
	struct keys_given given;
	char *text; // the kind and each key that is not at its default; fabric_read restores the
		    // fabric from it
};

// Reads "KIND[:KEY=VALUE,...]", with line ends and comments as in keys_next, into a fabric, which
// is zero or was read from texts of the same kind. preset=NAME sets the keys of a preset; keys
// after it override. TR_ERROR where the kind, a key or a preset does not exist, or a key is
// repeated or has an invalid value. Close it in any case.
enum tr_status fabric_read(struct fabric *fabric, const char *text, struct tr_error *err);

// After the last text: sets fabric->text. TR_ERROR where a given key has no effect.
enum tr_status fabric_settle(struct fabric *fabric, struct tr_error *err);

// The kind whose name is text up to a colon or the end; NULL for none.
const struct net_fabric *fabric_find(const char *text);

// Whether the text set this key itself.
bool fabric_given(const struct fabric *fabric, const char *key);

// Whether the kind's key source says finite.
bool fabric_has_finite_sources(const struct fabric *fabric);

// The kind's clock, on which the time of its key timeout is whole, too.
enum tr_status fabric_clock(const struct fabric *fabric, const struct net_topology *topology,
			    uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err);

// The rule of the kind's keys ports and port, or NULL: it carries no hosts with several ports.
const struct net_port_rule *fabric_port_rule(const struct fabric *fabric);

// Sets what the kind's keys ask of every run, whatever the kind: finite sources and timeouts. The
// setup has its clock. TR_ERROR where the time is out of range.
enum tr_status fabric_setup(const struct fabric *fabric, struct net_setup *setup,
			    struct tr_error *err);

// Sets a key as if by the text. TR_ERROR where the kind has none of that name.
enum tr_status fabric_set(struct fabric *fabric, const char *key, const char *value,
			  struct tr_error *err);

// The engine called name; the reference for NULL. NULL with err where the kind has none of that
// name.
const struct net_engine *fabric_engine(const struct fabric *fabric, const char *name,
				       struct tr_error *err);

// Frees what it holds; it is empty then.
void fabric_close(struct fabric *fabric);

#endif
