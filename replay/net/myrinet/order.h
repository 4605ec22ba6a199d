// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a switch's outputs serve its inputs.
#ifndef NET_MYRINET_ORDER_H
#define NET_MYRINET_ORDER_H

#include <stdint.h>

#include "trace/status.h"

// Fills order[ports] from text: digits ("65743021"), or numbers with dashes. "": 6,5,7,4,3,0,2,1
// for eight ports, ascending for any other number. TR_ERROR where it is not each port once.
enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text, struct tr_error *err);

#endif
