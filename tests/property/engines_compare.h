// SPDX-License-Identifier: GPL-3.0-or-later
// Two engines on one case: every delivery record, every link sample and the totals must be the
// same, and so must the reason where the run ends in an error.
#ifndef TESTS_ENGINES_COMPARE_H
#define TESTS_ENGINES_COMPARE_H

#include "engines_case.h"

#define ENGINES_WHY_BYTES 512
#define ENGINES_ENDLESS "a run does not end"

enum engines_verdict { ENGINES_EQUAL, ENGINES_DIFFER, ENGINES_REFUSED, ENGINES_NO_CASE };

// Besides the verdict: properties of the first engine's run.
struct engines_story {
	char why[ENGINES_WHY_BYTES]; // of a difference, or of a refusal
	bool failed;
	bool deadlocked;
	bool dropped;
	bool dead;	  // for a fault
	bool damaged;	  // for a bit error
	bool misrouted;	  // for its route
	bool late;	  // removed by a timeout, for good or to be resent
	bool undetected;  // a damaged worm was delivered
	bool links_lost;  // BEATs revealed a fault
	bool copied;	  // adapters forwarded a multicast
	bool answered;	  // hosts had a messaging layer, and replies arrived
	bool finite;	  // sources sent one packet after the other
	uint32_t regions; // that the second engine moved apart
	bool ranks;	  // so did ranks
	bool reacted;	  // packets were sent in reaction to results
	bool stopped;	  // a link was stopped, according to the samples
	bool waited_memory;
	uint64_t characters;
};

// ENGINES_NO_CASE: it has no routes or no clock. ENGINES_REFUSED: the second engine does not
// support it.
enum engines_verdict engines_compare(const struct engines_case *item, const char *first,
				     const char *second, struct engines_story *story);

// The same in a separate process: ENGINES_DIFFER if that process dies, or (ENGINES_ENDLESS) uses
// more than limit_s seconds of processor time.
enum engines_verdict engines_compare_apart(const struct engines_case *item, const char *first,
					   const char *second, unsigned limit_s,
					   struct engines_story *story);

#endif
