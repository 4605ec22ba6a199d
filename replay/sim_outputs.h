// SPDX-License-Identifier: GPL-3.0-or-later
// The streams that flitsim writes: what became of each packet, and what each link did.
#ifndef REPLAY_SIM_OUTPUTS_H
#define REPLAY_SIM_OUTPUTS_H

#include "link_samples.h"
#include "net/engine.h"
#include "sim_options.h"
#include "trace/tool.h"

// NULL writers: not asked for, or not open.
struct sim_outputs {
	struct tool *tool;
	const struct sim_output_options *options;
	struct tr_writer *deliveries;
	struct tr_writer *links;
	struct link_samples samples; // on their way to links
};

// Whether one of them is the standard output, after which nothing may be printed.
bool sim_outputs_on_stdout(const struct sim_output_options *options);

// Opens those that were asked for. in: the header of the packets, whose origin they have;
// ticks_per_s: of the simulation. *sampling is placed so that samples begin and end at multiples of
// their width since the Unix epoch. Returns false after reporting an error.
bool sim_outputs_open(struct sim_outputs *outputs, const struct tr_header *in, uint64_t ticks_per_s,
		      const struct net_topology *topology, struct net_sampling *sampling);

// Each does nothing where its stream is not open.
enum tr_status sim_outputs_name(struct sim_outputs *outputs, const struct tr_name *name, struct tr_error *err);
enum tr_status sim_outputs_delivery(struct sim_outputs *outputs, const struct tr_delivery *delivery, struct tr_error *err);
enum tr_status sim_outputs_sample(struct sim_outputs *outputs, const struct tr_link *link, struct tr_error *err);

// Whether writing failed, of which the tool tells when it closes the stream.
bool sim_outputs_failed(const struct sim_outputs *outputs);

// Ends the links' stream, with its clean end only where nothing failed so far; the tool ends the
// other one.
void sim_outputs_close(struct sim_outputs *outputs);

#endif
