// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that serve one study: rows of the tables of kinds (net/fabric.h), generators
// (net/topologies/topologies.h) and rules (net/routings/routing.h). Empty where the build leaves it
// out, -DFLIT_STUDIES=OFF.
#ifndef NET_STUDIES_H
#define NET_STUDIES_H

#ifdef FLIT_STUDIES
#define STUDY_FABRICS(KIND) KIND(cppe) KIND(sci)
#define STUDY_GENERATORS(GENERATOR) GENERATOR(bbd) GENERATOR(cbd) GENERATOR(bibd)
#define STUDY_RULES(RULE) RULE(blocks) RULE(etr) RULE(atr)
#else
#define STUDY_FABRICS(KIND)
#define STUDY_GENERATORS(GENERATOR)
#define STUDY_RULES(RULE)
#endif

#endif
