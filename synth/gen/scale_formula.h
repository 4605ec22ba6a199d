// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling by the algorithm's own formulas: what an FFT must send at p nodes (fft_volume.h) sets the sizes of the data and how
// many packets a burst has; times stay, since no formula speaks of them.
//
// Data: sizes are empirical, full packets and the rests of the messages, in the shares that the formula gives. Pulses are those
// of the model times the ratio of the packets of a run and phase at the two node counts. Overhead (requests and acknowledgements,
// section 3.4 of the study): its pulses change as the data packets that the node sends and receives; its sizes stay.
#ifndef GEN_SCALE_FORMULA_H
#define GEN_SCALE_FORMULA_H

#include "gen/fft_volume.h"

// The model for nodes, from one fitted to a run of the workload at its own number of nodes. TR_ERROR: either number is none that
// the algorithm runs on, or memory ends. *out is to be freed by pulse_model_clear; empty after a failure.
enum tr_status scale_by_formula(const struct pulse_model *at, const struct fft_workload *workload, uint64_t nodes,
				struct pulse_model *out, struct tr_error *err);

#endif
