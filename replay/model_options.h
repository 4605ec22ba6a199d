// SPDX-License-Identifier: GPL-3.0-or-later
// The options that set the Myrinet model's parameters, for every program that runs it.
#ifndef REPLAY_MODEL_OPTIONS_H
#define REPLAY_MODEL_OPTIONS_H

#include "net/myrinet/params.h"
#include "trace/opt.h"
#include "trace/tool.h"

enum model_size {
	MODEL_SRAM,
	MODEL_RESERVE,
	MODEL_HEADER,
	MODEL_OUT_BUFFER,
	MODEL_BELOW_GO,
	MODEL_HYSTERESIS,
	MODEL_ABOVE_STOP,
	MODEL_SIZES
};

enum model_choice {
	MODEL_GAP,
	MODEL_FINAL,
	MODEL_CRC,
	MODEL_DMA,
	MODEL_RECEIVE,
	MODEL_WHEN_FULL,
	MODEL_ARBITRATION,
	MODEL_TIMEOUT_FROM,
	MODEL_ON_TIMEOUT,
	MODEL_RESET,
	MODEL_MISROUTED,
	MODEL_CHOICES
};

struct model_options {
	int preset;          // of the models' names
	const char *adapter; // of the adapters'
	struct myr_params params;
	struct num_ratio sizes_B[MODEL_SIZES]; // before they are counts
	int choices[MODEL_CHOICES];            // before they are what they stand for
};

#define MODEL_OPTION_ROWS 52u

// The parameters of Yates, and the rows of the option table that change them (without OPT_END) into
// rows, which has room for MODEL_OPTION_ROWS. Returns how many they are.
size_t model_options_start(struct model_options *options, struct opt *rows);

// The long name of the first of these options that was given; NULL for none.
const char *model_options_given(struct model_options *options, const struct tool *tool);

// Gives what was not given the values of the preset and the adapter, and makes params of it all.
// TR_ERROR where one is out of range.
enum tr_status model_options_settle(struct model_options *options, const struct tool *tool,
				    struct tr_error *err);

#endif
