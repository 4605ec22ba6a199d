// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_options.h"

#include <string.h>

static const struct opt_choice preset_words[] = {
	{"yates", 0}, {"george", 1}, {"first", 2}, {NULL, 0}};
static const struct opt_choice gap_words[] = {{"before", 0}, {"after", 1}, {NULL, 0}};
static const struct opt_choice switch_words[] = {{"off", 0}, {"on", 1}, {NULL, 0}};
static const struct opt_choice dma_words[] = {{"one", 0}, {"many", 1}, {NULL, 0}};
static const struct opt_choice receive_words[] = {{"many", 0}, {"one", 1}, {NULL, 0}};
static const struct opt_choice full_words[] = {
	{"stall", MYR_FULL_STALLS}, {"drop", MYR_FULL_DROPS}, {"wait", MYR_FULL_WAITS}, {NULL, 0}};
static const struct opt_choice arbitration_words[] = {
	{"round-robin", 0}, {"first-come", 1}, {NULL, 0}};

static const struct opt_choice from_words[] = {{"age", MYR_TIMEOUT_AGE},
					       {"blocked", MYR_TIMEOUT_BLOCKED},
					       {"silent", MYR_TIMEOUT_SILENT},
					       {NULL, 0}};
static const struct opt_choice removed_words[] = {{"drop", 0}, {"resend", 1}, {NULL, 0}};
static const struct opt_choice reset_words[] = {{"at-once", 0}, {"travels", 1}, {NULL, 0}};
static const struct opt_choice misrouted_words[] = {{"fail", 0}, {"drop", 1}, {NULL, 0}};

// A parameter in bytes, as an option sets it and as the model has it.
struct size_row {
	const char *name;
	uint64_t *out;
};

static void list_sizes(struct myr_params *params, struct size_row *rows)
{
	memcpy(rows,
	       (const struct size_row[MODEL_SIZES]){
		       [MODEL_SRAM] = {"sram", &params->adapter.sram_B},
		       [MODEL_RESERVE] = {"receive-reserve", &params->adapter.receive_reserve_B},
		       [MODEL_HEADER] = {"header", &params->adapter.header_B},
		       [MODEL_OUT_BUFFER] = {"out-buffer", &params->adapter.out_buffer_B},
		       [MODEL_BELOW_GO] = {"below-go", &params->link.below_go_B},
		       [MODEL_HYSTERESIS] = {"hysteresis", &params->link.hysteresis_B},
		       [MODEL_ABOVE_STOP] = {"above-stop", &params->link.above_stop_B},
	       },
	       MODEL_SIZES * sizeof(*rows));
}

static void set_defaults(struct model_options *options, int preset)
{
	struct size_row sizes[MODEL_SIZES];

	*options = (struct model_options){.preset = preset,
					  .adapter = "sbus",
					  .params = *myr_params_find(preset_words[preset].word)};
	list_sizes(&options->params, sizes);
	for (size_t i = 0; i < MODEL_SIZES; i++)
		options->sizes_B[i] = (struct num_ratio){(int64_t)*sizes[i].out, 1};
	options->choices[MODEL_GAP] = options->params.format.gap_after;
	options->choices[MODEL_FINAL] = !options->params.format.no_final;
	options->choices[MODEL_CRC] = options->params.format.crc;
	options->choices[MODEL_DMA] = options->params.adapter.dma_overlaps;
	options->choices[MODEL_RECEIVE] = options->params.adapter.receive_one;
	options->choices[MODEL_WHEN_FULL] = (int)options->params.adapter.when_full;
	options->choices[MODEL_ARBITRATION] = options->params.crossbar.first_come;
	options->choices[MODEL_TIMEOUT_FROM] = (int)options->params.loss.timeout_from;
	options->choices[MODEL_ON_TIMEOUT] = options->params.loss.resend;
	options->choices[MODEL_RESET] = options->params.loss.reset_travels;
	options->choices[MODEL_MISROUTED] = options->params.loss.drop_misrouted;
}

#define MODEL_LOSS_ROWS 11

// How worms and cables are lost.
static void list_loss_rows(struct model_options *options, struct opt *rows)
{
	struct myr_loss_params *loss = &options->params.loss;
	int *choices = options->choices;
	const struct opt table[MODEL_LOSS_ROWS] = {
		OPT_TIME(0, "timeout", &loss->timeout_s,
			 "after which a worm is removed in full; 0: never"),
		OPT_CHOICE(0, "timeout-from", &choices[MODEL_TIMEOUT_FROM], from_words,
			   "counted from the worm's birth, from when its head blocks, or since "
			   "its port has sent"),
		OPT_CHOICE(0, "on-timeout", &choices[MODEL_ON_TIMEOUT], removed_words,
			   "what becomes of a worm that is removed"),
		OPT_CHOICE(0, "reset", &choices[MODEL_RESET], reset_words,
			   "back to the source of such a worm, which sends nothing before"),
		{OPT_TYPE_QUANTITY, 0, "bit-errors", "RATE", "probability of each bit on each link",
		 &loss->bit_errors, NUM_PLAIN, NULL, 0, 0},
		OPT_COUNT(0, "seed", &loss->seed, "of the bit errors and the bytes of data"),
		OPT_TIME(0, "beat", &loss->beat_s, "between the BEATs of a link; 0: none"),
		OPT_COUNT(0, "beat-misses", &loss->beat_misses,
			  "after which a cable is taken for lost; 0: never"),
		OPT_CHOICE(0, "misrouted", &choices[MODEL_MISROUTED], misrouted_words,
			   "what a wrong route does: the run fails, or the worm is dropped"),
		OPT_ONLY_WITH("timeout-from,on-timeout,reset", "timeout,preset=george,preset=first"),
		OPT_ONLY_WITH("beat-misses", "beat,preset=george"),
	};

	memcpy(rows, table, sizeof(table));
}

static size_t list_rows(struct model_options *options, struct opt *rows)
{
	struct myr_format_params *format = &options->params.format;
	struct myr_link_params *link = &options->params.link;
	struct myr_switch_params *crossbar = &options->params.crossbar;
	struct myr_adapter_params *adapter = &options->params.adapter;
	struct num_ratio *sizes = options->sizes_B;
	int *choices = options->choices;
	const struct opt table[] = {
		OPT_CHOICE(0, "preset", &options->preset, preset_words,
			   "the model whose parameters hold where they are not given"),
		OPT_CHOICE(0, "gap", &choices[MODEL_GAP], gap_words,
			   "stands before a packet, whose end is a trailer, or after it"),
		OPT_CHOICE(0, "final", &choices[MODEL_FINAL], switch_words,
			   "the last route character names the host"),
		OPT_COUNT(0, "type", &format->type_characters, "characters of the packet type"),
		OPT_CHOICE(0, "crc", &choices[MODEL_CRC], switch_words,
			   "a CRC-8 character ends the data"),
		OPT_COUNT(0, "queue", &adapter->queue_worms,
			  "worms that wait in a source's main memory"),
		OPT_COUNT(0, "waiting", &adapter->waiting_worms,
			  "worms that may wait outside full queues, with --when-full wait"),
		OPT_CHOICE(0, "when-full", &choices[MODEL_WHEN_FULL], full_words,
			   "what a full queue does"),
		OPT_STRING(0, "adapter", "sbus|pci33|pci66", &options->adapter,
			   "preset of --flit, --dma-in and --dma-out"),
		OPT_TIME(0, "flit", &adapter->flit_s, "the adapter makes a character"),
		OPT_TIME(0, "route-flit", &adapter->route_flit_s, "the same for a route character"),
		OPT_SIZE(0, "out-buffer", &sizes[MODEL_OUT_BUFFER],
			 "for characters that are made before they can go; 0: none"),
		OPT_RATE(0, "dma-in", &adapter->dma_in_bps,
			 "main to adapter memory (44MiB/s); 0: at once"),
		OPT_RATE(0, "dma-out", &adapter->dma_out_bps,
			 "adapter to main memory (66MiB/s); 0: at once"),
		OPT_CHOICE(0, "dma", &choices[MODEL_DMA], dma_words,
			   "transfers at a time, each way"),
		OPT_SIZE(0, "sram", &sizes[MODEL_SRAM], "adapter memory"),
		OPT_SIZE(0, "receive-reserve", &sizes[MODEL_RESERVE], "of it, not for sending"),
		OPT_SIZE(0, "header", &sizes[MODEL_HEADER],
			 "adapter memory of a worm beside its data"),
		OPT_CHOICE(0, "receive", &choices[MODEL_RECEIVE], receive_words,
			   "worms at a time that a host has taken and not yet stored"),
		OPT_TIME(0, "poll", &adapter->poll_s,
			 "period of looks for adapter memory; 0: each release"),
		OPT_RATE(0, "link-rate", &link->rate_bps, "of a link, each way"),
		OPT_QUANTITY(0, "link-length", "LENGTH", NUM_LENGTH, &link->length_m, "of a cable"),
		OPT_QUANTITY(0, "link-speed", "SPEED", NUM_SPEED, &link->speed_mps,
			     "of a signal in it"),
		OPT_SIZE(0, "below-go", &sizes[MODEL_BELOW_GO], "slack buffer up to its GO line"),
		OPT_SIZE(0, "hysteresis", &sizes[MODEL_HYSTERESIS], "from there to its STOP line"),
		OPT_SIZE(0, "above-stop", &sizes[MODEL_ABOVE_STOP], "from there to its end"),
		OPT_TIME(0, "assignment", &crossbar->assignment_s, "a switch grants an output"),
		OPT_TIME(0, "path", &crossbar->path_s, "a character crosses a switch"),
		OPT_TIME(0, "conversion", &crossbar->conversion_s, "a switch holds the trailer"),
		OPT_CHOICE(0, "arbitration", &choices[MODEL_ARBITRATION], arbitration_words,
			   "of an output"),
		OPT_STRING(0, "order", "PORTS", &crossbar->order,
			   "round robin string (8 ports: 65743021)"),
		OPT_ONLY_WITH("waiting", "when-full=wait"),
	};

	_Static_assert(sizeof(table) / sizeof(*table) + MODEL_LOSS_ROWS <= MODEL_OPTION_ROWS, "rows");
	memcpy(rows, table, sizeof(table));
	list_loss_rows(options, rows + sizeof(table) / sizeof(*table));
	return sizeof(table) / sizeof(*table) + MODEL_LOSS_ROWS;
}

size_t model_options_start(struct model_options *options, struct opt *rows)
{
	set_defaults(options, 0);
	return list_rows(options, rows);
}

const char *model_options_given(struct model_options *options, const struct tool *tool)
{
	struct opt rows[MODEL_OPTION_ROWS];
	const size_t count = list_rows(options, rows);

	for (size_t i = 0; i < count; i++)
		if (tool_option_given(tool, rows[i].name))
			return rows[i].name;
	return NULL;
}

static size_t variable_bytes(enum opt_type type)
{
	switch (type) {
	case OPT_TYPE_COUNT: return sizeof(uint64_t);
	case OPT_TYPE_QUANTITY: return sizeof(struct num_ratio);
	case OPT_TYPE_CHOICE: return sizeof(int);
	case OPT_TYPE_STRING: return sizeof(const char *);
	default: return 0;
	}
}

// What was not given becomes the preset's.
static void apply_preset(struct model_options *options, const struct tool *tool)
{
	struct opt rows[MODEL_OPTION_ROWS];
	struct opt preset_rows[MODEL_OPTION_ROWS];
	struct model_options preset;
	size_t count = list_rows(options, rows);

	set_defaults(&preset, options->preset);
	list_rows(&preset, preset_rows);
	for (size_t i = 0; i < count; i++)
		if (rows[i].value && !tool_option_given(tool, rows[i].name))
			memcpy(rows[i].value, preset_rows[i].value, variable_bytes(rows[i].type));
}

static enum tr_status apply_adapter(struct model_options *options, const struct tool *tool,
				    struct tr_error *err)
{
	struct myr_adapter_params *adapter = &options->params.adapter;
	struct myr_adapter_params preset = *adapter;

	if (!myr_params_preset(&preset, options->adapter))
		return tr_fail(err, "--adapter %s: expected sbus, pci33 or pci66",
			       options->adapter);
	if (options->preset != 0 && !tool_option_given(tool, "adapter"))
		return TR_OK;
	if (!tool_option_given(tool, "flit"))
		adapter->flit_s = preset.flit_s;
	if (!tool_option_given(tool, "dma-in"))
		adapter->dma_in_bps = preset.dma_in_bps;
	if (!tool_option_given(tool, "dma-out"))
		adapter->dma_out_bps = preset.dma_out_bps;
	return TR_OK;
}

static enum tr_status settle_sizes(struct model_options *options, struct tr_error *err)
{
	struct size_row rows[MODEL_SIZES];

	list_sizes(&options->params, rows);
	for (size_t i = 0; i < MODEL_SIZES; i++) {
		if (options->sizes_B[i].num < 0 || options->sizes_B[i].den != 1)
			return tr_fail(err, "--%s: expected a whole number of bytes", rows[i].name);
		*rows[i].out = (uint64_t)options->sizes_B[i].num;
	}
	return TR_OK;
}

enum tr_status model_options_settle(struct model_options *options, const struct tool *tool,
				    struct tr_error *err)
{
	struct myr_params *params = &options->params;

	apply_preset(options, tool);
	if (apply_adapter(options, tool, err) != TR_OK)
		return TR_ERROR;
	params->format.gap_after = options->choices[MODEL_GAP] != 0;
	params->format.no_final = options->choices[MODEL_FINAL] == 0;
	params->format.crc = options->choices[MODEL_CRC] != 0;
	params->adapter.dma_overlaps = options->choices[MODEL_DMA] != 0;
	params->adapter.receive_one = options->choices[MODEL_RECEIVE] != 0;
	params->adapter.when_full = (enum myr_full)options->choices[MODEL_WHEN_FULL];
	params->crossbar.first_come = options->choices[MODEL_ARBITRATION] != 0;
	params->loss.timeout_from = (enum myr_timeout_from)options->choices[MODEL_TIMEOUT_FROM];
	params->loss.resend = options->choices[MODEL_ON_TIMEOUT] != 0;
	params->loss.reset_travels = options->choices[MODEL_RESET] != 0;
	params->loss.drop_misrouted = options->choices[MODEL_MISROUTED] != 0;
	return settle_sizes(options, err);
}
