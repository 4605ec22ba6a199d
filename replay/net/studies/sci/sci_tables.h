// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the formulas, for flitcalc.
#ifndef NET_SCI_SCI_TABLES_H
#define NET_SCI_SCI_TABLES_H

#include "net/fabric.h"

// The kind's net_fabric.tables: of a network and of systems of other sizes or, with measured
// ping-pongs, of components.
enum tr_status sci_tables(const struct net_tables_request *request, struct table **tables,
			  size_t *count, struct tr_error *err);

// --- components_tables.c

// Of measured ping-pongs: the components of each size, their estimates, and how far the model of
// the parameters is from each ring.
enum tr_status sci_components_tables(const struct net_tables_request *request,
				     struct table **tables, size_t *count, struct tr_error *err);

#endif
