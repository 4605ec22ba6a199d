// SPDX-License-Identifier: GPL-3.0-or-later
// The reference engine of the Myrinet model: every character is an event on every link. Rules and
// assumptions: man/flitline-models.7. Sources: Yates, AFIT/GCS/ENG/97D-20 (1997), chapters 2 and 3;
// George and VanLoon's model.
#ifndef NET_MYRINET_REFERENCE_H
#define NET_MYRINET_REFERENCE_H

#include "net/engine.h"

// Its setup's params are a struct myr_params.
extern const struct net_engine myr_reference;

#endif
