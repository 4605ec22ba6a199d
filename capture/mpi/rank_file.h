// SPDX-License-Identifier: GPL-3.0-or-later
// The growing file of slots of one rank (rank_record.h), mapped into memory in chunks. Threads take
// slots by one atomic addition and write them without locks; what is written is in the file as far
// as other processes see, whatever becomes of this one.
#ifndef MPI_RANK_FILE_H
#define MPI_RANK_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "rank_record.h"

// Creates or empties the file and writes the header, at most REC_HEADER_BYTES of text. False, with
// errno, after a failure. One file a process; after rank_file_end it may not be opened again.
bool rank_file_open(const char *path, const char *header);

// Takes this many consecutive slots, zeroed; *number is the number of the first. False if the disk
// is full; errno says why.
bool rank_file_take(unsigned slots, uint64_t *number);

// A taken slot, valid until the process ends.
struct rec_slot *rank_file_slot(uint64_t number);

// Adds to the header that the process has ended, whether by MPI_Finalize, and how many calls were
// lost; cuts the file behind its last slot. Slots that other threads take later are lost.
void rank_file_end(bool finalized);

// Counts a call without a slot.
void rank_file_lose(void);
uint64_t rank_file_lost(void);

#endif
