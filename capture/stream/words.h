// SPDX-License-Identifier: GPL-3.0-or-later
// The words for the codes in records: classes, statuses, reasons, operations, flags, IP protocols.
#ifndef STREAM_WORDS_H
#define STREAM_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/record.h"
#include "table/opt.h"

// Words and codes, also for options that take one.
extern const struct opt_choice tr_class_words[];
extern const struct opt_choice tr_status_words[];
extern const struct opt_choice tr_reason_words[];
extern const struct opt_choice tr_operation_words[];
extern const struct opt_choice tr_role_words[];

// Which bytes of a packet count as its size.
enum tr_size_of { TR_SIZE_PAYLOAD, TR_SIZE_WIRE };
extern const struct opt_choice tr_size_words[];

// The IP protocols that have a word, with their numbers.
extern const struct opt_choice tr_protocol_words[];

// The word for a code of a meaning that has words (class, status, reason, operation); NULL if none.
const char *tr_word(enum tr_field_meaning meaning, int64_t value);

// The code of a word; false where there is no such word.
bool tr_word_find(enum tr_field_meaning meaning, const char *word, int64_t *value);

// Flags of a packet or message (meaning TR_FLAG_BITS or TR_MESSAGE_FLAG_BITS) as words joined by
// "+", "-" for none, unknown flags as one number ("setup+0x40"). Returns out (>= 64 bytes).
const char *tr_flags_format(enum tr_field_meaning meaning, unsigned flags, char *out,
			    size_t out_bytes);

// Reads what tr_flags_format wrote.
bool tr_flags_parse(enum tr_field_meaning meaning, const char *text, unsigned *flags);

// Word for an IP protocol number ("tcp"), or the number in decimal. Returns out (>= 8 bytes).
const char *tr_protocol_format(uint8_t protocol, char *out, size_t out_bytes);

// Reads a word or a number.
bool tr_protocol_parse(const char *text, uint8_t *protocol);

#endif
