// SPDX-License-Identifier: GPL-3.0-or-later
// From the options to the tables, the sorting and the outputs; and what part of --memory each may
// take.
#include "flitcap.h"

#include <string.h>

#include "packet/nodes.h"
#include "value/ticks.h"

#define MEMORY_MIN_B ((int64_t)1 << 20)
#define MEMORY_MAX_B ((int64_t)1 << 50)

size_t cap_part(const struct cap *cap, unsigned parts)
{
	return (size_t)(cap->options->memory_B.num / cap->options->memory_B.den /
			(int64_t)CAP_PARTS) *
	       parts;
}

// False after reporting that --memory is out of range.
static bool check_memory(struct cap *cap)
{
	const struct num_ratio size_B = cap->options->memory_B;

	if (size_B.num / size_B.den >= MEMORY_MIN_B && size_B.num / size_B.den <= MEMORY_MAX_B)
		return true;
	tool_error(cap->tool, "--memory: expected a size from 1 MiB to 1024 TiB");
	return false;
}

static bool open_tables(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	const size_t nodes = cap_part(cap, CAP_PARTS_NODES) / PK_NODE_BYTES;
	struct tr_source *source;
	struct tr_error err;
	bool done;

	cap->feed.nodes = pk_nodes_new(nodes < PK_NODES_MAX ? (uint32_t)nodes : PK_NODES_MAX,
				       (enum pk_nodes_by)o->nodes_by);
	if (cap->feed.nodes)
		cap->feed.flows = pk_flows_new(pk_flows_within(cap_part(cap, CAP_PARTS_FLOWS)),
					       cap->feed.nodes);
	if (!cap->feed.flows) {
		tool_no_memory(cap->tool, "the names of nodes and flows");
		return false;
	}
	if (!o->nodes)
		return true;
	source = tool_open_source(cap->tool, o->nodes);
	if (!source)
		return false;
	done = pk_nodefile_read(source, cap->feed.nodes, &err) == TR_OK;
	tr_source_close(source);
	if (!done)
		tool_error(cap->tool, "%s", err.text);
	return done;
}

static bool open_anonymizer(struct cap *cap)
{
	uint8_t secret[PK_SECRET_BYTES];
	struct tr_error err;

	if (!cap->options->anonymize)
		return true;
	if (cap->options->anonymize[0] == '@' &&
	    !tool_reads(cap->tool, cap->options->anonymize + 1))
		return false;
	if (pk_secret_of(cap->options->anonymize, secret, &err) != TR_OK) {
		tool_error(cap->tool, "--anonymize: %s", err.text);
		return false;
	}
	cap->anonymizer = pk_anonymizer_new(secret);
	explicit_bzero(secret, sizeof(secret));
	if (!cap->anonymizer)
		tool_no_memory(cap->tool, "the anonymizer");
	return cap->anonymizer;
}

static enum pk_straggler straggler(const struct cap_options *o)
{
	return o->unsorted ? PK_STRAGGLER_KEEP
	       : o->clamp  ? PK_STRAGGLER_CLAMP
			   : PK_STRAGGLER_REFUSE;
}

// Checks the window of --reorder and the period of -G; false after reporting an error.
static bool check_times(struct cap *cap, int64_t *window_ns)
{
	const struct cap_options *o = cap->options;
	const int64_t period_s = o->period_s.num;
	const struct num_ratio rate_bps = o->link_rate_bps;
	struct tr_error err;

	if (rate_bps.num < 0 || (rate_bps.num && rate_bps.num < rate_bps.den) ||
	    rate_bps.num / rate_bps.den >= INT64_C(1) << 48) {
		tool_error(cap->tool, "--link-rate: expected a rate from 1 b/s to 281 Tb/s");
		return false;
	}

	if (tr_ticks_round(o->reorder_s, PK_TICKS_PER_S, window_ns, &err) != TR_OK ||
	    *window_ns < 0)
		tool_error(cap->tool, "--reorder: expected a time from 0 to 292 years");
	else if (period_s < 0 || o->period_s.den != 1 ||
		 (period_s && period_s < *window_ns / PK_TICKS_PER_S + 1))
		tool_error(
			cap->tool,
			"-G: expected a whole number of seconds, at least the window of --reorder");
	else if (period_s && (!o->write || strcmp(o->write, "-") == 0))
		tool_error(cap->tool, "-G requires output files, -w NAME");
	else
		return cap_check_pattern(cap);
	return false;
}

static bool open_feed(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	struct tr_error err;
	int64_t window_ns;

	if (!check_times(cap, &window_ns))
		return false;
	cap->feed.threshold_bytes = o->threshold_bytes > UINT32_MAX ? UINT32_MAX
								    : (uint32_t)o->threshold_bytes;
	cap->feed.outer = o->outer;
	cap->feed.link_rate_bps = (uint64_t)(o->link_rate_bps.num / o->link_rate_bps.den);
	cap->feed.output.period_s = o->period_s.num;
	cap->feed.output.anonymizer = cap->anonymizer;
	cap->feed.output.hooks = (struct pk_stream_hooks){cap_open_stream, cap_close_stream,
							  cap_stream_failed, cap};
	if (pk_feed_open(&cap->feed, window_ns, straggler(o),
			 cap_part(cap, CAP_PARTS_ORDER) / PK_ORDER_BYTES, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

// The search for packets seen twice, which is not needed where captures of several points are
// joined.
static bool open_copies(struct cap *cap)
{
	const struct opt_list *dedup = &cap->options->dedup;
	const char *text = dedup->count ? dedup->words[dedup->count - 1] : "";
	int64_t window_ns = PK_COPIES_WINDOW_NS;
	struct num_ratio window_s;
	struct tr_error err;

	if (cap->options->joins)
		return true;
	if (dedup->count > 1 ||
	    (*text && (num_parse(text, NUM_TIME, &window_s, &err) != TR_OK ||
		       tr_ticks_round(window_s, PK_TICKS_PER_S, &window_ns, &err) != TR_OK ||
		       window_ns < 0))) {
		tool_error(cap->tool,
			   "--dedup: expected one time from 0 to 292 years, such as 10ms");
		return false;
	}
	cap->feed.copies = pk_copies_new(window_ns, dedup->count, cap_part(cap, CAP_PARTS_COPIES));
	cap->feed.leave_out = dedup->count;
	if (!cap->feed.copies)
		tool_no_memory(cap->tool, "the search for copies");
	return cap->feed.copies;
}

enum tr_status cap_create_dump(struct cap *cap, bool in_place, struct tr_error *err)
{
	const struct tr_outfile_options options = {
		.files = tool_files(cap->tool),
		.in_place = in_place,
		.grows = cap->waits, // a cut capture is readable, and cannot be repeated
		.sync = true,
		.keep = cap->waits,
	};
	const char *path = cap->options->pcap;

	if (!path)
		return TR_OK;
	if (tr_out_name_check(path, TR_OUT_PCAP, err) != TR_OK ||
	    pk_dump_open(&cap->dump, path, PK_FRAME_BYTES_MAX, &options, err) != TR_OK)
		return TR_ERROR;
	tool_tell_exposed(cap->tool, path, pk_dump_is_exposed(cap->dump));
	return TR_OK;
}

bool cap_open_dump(struct cap *cap)
{
	struct tr_error err;

	if (cap_create_dump(cap, false, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

bool cap_open(struct cap *cap)
{
	return cap_read_filter(cap) && check_memory(cap) && open_tables(cap) &&
	       open_anonymizer(cap) && open_feed(cap) && open_copies(cap) &&
	       cap_open_messages(cap) && cap_open_print(cap);
}
