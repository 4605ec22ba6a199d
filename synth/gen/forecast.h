// SPDX-License-Identifier: GPL-3.0-or-later
// Forecast of a model's traffic: rates, sizes, burstiness, volume and memory, in the same words for
// every family. A family gives its senders; this file derives the rest and words it.
#ifndef GEN_FORECAST_H
#define GEN_FORECAST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "value/status.h"

#define FORECAST_WHO_BYTES 80

// Identical nodes (or sources).
struct forecast_sender {
	char who[FORECAST_WHO_BYTES]; // one of them: "each worker"
	const char *what;	      // "data", "overhead"; lent
	double senders;		      // how many there are
	double packets_per_s;	      // of each, on average
	double payload_B, wire_B;     // of a packet, on average
	double burst_packets_per_s;   // of each while it sends; NAN: no bursts
	double dispersion; // variance over mean of its packets in a long time; INFINITY: it grows
			   // with the time, NAN: not known
};

// Zero is a valid empty one; forecast_clear frees it.
struct forecast {
	uint64_t nodes;
	double duration_s; // INFINITY: no end is known
	double hurst; // of the packets in long times, .5 for no long-range dependence; 0: not known
	double memory_B;		 // of the generator; 0: not known
	struct forecast_sender *senders; // owned
	size_t count;
};

// Adjusts the forecast to the same model with all its times multiplied by times.
void forecast_stretch(struct forecast *forecast, double times);

// All senders together. dispersion: as of a sender (senders are independent).
struct forecast_total {
	double packets_per_s;
	double payload_bps, wire_bps;
	double dispersion;
};

// TR_ERROR if out of memory.
enum tr_status forecast_add(struct forecast *forecast, const struct forecast_sender *sender,
			    struct tr_error *err);
struct forecast_total forecast_total(const struct forecast *forecast);

// Volume of a packet stream of the forecast, limited to packets_max packets (0: no limit).
struct forecast_volume {
	double duration_s, packets, payload_B, stream_B;
};
struct forecast_volume forecast_volume(const struct forecast *forecast, double packets_max);

// Writes the forecast in sentences.
void forecast_explain(const struct forecast *forecast, double packets_max, FILE *out);

// Frees what it holds; it is empty then.
void forecast_clear(struct forecast *forecast);

#endif
