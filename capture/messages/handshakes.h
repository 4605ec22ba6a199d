// SPDX-License-Identifier: GPL-3.0-or-later
// Handshakes before large messages: one small segment that way, one back, then data at once. Within
// messages/.
#ifndef MESSAGES_HANDSHAKES_H
#define MESSAGES_HANDSHAKES_H

#include "messages/rule.h"

#define VOTES_KNOWN 3u // requests of one size that make it known

// Looks for the handshake of a message that may begin with this piece, and takes its segments.
void handshake_find(struct rule *rule, unsigned direction, struct piece *piece);

// Whether the last, small segment of the last piece was a request that has been answered since.
bool handshake_was_request(const struct rule_known *known, const struct rule_side *side,
			   const struct rule_side *back);

// Of the rule: whether a time is longer than so many mean gaps; whether a segment may be of a
// protocol.
bool rule_longer_than(const struct rule *rule, int64_t ticks, unsigned gaps);
bool rule_is_small(uint32_t payload_B);

#endif
