// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef TESTS_EXAMPLE_CROSSBAR_H
#define TESTS_EXAMPLE_CROSSBAR_H

#include "net/fabric.h"

extern const struct net_fabric net_fabric_crossbar;

#endif
