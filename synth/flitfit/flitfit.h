// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of flitfit share: the fit of a pulse train in one pass and the roles of nodes (fit_pulse.c), the fits of packets in memory
// (fit_families.c) and the choice among them (fit_rank.c), and the scaling (scale_models.c).
#ifndef SYNTH_FLITFIT_H
#define SYNTH_FLITFIT_H

#include "gen/fit/doubt.h"
#include "gen/families/family.h"
#include "gen/judge/ranking.h"
#include "stat/role.h"
#include "trace/table.h"
#include "trace/tool.h"

// The options.
struct fit_request {
	struct fit_options fit;
	struct num_ratio window; // den 0: not given
	int level_percent;
	struct opt_list families;
	struct table_style style;
	bool rank;  // print the ranking
	bool every; // fit by several groupings
	bool force; // write a model that is not to be trusted
	uint64_t replicates, seed, max_packets;
	uint64_t scale;	       // node count to scale to
	struct opt_list rules; // of the scaling; none: the best
	const char *output, *write_all;
};

// The program's work with --scale.
void fit_scale(struct tool *tool, struct fit_request *request);

// What the options say in the ticks of this trace. TR_ERROR: it holds no packets, or the window is too short.
enum tr_status fit_settle(const struct tr_reader *in, struct fit_request *request, struct tr_error *err);

// Whether it holds counts, not packets.
bool fit_counts(const struct tr_reader *in);

// Reads the trace in one pass and fits a pulse train. TR_ERROR: failed, which was told.
enum tr_status fit_pulse_read(struct tool *tool, const struct fit_request *request, struct tr_reader *in,
			      struct pulse_fitted *out);

// Without a family, or with the pulse train alone: reads the trace in one pass.
void fit_pulse_train(struct tool *tool, const struct fit_request *request, struct tr_reader *in);

// With families: reads the packets into memory and fits.
void fit_families_run(struct tool *tool, const struct fit_request *request, struct tr_reader *in);

// Several families: ranks them, and writes what was asked for.
void fit_rank(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
	      const struct packet_sample *sample, const struct family *const *families, size_t count);

// Fits the family, by such groups, to the whole sample and adds the model, with comments that say how it was made, to the text, which is
// to stand at path (NULL: in the present folder).
// TR_END: it is not to be trusted, without --force; TR_ERROR: it cannot be fitted; err says why.
enum tr_status fit_family_text(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
			       const struct packet_sample *sample, const struct family *family, enum fit_by by,
			       const char *path, struct model *text, struct tr_error *err);

// Whether the model, its parameters' bound being told in words, is to be written: TR_OK, also where --force was given, with a comment
// in the text then. TR_END: not to be trusted; TR_ERROR: it cannot be run; err says why.
enum tr_status fit_trust(const struct fit_request *request, const struct fit_doubt *doubt, struct model *text,
			 struct tr_error *err);

// Writes the model to path where nothing has failed so far.
void fit_write_model(struct tool *tool, const char *path, const struct model *text);

// The comments of every fit: the provenance, and the digest of the trace.
void fit_describe_source(struct tool *tool, const struct tr_reader *in, struct model *text);

// The packet to the finder of the roles; overhead tells nothing. TR_ERROR where memory ends.
enum tr_status fit_note_role(struct role_finder *finder, const struct tr_packet *packet, const struct tr_names *names,
			     struct tr_error *err);

// The roles by node id, to be freed; those of the names, or what was found in so many packets, with a warning. NULL with a
// message where memory ends.
enum tr_role *fit_roles(struct tool *tool, const struct role_finder *finder, const struct tr_names *names, uint64_t packets);

// Warns that one node alone sends.
void fit_warn_lone(struct tool *tool);

#endif
