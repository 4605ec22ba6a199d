// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_loads.h"

#include "net/switched/switched_params.h"

enum tr_status switched_load_terms(const void *params, const struct net_topology *topology,
				   struct net_load_terms *terms, struct tr_error *err)
{
	static const enum net_switching switching[] = {[SWITCHED_STORE] = NET_STORE_AND_FORWARD,
						       [SWITCHED_CUT_THROUGH] = NET_CUT_THROUGH,
						       [SWITCHED_WORMHOLE] = NET_WORMHOLE};
	const struct switched_params *switched = params;

	terms->usual_Bps = num_value(switched->rate_bps) / 8;
	terms->header_B = (double)switched->header_B;
	terms->switching = switching[switched->switching];
	for (size_t i = 0; i < topology->cable_count; i++) {
		const double rate_Bps = num_value(switched_cable_rate(switched,
								      &topology->cables[i])) /
					8;

		if (!(rate_Bps > 0))
			return tr_fail(err, "switched: rate: cable %zu has none above zero", i);
		terms->rates_Bps[2 * i] = terms->rates_Bps[2 * i + 1] = rate_Bps;
	}
	return TR_OK;
}
