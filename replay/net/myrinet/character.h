// SPDX-License-Identifier: GPL-3.0-or-later
// A character: a byte with a control mark. What it says of its worm beyond that is for the
// simulation's own checks.
#ifndef NET_MYRINET_CHARACTER_H
#define NET_MYRINET_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

enum myr_kind {
	MYR_GAP,   // a worm comes, or has ended: as the format has it
	MYR_ROUTE, // the output port at the next switch
	MYR_FINAL, // the last route character: the host
	MYR_TYPE,  // of the packet, for the receiver
	MYR_DATA,
	MYR_CRC,
	MYR_TRAILER, // the worm ends
	MYR_STOP,
	MYR_GO,
	MYR_BEAT,
	MYR_RESET, // a port of the first generation has not sent for long
	MYR_VOID,  // of a worm that was removed: nothing arrives
	MYR_KINDS
};

struct myr_character {
	uint32_t worm; // NET_NO_WORM of STOP and GO
	uint16_t port; // of a route character
	uint8_t kind;  // enum myr_kind
	uint8_t flip;  // bits that were inverted on the way
};

// How the manual and the character trace call a kind. Static.
const char *myr_kind_name(enum myr_kind kind);

#endif
