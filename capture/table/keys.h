// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of a struct: one table says how "key=value,key=value" is read into it, listed and printed. A
// file of keys, such as a preset, begins with the name of their kind and a colon: "mpi:".
#ifndef TABLE_KEYS_H
#define TABLE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "value/status.h"

#define KEYS_MAX 64u // keys of one struct
#define KEY_TEXT_BYTES 1024u

// The kind of a value, and the type of the struct's member that takes it.
enum key_type {
	KEY_END,
	KEY_TIME,   // struct num_ratio >= 0 in s, as are the types up to KEY_NUMBER in their units
	KEY_RATE,   // b/s
	KEY_LENGTH, // m
	KEY_SPEED,  // m/s
	KEY_NUMBER, // no unit
	KEY_BYTES,  // uint64_t: a size of whole bytes
	KEY_COUNT,  // uint64_t
	KEY_WORD,   // an enum: the index of one of the words
	KEY_FLAG,   // bool: the first or the second of two words
	KEY_TEXT,   // char[KEY_TEXT_BYTES], without commas
};

// One key. A table of them ends with a row of KEY_END.
struct key {
	const char *name;
	enum key_type type;
	size_t offset_bytes;
	const char *words;   // "age|blocked|silent"; NULL for a type without words
	const char *needs;   // the key has an effect only if this holds: "when-full=wait",
			     // "switching=store|wormhole" for either, or "timeout" for not 0; NULL:
			     // always
	const char *meaning; // half a sentence
};

// A named text of keys.
struct key_preset {
	const char *kind; // the kind's name: "myrinet"
	const char *name;
	const char *text; // its first line is a comment that describes it
};

// What the keys are of.
struct key_kind {
	const char *name;
	const char *list; // the option that lists keys and presets, for errors: "--fabric list"
	const struct key *keys;		  // at most KEYS_MAX
	const struct key_preset *presets; // of this kind and of others; ends with a NULL kind
	const void *usual;		  // a struct with the default values
};

// Where values came from: a bit for each key.
struct keys_given {
	uint64_t text;
	uint64_t presets;
	uint64_t typed; // by texts for which typing was set: no later such text sets these again
	bool typing;	// set by the caller: the text is a word of the command line, not a file
};

// Reads the items of text into params; preset=NAME sets the keys of a preset, which later keys
// override. given is that of the earlier texts, zero for the first. TR_ERROR where a key is
// unknown, given twice in a text or in several typed ones, or does not take its value.
enum tr_status keys_read(const struct key_kind *kind, const char *text, void *params,
			 struct keys_given *given, struct tr_error *err);

// Writes a file of keys that keys_read reads back, with the origin of each value; a key without
// effect becomes a comment.
void keys_print(const struct key_kind *kind, const void *params, const struct keys_given *given,
		FILE *out);

// TR_ERROR where a key that was given has no effect.
enum tr_status keys_check_effect(const struct key *keys, const void *params, uint64_t given,
				 struct tr_error *err);

// Writes "key=value,..." for the values that are not the default, with begin before the first.
void keys_describe(const struct key_kind *kind, const void *params, char begin, FILE *out);

// Length of the kind's name with which a file of keys begins, and the text after it and its colon.
size_t keys_name_bytes(const char *text);
const char *keys_behind_name(const char *text);

// text after leading blanks, line breaks and comments.
const char *keys_skip_comments(const char *text);

// The key called name, which has length characters; NULL for none.
const struct key *keys_find(const struct key *keys, const char *name, size_t length);

// Reads value into the key's member of params. TR_ERROR, naming the key, if the value is invalid;
// params then stays as it was.
enum tr_status keys_set(const struct key *key, void *params, const char *value,
			struct tr_error *err);

// The value of the key's member in the form that keys_set reads. Returns out (>= KEY_TEXT_BYTES).
const char *keys_value(const struct key *key, const void *params, char *out, size_t out_bytes);

// The kind of value: "TIME", "age|blocked|silent". Static.
const char *keys_takes(const struct key *key);

// One item of a text.
struct key_item {
	const char *name; // not terminated
	size_t name_bytes;
	char value[KEY_TEXT_BYTES];
};

// Reads the next "name=value" at *text and moves *text past it. Commas and line breaks separate
// items, blanks around names and values are ignored, # begins a comment to the end of the line.
// TR_END after the last, TR_ERROR if malformed.
enum tr_status keys_next(const char **text, struct key_item *item, struct tr_error *err);

#endif
