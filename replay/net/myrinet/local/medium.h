// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef NET_MYRINET_LOCAL_MEDIUM_H
#define NET_MYRINET_LOCAL_MEDIUM_H

#include "net/engine.h"

extern const struct net_engine myr_local;

#endif
