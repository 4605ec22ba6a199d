// SPDX-License-Identifier: GPL-3.0-or-later
// How long worms took under way, beside what the formula gives for their sizes and numbers of switches: what
// waiting for one another cost them.
#ifndef REPLAY_FORMULA_DELIVERIES_H
#define REPLAY_FORMULA_DELIVERIES_H

#include "formula_sizes.h"
#include "trace/reader.h"

struct formula_deliveries;

// request is lent until the close. The caller closes *deliveries, also after TR_ERROR.
enum tr_status formula_deliveries_open(struct formula_deliveries **deliveries, const struct formula_request *request,
				       struct tr_error *err);

// Adds the delivered worms of a stream. TR_ERROR where it holds other records or its worms could not
// travel by the formula's parameters; where the stream is damaged its owner says so.
enum tr_status formula_deliveries_read(struct formula_deliveries *deliveries, struct tr_reader *in, struct tr_error *err);

// A row for each number of switches and each octave of sizes. The caller frees it.
struct table *formula_deliveries_table(const struct formula_deliveries *deliveries);

void formula_deliveries_close(struct formula_deliveries *deliveries);

#endif
