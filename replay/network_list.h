// SPDX-License-Identifier: GPL-3.0-or-later
// The generators as a table.
#ifndef REPLAY_NETWORK_LIST_H
#define REPLAY_NETWORK_LIST_H

#include <stdio.h>

#include "trace/table.h"

enum tr_status network_list_print(struct table_style style, FILE *out, struct tr_error *err);

#endif
