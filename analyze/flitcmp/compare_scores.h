// SPDX-License-Identifier: GPL-3.0-or-later
// The score tables of flitcmp.
#ifndef ANALYZE_COMPARE_SCORES_H
#define ANALYZE_COMPARE_SCORES_H

#include "compare_report.h"

// The scores of all alternatives in each block, and their means: two tables for the caller to free.
// TR_ERROR: an alternative is missing in a block or has one value, weights that are none, no memory;
// *scores and *means are NULL then.
enum tr_status compare_scores(const struct compare_report *report, struct table **scores, struct table **means,
			      struct tr_error *err);

// A column for each of settings->by, and the block's values into them.
void compare_block_columns(struct table *table, const struct compare_settings *settings);
void compare_put_block(struct table *table, const struct compare_report *report, size_t block);

#endif
