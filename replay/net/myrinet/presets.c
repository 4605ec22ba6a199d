// SPDX-License-Identifier: GPL-3.0-or-later
// The models and adapters that have names.
#include <stddef.h>
#include <string.h>

#include "net/myrinet/params.h"

#define AT_ONCE {0, 1} // of a rate: a transfer that takes no time
#define MIB_PER_S(tenths) {(int64_t)(tenths) * 1048576 * 8 / 2, 5} // tenths of a MiB/s in b/s
#define WAITING_WORMS 1000000
#define NS(n) {(n), 1000000000}

const struct myr_params myr_params_yates = {
	.loss = {.timeout_s = {0, 1}, .bit_errors = {0, 1}, .beat_s = {0, 1}},
	.link = {
		.rate_bps = {1280000000, 1},
		.length_m = {6, 1},
		.speed_mps = {180000000, 1}, // 0.6 x 3e8 m/s
		.below_go_B = 32,
		.hysteresis_B = 16,
		.above_stop_B = 32,
	},
	.crossbar = {
		.assignment_s = {1, 160000000}, // 6.25 ns
		.path_s = {1, 160000000},
		.conversion_s = NS(100),
	},
	.adapter = {
		.flit_s = {1, 150000000}, // 6 2/3 ns
		.route_flit_s = {1, 160000000},
		.dma_in_bps = {44 * 8388608LL, 1},
		.dma_out_bps = {66 * 8388608LL, 1},
		.poll_s = {0, 1},
		.sram_B = 262144,
		.header_B = 82,
		.queue_worms = 999,
		.waiting_worms = WAITING_WORMS,
	},
};

// Of the format of George and VanLoon.
#define PACKET {.gap_after = true, .no_final = true, .crc = true, .type_characters = 4}

// Their links; the rate is the generation's.
#define CABLES(bps) {.rate_bps = {(bps), 1}, .length_m = {10, 1}, .speed_mps = {180000000, 1}, \
		     .below_go_B = 40, .hysteresis_B = 16, .above_stop_B = 40}

// A switch of which nothing else is known.
#define CROSSBAR(assignment) {.assignment_s = assignment, .path_s = {0, 1}, \
			      .conversion_s = {0, 1}, .first_come = true}

// Sources and sinks that take no time. Adapter memory is halved, so that it never is the limit.
#define ADAPTER {.flit_s = {0, 1}, .route_flit_s = {0, 1}, .dma_in_bps = AT_ONCE, \
		 .dma_out_bps = AT_ONCE, .poll_s = {0, 1}, .sram_B = 262144, \
		 .receive_reserve_B = 131072, .header_B = 82, .queue_worms = 999, \
		 .waiting_worms = WAITING_WORMS, .out_buffer_B = 96, .receive_one = true}

// George and VanLoon: their table of verification parameters.
static const struct myr_params george = {
	.loss = {.timeout_s = {1, 1}, .timeout_from = MYR_TIMEOUT_AGE, .bit_errors = {0, 1},
		 .beat_s = {1, 1}, .beat_misses = 3},
	.format = PACKET,
	.link = CABLES(1280000000),
	.crossbar = CROSSBAR(AT_ONCE),
	.adapter = ADAPTER,
};

// The first generation: 640 Mb/s, 300 ns to form a path (Yates, chapter 2). A port that has not sent
// for a given time resets (George and VanLoon); how long, nobody says: a sixteenth of a second is
// the shortest of the later adapters.
static const struct myr_params first = {
	.loss = {.timeout_s = {1, 16}, .timeout_from = MYR_TIMEOUT_SILENT, .bit_errors = {0, 1},
		 .beat_s = {0, 1}},
	.format = PACKET,
	.link = CABLES(640000000),
	.crossbar = CROSSBAR(NS(300)),
	.adapter = ADAPTER,
};

const struct myr_params *myr_params_find(const char *name)
{
	static const struct {
		const char *name;
		const struct myr_params *params;
	} models[] = {{"yates", &myr_params_yates}, {"george", &george}, {"first", &first}};

	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
		if (strcmp(models[i].name, name) == 0)
			return models[i].params;
	return NULL;
}

static const struct preset {
	const char *name;
	struct num_ratio flit_s;
	struct num_ratio dma_in_bps;
	struct num_ratio dma_out_bps;
} presets[] = {
	{"sbus", {1, 150000000}, MIB_PER_S(440), MIB_PER_S(660)},
	{"pci33", NS(15), MIB_PER_S(1269), MIB_PER_S(1268)},
	{"pci66", {3, 400000000}, MIB_PER_S(1269), MIB_PER_S(1268)}, // 7.5 ns
};

bool myr_params_preset(struct myr_adapter_params *adapter, const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++) {
		if (strcmp(presets[i].name, name) != 0)
			continue;
		adapter->flit_s = presets[i].flit_s;
		adapter->dma_in_bps = presets[i].dma_in_bps;
		adapter->dma_out_bps = presets[i].dma_out_bps;
		return true;
	}
	return false;
}
