// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim_options.h"

#include <string.h>

#include "topology_input.h"

static const struct opt_choice size_words[] = {
	{"payload", SIM_SIZE_PAYLOAD}, {"wire", SIM_SIZE_WIRE}, {NULL, 0}};
static const struct opt_choice full_words[] = {
	{"stall", MYR_FULL_STALLS}, {"drop", MYR_FULL_DROPS}, {"wait", MYR_FULL_WAITS}, {NULL, 0}};
static const struct opt_choice arbitration_words[] = {
	{"round-robin", 0}, {"first-come", 1}, {NULL, 0}};
static const struct opt_choice level_words[] = {{"90", 90}, {"95", 95}, {"99", 99}, {NULL, 0}};

static void set_defaults(struct sim_options *options)
{
	const uint64_t bytes[SIM_MEMORIES] = {
		[SIM_SRAM] = myr_params_yates.adapter.sram_B,
		[SIM_RESERVE] = myr_params_yates.adapter.receive_reserve_B,
		[SIM_HEADER] = myr_params_yates.adapter.header_B,
		[SIM_BELOW_GO] = myr_params_yates.link.below_go_B,
		[SIM_HYSTERESIS] = myr_params_yates.link.hysteresis_B,
		[SIM_ABOVE_STOP] = myr_params_yates.link.above_stop_B,
	};

	*options = (struct sim_options){
		.network = "switch:8",
		.preset = "sbus",
		.traffic = {.map = "ids", .empty_B = {40, 1}, .mtu_B = {8192, 1}},
		.output = {.interval_s = {1, 1000}, .explain_B = {0, 1}, .level_percent = 95},
		.params = myr_params_yates,
	};
	for (size_t i = 0; i < SIM_MEMORIES; i++)
		options->sizes_B[i] = (struct num_ratio){(int64_t)bytes[i], 1};
}

void sim_options_start(struct sim_options *options, struct opt *rows)
{
	struct sim_traffic_options *traffic = &options->traffic;
	struct sim_output_options *output = &options->output;
	struct myr_link_params *link = &options->params.link;
	struct myr_switch_params *crossbar = &options->params.crossbar;
	struct myr_adapter_params *adapter = &options->params.adapter;
	struct num_ratio *sizes = options->sizes_B;
	const struct opt table[] = {
		OPT_NETWORK('n', "net", &options->network),
		OPT_FILE(0, "map", &traffic->map, "which node is which host"),
		OPT_FLAG(0, "ignore-unmapped", &traffic->ignore_unmapped,
			 "drop and count the traffic of nodes that are not in the network"),
		OPT_CHOICE(0, "size", &traffic->size, size_words, "bytes of a packet that travel"),
		OPT_SIZE(0, "empty", &traffic->empty_B, "what a packet without payload travels as"),
		OPT_SIZE(0, "mtu", &traffic->mtu_B, "largest worm; a larger packet is an error"),
		OPT_COUNT(0, "queue", &adapter->queue_worms,
			  "worms that wait in a source's main memory"),
		OPT_COUNT(0, "waiting", &adapter->waiting_worms,
			  "worms that may wait outside full queues, with --when-full wait"),
		OPT_CHOICE(0, "when-full", &options->when_full, full_words,
			   "what a full queue does"),
		OPT_STRING(0, "adapter", "sbus|pci33|pci66", &options->preset,
			   "preset of --flit, --dma-in and --dma-out"),
		OPT_TIME(0, "flit", &adapter->flit_s, "the adapter makes a character"),
		OPT_TIME(0, "route-flit", &adapter->route_flit_s, "the same for a route character"),
		OPT_RATE(0, "dma-in", &adapter->dma_in_bps, "main to adapter memory (44MiB/s)"),
		OPT_RATE(0, "dma-out", &adapter->dma_out_bps, "adapter to main memory (66MiB/s)"),
		OPT_SIZE(0, "sram", &sizes[SIM_SRAM], "adapter memory"),
		OPT_SIZE(0, "receive-reserve", &sizes[SIM_RESERVE], "of it, not for sending"),
		OPT_SIZE(0, "header", &sizes[SIM_HEADER],
			 "adapter memory of a worm beside its data"),
		OPT_TIME(0, "poll", &adapter->poll_s,
			 "period of looks for adapter memory; 0: each release"),
		OPT_RATE(0, "link-rate", &link->rate_bps, "of a link, each way"),
		OPT_QUANTITY(0, "link-length", "LENGTH", NUM_LENGTH, &link->length_m, "of a cable"),
		OPT_QUANTITY(0, "link-speed", "SPEED", NUM_SPEED, &link->speed_mps,
			     "of a signal in it"),
		OPT_SIZE(0, "below-go", &sizes[SIM_BELOW_GO], "slack buffer up to its GO line"),
		OPT_SIZE(0, "hysteresis", &sizes[SIM_HYSTERESIS], "from there to its STOP line"),
		OPT_SIZE(0, "above-stop", &sizes[SIM_ABOVE_STOP], "from there to its end"),
		OPT_TIME(0, "assignment", &crossbar->assignment_s, "a switch grants an output"),
		OPT_TIME(0, "path", &crossbar->path_s, "a character crosses a switch"),
		OPT_TIME(0, "conversion", &crossbar->conversion_s, "a switch holds the trailer"),
		OPT_CHOICE(0, "arbitration", &options->arbitration, arbitration_words,
			   "of an output"),
		OPT_STRING(0, "order", "PORTS", &crossbar->order,
			   "round robin string (8 ports: 65743021)"),
		OPT_SILENT_FILE('w', "write", &output->deliveries,
				"write the deliveries as a stream"),
		OPT_SILENT_FILE(0, "links", &output->links,
				"write samples of the links as a stream"),
		OPT_TIME(0, "interval", &output->interval_s, "of these samples"),
		OPT_FLAG('z', "zstd", &output->compress, "compress the streams"),
		OPT_CHOICE(0, "level", &output->level_percent, level_words,
			   "of the intervals, in percent"),
		OPT_SIZE(0, "explain", &output->explain_B,
			 "the time of one worm of this size, term by term"),
		TABLE_OPTIONS(&output->style),
		OPT_END,
	};

	_Static_assert(sizeof(table) / sizeof(*table) <= SIM_OPTION_ROWS + 1, "rows");
	set_defaults(options);
	memcpy(rows, table, sizeof(table));
}

static enum tr_status count(const char *name, struct num_ratio size, uint64_t *out,
			    struct tr_error *err)
{
	if (size.num < 0 || size.den != 1)
		return tr_fail(err, "--%s: expected a whole number of bytes", name);
	*out = (uint64_t)size.num;
	return TR_OK;
}

static enum tr_status settle_sizes(struct sim_options *options, struct tr_error *err)
{
	struct myr_adapter_params *adapter = &options->params.adapter;
	struct myr_link_params *link = &options->params.link;
	const struct { const char *name; uint64_t *out; } rows[] = {
		[SIM_SRAM] = {"sram", &adapter->sram_B},
		[SIM_RESERVE] = {"receive-reserve", &adapter->receive_reserve_B},
		[SIM_HEADER] = {"header", &adapter->header_B},
		[SIM_BELOW_GO] = {"below-go", &link->below_go_B},
		[SIM_HYSTERESIS] = {"hysteresis", &link->hysteresis_B},
		[SIM_ABOVE_STOP] = {"above-stop", &link->above_stop_B},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (count(rows[i].name, options->sizes_B[i], rows[i].out, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A worm has 1 to 2^28 data characters.
static enum tr_status check_worm(const char *name, struct num_ratio size, struct tr_error *err)
{
	if (size.den != 1 || size.num < 1 || size.num > 1 << 28)
		return tr_fail(err, "--%s: expected 1 B to 256 MiB, whole", name);
	return TR_OK;
}

enum tr_status sim_options_settle(struct sim_options *options, const struct tool *tool,
				  struct tr_error *err)
{
	struct myr_adapter_params *adapter = &options->params.adapter;
	struct myr_adapter_params preset = *adapter;

	if (!myr_params_preset(&preset, options->preset))
		return tr_fail(err, "--adapter %s: expected sbus, pci33 or pci66", options->preset);
	if (!tool_option_given(tool, "flit"))
		adapter->flit_s = preset.flit_s;
	if (!tool_option_given(tool, "dma-in"))
		adapter->dma_in_bps = preset.dma_in_bps;
	if (!tool_option_given(tool, "dma-out"))
		adapter->dma_out_bps = preset.dma_out_bps;
	adapter->when_full = (enum myr_full)options->when_full;
	options->params.crossbar.first_come = options->arbitration != 0;
	if (options->output.interval_s.num <= 0)
		return tr_fail(err, "--interval: expected a time above zero");
	if (check_worm("empty", options->traffic.empty_B, err) != TR_OK ||
	    check_worm("mtu", options->traffic.mtu_B, err) != TR_OK)
		return TR_ERROR;
	if (options->output.explain_B.num != 0 &&
	    check_worm("explain", options->output.explain_B, err) != TR_OK)
		return TR_ERROR;
	return settle_sizes(options, err);
}
