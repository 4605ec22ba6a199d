// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/character.h"

const char *myr_kind_name(enum myr_kind kind)
{
	static const char *const names[MYR_KINDS] = {
		[MYR_GAP] = "GAP",   [MYR_ROUTE] = "route", [MYR_FINAL] = "final",     [MYR_TYPE] = "type",
		[MYR_DATA] = "data", [MYR_CRC] = "CRC",	    [MYR_TRAILER] = "trailer", [MYR_STOP] = "STOP",
		[MYR_GO] = "GO",     [MYR_BEAT] = "BEAT",   [MYR_RESET] = "RESET",     [MYR_VOID] = "void",
	};

	return names[kind];
}
