// SPDX-License-Identifier: GPL-3.0-or-later
// Networks from cyclic block designs (W. Qiao, Network Routing and Planning in Switch-Based
// Networks, 1997, section 5.3).
#include "net/studies/designs/design.h"

#include <string.h>

#include "net/topologies/topologies.h"

#define RESTARTS_USUAL 100u

// What all three generators take behind their values.
struct block_design_options {
	struct net_base_search search;
	const char *base; // NULL: to be found
	uint32_t per_switch;
	uint32_t total; // hosts; 0: not given
	uint32_t ports;
};

static struct block_design_options take_options(struct net_args *args, bool searched)
{
	static const char *const words[] = {"heuristic", "exhaustive", NULL};
	struct block_design_options options = {
		.per_switch = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 0),
		.total = net_args_option(args, "total", 1, NET_NODES_MAX, 0),
		.ports = net_args_option(args, "ports", 1, NET_PORTS_MAX, 0),
	};

	if (options.per_switch > 0 && options.total > 0)
		net_args_fail(
			args,
			"hosts= is that of each switch, total= that of all: only one of them");
	if (!searched)
		return options;
	options.base = net_args_option_text(args, "base");
	options.search = (struct net_base_search){
		.restarts = net_args_option(args, "restarts", 1, 1000000, RESTARTS_USUAL),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
		.exhaustive = net_args_option_word(args, "search", words, 0) == 1,
	};
	return options;
}

static uint64_t all_hosts(const struct block_design_options *options, uint32_t switches)
{
	return options->total > 0
		       ? options->total
		       : (uint64_t)switches * (options->per_switch > 0 ? options->per_switch : 1);
}

// Reads "4+2" as the lengths of the parts.
static void take_lengths(struct net_base *base, struct net_args *args, size_t index, bool several)
{
	const char *text = net_args_text(
		args, index, several ? "objects of the blocks (R+R...)" : "objects of a block (R)");

	for (base->parts = 0; text;) {
		const char *plus = several ? strchr(text, '+') : NULL;

		if (base->parts == NET_BASE_PARTS_MAX) {
			net_args_fail(args, "more than 16 kinds of blocks");
			return;
		}
		base->lengths[base->parts++] = net_args_parse(
			args, "objects of a block (R)", text,
			plus ? (size_t)(plus - text) : strlen(text), 2, NET_BASE_OBJECTS_MAX);
		text = plus ? plus + 1 : NULL;
	}
}

static bool same_lengths(const struct net_base *one, const struct net_base *other)
{
	return one->parts == other->parts &&
	       memcmp(one->lengths, other->lengths, one->parts * sizeof(*one->lengths)) == 0;
}

// The base block that is given; its lengths must be those of base, where these are given.
static enum tr_status block_design_take_base(struct net_base *base, const char *text,
					     struct tr_error *err)
{
	struct net_base given;

	if (net_base_parse(&given, base->switches, text, err) != TR_OK)
		return TR_ERROR;
	if (base->parts > 0 && !same_lengths(base, &given))
		return tr_fail(err, "base=%.100s has other numbers of objects than asked for",
			       text);
	*base = given;
	return TR_OK;
}

static enum tr_status find_base(struct net_base *base, const struct block_design_options *options,
				struct tr_error *err)
{
	uint32_t degree;

	if (options->base)
		return block_design_take_base(base, options->base, err);
	if (base->parts == 0 && options->ports == 0)
		return tr_fail(
			err,
			"expected the objects of a block (R), ports= to work it out, or base=");
	if (base->parts == 0) {
		base->parts = 1;
		if (net_base_budget(base->switches, options->ports,
				    all_hosts(options, base->switches), &degree, &base->lengths[0],
				    err) != TR_OK)
			return TR_ERROR;
		if (base->lengths[0] > base->switches)
			base->lengths[0] = base->switches;
	}
	if (net_base_find(base, &options->search, err) != TR_OK)
		return TR_ERROR;
	net_base_arrange(base);
	return TR_OK;
}

static enum tr_status develop(struct net_design *design, const struct block_design_options *options,
			      struct tr_error *err)
{
	const uint64_t hosts = all_hosts(options, design->base.switches);

	if (hosts > NET_NODES_MAX)
		return tr_fail(err, "more than %u hosts and switches", NET_NODES_MAX);
	design->hosts = (uint32_t)hosts;
	design->ports = options->ports;
	return net_blocks_develop(&design->blocks, &design->base, err);
}

static enum tr_status open_searched(struct net_design *design, struct net_args *args, bool several,
				    struct tr_error *err)
{
	struct block_design_options options;

	design->base.switches = net_args_count(args, 0, "number of switches (S)", 2,
					       NET_BASE_SWITCHES_MAX);
	if (net_args_values(args) > 1)
		take_lengths(&design->base, args, 1, several);
	options = take_options(args, true);
	if (net_args_end(args, err) != TR_OK || find_base(&design->base, &options, err) != TR_OK)
		return TR_ERROR;
	return develop(design, &options, err);
}

static enum tr_status open_bbd(struct net_design *design, struct net_args *args,
			       struct tr_error *err)
{
	return open_searched(design, args, false, err);
}

static enum tr_status open_cbd(struct net_design *design, struct net_args *args,
			       struct tr_error *err)
{
	return open_searched(design, args, true, err);
}

static enum tr_status open_bibd(struct net_design *design, struct net_args *args,
				struct tr_error *err)
{
	const uint32_t switches = net_args_count(args, 0, "number of switches (S)", 2,
						 NET_BASE_SWITCHES_MAX);
	uint32_t objects = 2;
	struct block_design_options options;

	if (net_args_values(args) > 1)
		objects = net_args_count(args, 1, "objects of a block (R)", 2,
					 NET_BASE_OBJECTS_MAX);
	else
		while (objects * (objects - 1) + 1 < switches)
			objects++;
	options = take_options(args, false);
	if (net_args_end(args, err) != TR_OK ||
	    net_base_perfect(&design->base, switches, objects, err) != TR_OK)
		return TR_ERROR;
	return develop(design, &options, err);
}

static const struct design_kind {
	const char *name;
	enum tr_status (*open)(struct net_design *design, struct net_args *args,
			       struct tr_error *err);
} kinds[] = {{"bbd", open_bbd}, {"cbd", open_cbd}, {"bibd", open_bibd}};

static const struct design_kind *block_design_find_kind(const char *text)
{
	const size_t length = strcspn(text, ":");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, text, length) == 0)
			return &kinds[i];
	return NULL;
}

bool net_design_is(const char *text)
{
	return block_design_find_kind(text);
}

enum tr_status net_design_open(struct net_design *design, const char *text, struct tr_error *err)
{
	const struct design_kind *kind = block_design_find_kind(text);
	const char *colon = strchr(text, ':');
	struct net_args args;
	struct tr_error why;
	enum tr_status status;

	*design = (struct net_design){0};
	if (!kind)
		return tr_fail(err, "network \"%s\": not a block design (bbd, cbd or bibd)", text);
	net_args_open(&args, colon ? colon + 1 : NULL);
	status = kind->open(design, &args, &why);
	net_args_clear(&args);
	return status == TR_OK ? TR_OK
			       : tr_fail_for(err, &why, "network \"%s\": %s", text, why.text);
}

void net_design_close(struct net_design *design)
{
	net_blocks_close(&design->blocks);
}

static enum tr_status block_design_make(struct net_topology *topology, struct net_args *args,
					enum tr_status (*open)(struct net_design *design,
							       struct net_args *args,
							       struct tr_error *err),
					struct tr_error *err)
{
	struct net_design design = {0};
	enum tr_status status = open(&design, args, err);

	if (status == TR_OK)
		status = net_blocks_lay(&design.blocks, design.hosts, design.ports, topology, err);
	net_design_close(&design);
	return status;
}

static enum tr_status make_bbd(struct net_topology *topology, struct net_args *args,
			       struct tr_error *err)
{
	return block_design_make(topology, args, open_bbd, err);
}

static enum tr_status make_cbd(struct net_topology *topology, struct net_args *args,
			       struct tr_error *err)
{
	return block_design_make(topology, args, open_cbd, err);
}

static enum tr_status make_bibd(struct net_topology *topology, struct net_args *args,
				struct tr_error *err)
{
	return block_design_make(topology, args, open_bibd, err);
}

const struct net_generator net_bbd = {
	"bbd",
	"S[,R][,hosts=H | "
	",total=N][,ports=P][,base=B-B...][,restarts=T][,seed=S][,search=exhaustive]",
	"S switches joined by the S paths of R switches of a cyclic bounded block design",
	make_bbd};

const struct net_generator net_cbd = {
	"cbd",
	"S,R+R...[,hosts=H | "
	",total=N][,ports=P][,base=B-B...+B-B...][,restarts=T][,seed=S][,search=exhaustive]",
	"several such designs over the same switches", make_cbd};

const struct net_generator net_bibd = {
	"bibd", "S[,R][,hosts=H | ,total=N][,ports=P]",
	"R^2-R+1 switches by a design in which every two share one path", make_bibd};
