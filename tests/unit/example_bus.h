// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef TESTS_EXAMPLE_BUS_H
#define TESTS_EXAMPLE_BUS_H

#include "net/fabric.h"

extern const struct net_fabric net_fabric_bus;

#endif
