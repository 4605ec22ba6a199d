// SPDX-License-Identifier: GPL-3.0-or-later
// The text that dumpi2ascii prints: for each call a line "MPI_Send entering at walltime
// 12.000000345, ...", a line "int count=1" for each argument, and a line "MPI_Send returning at
// walltime ...".
#include "foreign/dumpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/lines.h"

#define ENTERING " entering at walltime "
#define RETURNING " returning at walltime "

struct dumpi_text_reading {
	struct tr_lines lines;
	struct dumpi_call call;
	bool within;		      // a call
	struct dumpi_argument *lists; // whose next list is on a line of its own, ", [4, 7, 1]"
};

// The meanings of names (see struct dumpi_function).
static const struct word {
	const char *name;
	char meaning;
} words[] = {
	{"count", 'c'},	     {"sendcount", 'c'},   {"recvcount", 'C'},	 {"datatype", 't'},
	{"sendtype", 't'},   {"recvtype", 'T'},	   {"dest", 'd'},	 {"source", 's'},
	{"root", 'o'},	     {"tag", 'g'},	   {"sendtag", 'g'},	 {"recvtag", 'G'},
	{"comm", 'm'},	     {"oldcomm", 'm'},	   {"newcomm", 'n'},	 {"request", 'r'},
	{"requests", 'r'},   {"status", 'S'},	   {"statuses", 'S'},	 {"index", 'x'},
	{"indices", 'X'},    {"outcount", 'O'},	   {"flag", 'f'},	 {"sendcounts", 'v'},
	{"recvcounts", 'V'}, {"commrank", 'R'},	   {"commsize", 'P'},	 {"color", 'k'},
	{"key", 'y'},	     {"oldtype", 'b'},	   {"newtype", 'e'},	 {"lengths", 'L'},
	{"oldtypes", 'l'},   {"sendtypes", 'l'},   {"blocklength", 'B'}, {"subsizes", 'q'},
	{"gsizes", 'a'},     {"psizes", 'p'},	   {"dims", 'D'},	 {"remain_dims", 'D'},
	{"rank", 'i'},	     {"size", 'z'},	   {"oldcommrank", 'R'}, {"group", 'u'},
	{"group1", 'u'},     {"group2", 'U'},	   {"newgroup", 'N'},	 {"ranks", 'M'},
	{"ranges", 'M'},     {"recvtypes", 'w'},   {"origincount", 'c'}, {"origintype", 't'},
	{"localcomm", 'm'},  {"localleader", 'o'}, {"remotecomm", 'j'},	 {"remoteleader", 's'},
	{"high", 'h'},
};

static enum tr_status dumpi_text_fail(struct dumpi_text_reading *reading, struct tr_error *err,
				      const char *what, const char *found)
{
	return tr_lines_fail(&reading->lines, err, "expected %s, found \"%.60s\"", what, found);
}

// ---- values

// "12.000000345"
static bool dumpi_text_take_time(const char *text, int64_t *ns)
{
	char *end;
	int64_t s = strtoll(text, &end, 10);
	unsigned digits = 0;
	int64_t part = 0;

	if (end == text || *end != '.' || s < 0 || s > INT64_MAX / 1000000000 - 1)
		return false;
	for (end++; *end >= '0' && *end <= '9' && digits < 9; end++, digits++)
		part = part * 10 + (*end - '0');
	*ns = s * 1000000000 + part;
	return digits == 9 && *end == ',';
}

// The next number at *text, after blanks, commas and opening brackets; false if there is none
// before the closing one. What is in parentheses is its name.
static bool dumpi_text_next_number(const char **text, int64_t *out)
{
	char *end;

	*text += strspn(*text, " ,[");
	if (**text == '(') {
		*text += strcspn(*text, ")");
		*text += **text == ')';
		*text += strspn(*text, " ,[");
	}
	*out = strtoll(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

static enum tr_status take_numbers(struct dumpi_text_reading *reading,
				   struct dumpi_argument *argument, const char *text,
				   struct tr_error *err)
{
	int64_t number;

	if (!argument->given)
		argument->first = reading->call.number_count;
	argument->given = argument->many = true;
	while (dumpi_text_next_number(&text, &number)) {
		if (number < INT32_MIN || number > INT32_MAX)
			return dumpi_text_fail(reading, err, "a number of 32 bits", text);
		if (dumpi_call_add(&reading->call, argument, (int32_t)number, err) != TR_OK)
			return TR_ERROR;
	}
	text += strspn(text, " ,");
	return *text == ']' ? TR_OK : dumpi_text_fail(reading, err, "a number or ]", text);
}

// The number after a name and "=" at *text, which moves behind it. False if there is none.
static bool named_number(const char **text, const char *name, int64_t *out)
{
	size_t length = strlen(name);

	*text += strspn(*text, " ,{");
	if (strncmp(*text, name, length) != 0)
		return false;
	*text += length;
	return dumpi_text_next_number(text, out) && *out >= INT32_MIN && *out <= INT32_MAX;
}

// "[{bytes=4, cancelled=0, source=1, tag=17, error=0}, ...]"
static enum tr_status dumpi_text_take_statuses(struct dumpi_text_reading *reading,
					       struct dumpi_argument *argument, const char *text,
					       struct tr_error *err)
{
	argument->given = argument->many = true;
	argument->first = reading->call.number_count;
	for (text += strspn(text, "[ "); *text == '{'; text += strspn(text, "}, ")) {
		const char *begin = text;
		int64_t bytes, cancelled, source, tag, error;

		if (!named_number(&text, "bytes=", &bytes) ||
		    !named_number(&text, "cancelled=", &cancelled) ||
		    !named_number(&text, "source=", &source) ||
		    !named_number(&text, "tag=", &tag) || !named_number(&text, "error=", &error) ||
		    *text != '}')
			return dumpi_text_fail(reading, err,
					       "a status such as {bytes=4, cancelled=0, source=1, "
					       "tag=17, error=0}",
					       begin);
		if (dumpi_call_add(&reading->call, argument, (int32_t)bytes, err) != TR_OK ||
		    dumpi_call_add(&reading->call, argument, (int32_t)source, err) != TR_OK ||
		    dumpi_call_add(&reading->call, argument, (int32_t)tag, err) != TR_OK ||
		    dumpi_call_add(&reading->call, argument, (int32_t)cancelled, err) != TR_OK)
			return TR_ERROR;
	}
	return *text == ']' ? TR_OK : dumpi_text_fail(reading, err, "a status or ]", text);
}

static char meaning_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
			return words[i].meaning;
	return '\0';
}

// The type of the argument with this meaning; '\0': the function has none.
static char dumpi_text_type_of(const struct dumpi_function *function, char meaning)
{
	for (const char *letters = function->arguments; *letters; letters++)
		if (strchr("bhiqBHIJS", *letters) && letters[1] == meaning)
			return *letters;
	return '\0';
}

// "MPI_Comm comm=2 (MPI_COMM_WORLD)"
static enum tr_status dumpi_text_take_argument(struct dumpi_text_reading *reading, const char *line,
					       struct tr_error *err)
{
	const char *sign = strchr(line, '=');
	const char *name, *value, *end;
	struct dumpi_argument *argument;
	char meaning, type;

	if (reading->lists && strncmp(line, ", [", 3) == 0)
		return take_numbers(reading, reading->lists, line, err);
	reading->lists = NULL;

	if (!sign)
		return dumpi_text_fail(reading, err, "an argument, or the call's end", line);
	value = sign + 1;
	name = memrchr(line, ' ', (size_t)(sign - line));
	name = name ? name + 1 : line;
	end = memchr(name, '[', (size_t)(sign - name));
	meaning = meaning_of(name, (size_t)((end ? end : sign) - name));
	type = meaning && reading->call.function
		       ? dumpi_text_type_of(reading->call.function, meaning)
		       : '\0';
	if (!type || strncmp(value, "<IGNORED>", 9) == 0)
		return TR_OK;
	argument = dumpi_argument(&reading->call, meaning);
	if (argument->given)
		return dumpi_text_fail(reading, err, "each argument once", line);
	if (type == 'J')
		reading->lists = argument;
	if (type == 'S')
		return dumpi_text_take_statuses(reading, argument, value, err);
	if (strchr("BHIJ", type))
		return take_numbers(reading, argument, value, err);
	argument->given = dumpi_text_next_number(&value, &argument->value);
	return argument->given ? TR_OK : dumpi_text_fail(reading, err, "a number", value);
}

// ---- calls

static enum tr_status begin_call(struct dumpi_text_reading *reading, char *line, char *mark,
				 struct tr_error *err)
{
	*mark = '\0';
	if (strncmp(line, "MPI_", 4) == 0)
		dumpi_call_start(&reading->call, dumpi_find(line + 4));
	else
		dumpi_call_start(&reading->call, dumpi_find(line));
	if (!dumpi_text_take_time(mark + strlen(ENTERING), &reading->call.enter_ns))
		return dumpi_text_fail(reading, err, "a time such as 12.000000345",
				       mark + strlen(ENTERING));
	reading->within = true;
	reading->lists = NULL;
	return TR_OK;
}

static enum tr_status end_call(struct dumpi_text_reading *reading, struct dumpi_rank *rank,
			       const char *mark, struct tr_error *err)
{
	struct tr_error why;

	if (!dumpi_text_take_time(mark + strlen(RETURNING), &reading->call.leave_ns))
		return dumpi_text_fail(reading, err, "a time such as 12.000000345",
				       mark + strlen(RETURNING));
	reading->within = false;
	if (!reading->call.function || dumpi_rank_call(rank, &reading->call, &why) == TR_OK)
		return TR_OK;
	return tr_fail_for(err, &why, "%s:%" PRIu64 ": MPI_%s: %s",
			   tr_source_name(reading->lines.source), reading->lines.number,
			   reading->call.function->name, why.text);
}

// A line of that kind is whole if it ends "in thread 0.".
static bool dumpi_text_is_whole(const char *line)
{
	size_t length = strlen(line);

	return length > 0 && line[length - 1] == '.';
}

static enum tr_status dumpi_text_take_line(struct dumpi_text_reading *reading,
					   struct dumpi_rank *rank, char *line,
					   struct tr_error *err)
{
	char *mark = strstr(line, ENTERING);
	bool whole = dumpi_text_is_whole(line);

	if (mark && whole)
		return begin_call(reading, line, mark, err);
	mark = strstr(line, RETURNING);
	if (mark && whole && reading->within)
		return end_call(reading, rank, mark, err);
	if (strncmp(line, "MPI", 3) == 0 && !strchr(line, '=') && !strstr(line, " called "))
		return dumpi_text_fail(reading, err, "the begin or end of a call", line);
	if (!reading->within ||
	    strncmp(line, "Perfcounters:", 13) == 0) // the header and the footer, what was counted
		return TR_OK;
	return dumpi_text_take_argument(reading, line, err);
}

enum tr_status dumpi_read_text(struct tr_source *source, struct dumpi_rank *rank,
			       struct tr_error *err)
{
	struct dumpi_text_reading reading = {.lines = {.source = source}};
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&reading.lines, &line, err)) == TR_OK)
		if (dumpi_text_take_line(&reading, rank, line, err) != TR_OK) {
			status = TR_ERROR;
			break;
		}
	if (status == TR_END && reading.within)
		status = tr_lines_fail(&reading.lines, err,
				       "expected the end of MPI_%s, found the end of the text",
				       reading.call.function ? reading.call.function->name : "...");
	tr_lines_clear(&reading.lines);
	dumpi_call_clear(&reading.call);
	return status == TR_END ? TR_OK : status;
}

bool dumpi_is_text(struct tr_source *source)
{
	const uint8_t *data;
	size_t got = 0;

	return tr_source_peek(source, 1024, &data, &got, NULL) != TR_ERROR &&
	       memmem(data, got, ENTERING, strlen(ENTERING));
}
