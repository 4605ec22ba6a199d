// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef NET_SCI_SCI_TABLES_H
#define NET_SCI_SCI_TABLES_H

#include "net/fabric.h"

// The kind's net_fabric.tables: of a network and of systems of other sizes or, with measured ping-pongs, of the components.
enum tr_status sci_tables(const struct net_tables_request *request, struct table **tables, size_t *count, struct tr_error *err);

#endif
