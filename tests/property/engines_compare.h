// SPDX-License-Identifier: GPL-3.0-or-later
// Two engines on one case: every delivery record, every link sample and the totals must be the
// same, and so must the reason where the run ends in an error.
#ifndef TESTS_ENGINES_COMPARE_H
#define TESTS_ENGINES_COMPARE_H

#include "engines_case.h"

#define ENGINES_WHY_BYTES 512
#define ENGINES_ENDLESS "a run does not end"

enum engines_verdict { ENGINES_EQUAL, ENGINES_DIFFER, ENGINES_REFUSED, ENGINES_NO_CASE };

// What a verdict tells beside itself: what the first engine's run was like.
struct engines_story {
	char why[ENGINES_WHY_BYTES]; // of a difference, or of a refusal
	bool failed;
	bool deadlocked;
	bool dropped;
	bool dead;	 // for a fault
	bool damaged;	 // for a bit error
	bool misrouted;	 // for its route
	bool late;	 // a timeout took it, for good or to be sent again
	bool undetected; // a damaged worm was delivered
	bool links_lost; // BEATs told of a fault
	bool reacted;	 // packets followed from results
	bool stopped;	 // a link was stopped, as far as samples tell
	bool waited_memory;
	uint64_t characters;
};

// ENGINES_NO_CASE: there are no routes or no clock for it. ENGINES_REFUSED: the second engine says
// that it does not apply.
enum engines_verdict engines_compare(const struct engines_case *item, const char *first, const char *second,
				     struct engines_story *story);

// The same in a process of its own: a verdict of ENGINES_DIFFER where that one dies or has not
// ended after limit_s seconds of its own time: ENGINES_ENDLESS.
enum engines_verdict engines_compare_apart(const struct engines_case *item, const char *first, const char *second,
					   unsigned limit_s, struct engines_story *story);

#endif
