// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that several programs share: an option's name and help are written once, here. Each takes
// the variable, and where programs differ in the words of its value, their table.
#ifndef TABLE_OPT_ROWS_H
#define TABLE_OPT_ROWS_H

#include "table/opt.h"

// A default that the variable does not show, after the help.
#define OPT_DEFAULT(words) " [default: " words "]"

// ---- inputs
#define OPT_FROM_HELP "format of the input"
#define OPT_COLUMNS(v, words) \
	OPT_STRING_OR_WORD(0, "columns", "COLUMNS", v, words, \
			   "columns and separators of a text (list)")
#define OPT_ARRIVALS(v) OPT_FLAG('a', "arrivals", v, "texts contain arrival times and bytes")
#define OPT_READ_HELP "take FILE as the input"
#define OPT_MATRIX_HELP "traffic matrix, a table of flitstat"
#define OPT_MATRIX(v) OPT_FILE(0, "matrix", v, OPT_MATRIX_HELP)

// ---- what is counted, and how
#define OPT_BIN_HELP "width of bins"
#define OPT_ORIGIN(v, words) \
	OPT_STRING_OR_WORD(0, "origin", "TIME|first", v, words, \
			   "origin of bins: a time since the Unix epoch, or the first packet")
#define OPT_PACKET_SIZE(v) OPT_CHOICE(0, "size", v, tr_size_words, "bytes of a packet that count")
#define OPT_PERIODS(v, words) \
	OPT_CHOICE(0, "periods", v, words, "keep periods in the series, or remove them first")
#define OPT_AFTER_HELP "start with records at TIME after the origin"
#define OPT_BEFORE_HELP "stop before TIME after the origin"
#define OPT_BY(v, words) OPT_CHOICE(0, "by", v, words, "what to analyse separately")
#define OPT_SET_ROLE(v) \
	OPT_LIST_OR_WORDS(0, "set-role", "NODE=ROLE", v, tr_role_words, \
			  "set the role of a node, overriding the trace")
#define OPT_ALL_NODES(v) OPT_FLAG(0, "all-nodes", v, "include multicast, broadcast and discovery")
#define OPT_LEVEL(v) OPT_CHOICE(0, "level", v, opt_levels, "confidence level, in percent")
#define OPT_ACCURACY(v) OPT_REAL(0, "accuracy", v, "wanted relative error of a mean, in percent")
#define OPT_SEED(v) OPT_COUNT('s', "seed", v, "seed of the random numbers")

// ---- networks
#define OPT_NETWORK_HELP "generator (list) or file"
#define OPT_FABRIC_HELP "kind with keys, or file (list)" OPT_DEFAULT("myrinet")
#define OPT_LINK_RATE(v) OPT_RATE(0, "link-rate", v, "rate of links without their own rate")
#define OPT_LOAD_HELP "offered load of a host: a share of the link rate, a rate, or 2x"
#define OPT_DURATION(v) \
	OPT_TIME(0, "duration", v, "time in which the bytes of the matrix were sent")
#define OPT_LINK_LOADS(v) OPT_SILENT_FLAG(0, "loads", v, "print the load of each link")
#define OPT_SWITCHES(v) OPT_SILENT_FLAG(0, "switches", v, "add tables of the switches")
#define OPT_MAP(v, words) \
	OPT_FILE_OR_WORD(0, "map", v, words, "hosts of nodes: file or rule (list)")
#define OPT_IGNORE_UNMAPPED(v) \
	OPT_FLAG(0, "ignore-unmapped", v, "ignore the traffic of nodes outside the network")

// ---- the run
#define OPT_STOP_AFTER(v) OPT_NUMBER('c', "count", v, 0, "stop after N records")
#define OPT_REPEATS(v, most) OPT_NUMBER(0, "repeats", v, most, "number of repeats")
#define OPT_TIMEOUT(v) OPT_TIME(0, "timeout", v, "give up after waiting this long")
#define OPT_EVERY(v) OPT_TIME(0, "every", v, "print results every TIME while packets arrive")
#define OPT_MEMORY_HELP "memory for what grows with the input"
#define OPT_MEMORY(v) OPT_SIZE(0, "memory", v, OPT_MEMORY_HELP)
#define OPT_ROUND(v) OPT_FLAG(0, "round", v, "round times to the nearest tick")

// ---- outputs: a stream to FILE, alone or beside what is printed; any other result
#define OPT_FORMAT(v, words) OPT_CHOICE('T', "format", v, words, "format of the output")
#define OPT_WRITE_HELP "write the stream to FILE"
#define OPT_WRITE(v) OPT_SILENT_FILE('w', "write", v, OPT_WRITE_HELP OPT_DEFAULT("standard output"))
#define OPT_ALSO_WRITE(v) OPT_SILENT_FILE('w', "write", v, OPT_WRITE_HELP)
#define OPT_OUTPUT_HELP "write the result to FILE"
#define OPT_OUTPUT(v) \
	OPT_SILENT_FILE('o', "output", v, OPT_OUTPUT_HELP OPT_DEFAULT("standard output"))
#define OPT_ALSO_OUTPUT(v) OPT_SILENT_FILE('o', "output", v, OPT_OUTPUT_HELP)
#define OPT_MESSAGES(v) OPT_SILENT_FILE(0, "messages", v, "write the messages to FILE as a stream")
#define OPT_PARTIAL(v) \
	OPT_SILENT_FILE(0, "partial", v, \
			"write partial sums to FILE, to be merged with those of other parts")
#define OPT_COMPRESS(v) OPT_SILENT_FLAG('z', "compress", v, "compress streams")
#define OPT_UNBUFFERED(v) OPT_SILENT_FLAG('U', "unbuffered", v, "write each record immediately")
#define OPT_POINTS(v) OPT_FLAG('p', "points", v, "also print the points of the plots")
#define OPT_TITLE(v) OPT_STRING(0, "title", "TEXT", v, "title of the result")

#endif
