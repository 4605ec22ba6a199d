// SPDX-License-Identifier: GPL-3.0-or-later
// For tests: destinations from the text of a model, called t.model.
#ifndef TESTS_DESTINATIONS_BED_H
#define TESTS_DESTINATIONS_BED_H

#include "gen/destinations.h"

#define DESTINATIONS_HEAD MODEL_FIRST_LINE "\n"

// The destination keys, for a family with roles. TR_ERROR with file and line; *out must be cleared
// in any case.
enum tr_status destinations_bed_get(const struct model *model, struct destinations_model *out,
				    struct tr_error *err);

// Opens the text's pattern for this number of nodes.
enum tr_status destinations_bed_open(struct destinations *out, const char *text, uint32_t nodes,
				     uint64_t seed, struct tr_error *err);

// Fails the test unless the text is rejected for this number of nodes with this message.
void destinations_bed_refused(const char *text, uint32_t nodes, const char *message);

#endif
