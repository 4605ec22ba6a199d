// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef NET_SCI_COMPONENTS_TABLES_H
#define NET_SCI_COMPONENTS_TABLES_H

#include "net/fabric.h"

// The tables of measured ping-pongs: components of each size, their estimates, and how far the model of the parameters is from
// each ring. Writes at most NET_TABLES_MAX for the caller to free. *count is 0 with TR_ERROR.
enum tr_status sci_components_tables(const struct net_tables_request *request, struct table **tables, size_t *count,
				     struct tr_error *err);

#endif
