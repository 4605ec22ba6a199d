// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic that a model predicts beside what was measured: totals, the messages found in both, and
// how a network carried both.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/section.h"
#include "stream/provenance.h"
#include "value/number.h"

#define PREDICTIONS_MAX 3u
#define ROW_HEIGHT 26 // of a node in the figure

// Whether flitgen made the packets.
static bool is_generated(const struct input *input)
{
	return input->kind == INPUT_PACKETS &&
	       strncmp(tr_reader_provenance(input->in), "flitgen ", 8) == 0;
}

static const struct input *find_measured(const struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].kind == INPUT_PACKETS && !is_generated(&report->inputs[i]))
			return &report->inputs[i];
	return NULL;
}

// Traffic of models counts only beside a program's: elsewhere the comparison of model and trace
// says more.
static size_t find_predictions(const struct report *report, const struct input *measured,
			       const struct input **list)
{
	size_t count = 0;

	for (size_t i = 0; i < report->count && count < PREDICTIONS_MAX; i++) {
		const struct input *input = &report->inputs[i];

		if (input->stream && stream_packets(input->stream) > 0 &&
		    (is_generated(input) ||
		     (input->kind == INPUT_MODEL &&
		      iterations_repeat(&measured->stream->messages.iterations))))
			list[count++] = input;
	}
	return count;
}

// ---- deliveries of the same packets

// Whether a provenance has the line: after two blanks, or after any number of them.
static bool has_line(const char *provenance, const char *line, bool anywhere)
{
	const size_t bytes = strlen(line);

	for (const char *at = provenance; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		const size_t blanks = strspn(at, " ");

		if ((anywhere || blanks == 2) && strncmp(at + blanks, line, bytes) == 0 &&
		    (at[blanks + bytes] == '\n' || at[blanks + bytes] == '\0'))
			return true;
	}
	return false;
}

// Whether the deliveries are of the input's packets, by their digest, or of traffic of the model,
// by its name.
static bool is_carried(const struct input *input, const struct input *deliveries)
{
	const char *made = tr_reader_provenance(deliveries->in);
	char line[TEXT_LABEL_BYTES + 600];

	if (input->kind == INPUT_MODEL) {
		(void)snprintf(line, sizeof(line), "input %.500s",
			       tr_provenance_base(input->model.name));
		return has_line(made, line, true);
	}
	(void)snprintf(line, sizeof(line), "digest %.500s %016llx",
		       tr_provenance_base(tr_reader_name(input->in)),
		       (unsigned long long)tr_reader_digest(input->in));
	return has_line(made, line, false);
}

// The first deliveries of the input's packets that hold a latency; NULL if there are none.
static const struct carried *find_carried(const struct report *report, const struct input *input)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *deliveries = &report->inputs[i];

		if (deliveries->kind == INPUT_DELIVERIES &&
		    deliveries->carried->classes[STREAM_ALL].latency.n > 0 &&
		    is_carried(input, deliveries))
			return deliveries->carried;
	}
	return NULL;
}

// ---- the table

// What is compared of each; NAN: not known.
struct totals {
	double packets, payload_B, duration_s;
	double messages; // that count, in an iteration with the most frequent ones
	double iterations, length_s, silence_s;
	double latency_s, latency_99_s;
};

static struct totals totals_of(const struct report *report, const struct input *input)
{
	const struct stream *stream = input->stream;
	const struct message_log *log = &stream->messages;
	const struct carried *carried = find_carried(report, input);
	const double ticks_per_s = (double)stream->ticks_per_s;
	struct totals totals = {
		.packets = (double)stream_packets(stream),
		.payload_B = (double)stream->size_bytes[STREAM_ALL].sum,
		.duration_s = stream_duration(stream),
		.messages = NAN,
		.iterations = NAN,
		.length_s = NAN,
		.silence_s = NAN,
		.latency_s = NAN,
		.latency_99_s = NAN,
	};

	if (iterations_repeat(&log->iterations)) {
		totals.messages = (double)message_log_usual(log);
		totals.iterations = (double)log->length_ticks.n;
		totals.length_s = moments_mean(&log->length_ticks) / ticks_per_s;
		totals.silence_s = moments_mean(&log->silence_ticks) / ticks_per_s;
	}
	if (carried) {
		const struct carried_class *all = &carried->classes[STREAM_ALL];

		totals.latency_s = batches_mean(&all->latency_ticks) / (double)carried->ticks_per_s;
		totals.latency_99_s = (double)quantile_get(&all->latency, 0.99) /
				      (double)carried->ticks_per_s;
	}
	return totals;
}

enum section_predicted_unit { UNIT_COUNT, UNIT_BYTES, UNIT_TIME };

static const struct quantity {
	const char *name;
	size_t offset_bytes; // in struct totals
	enum section_predicted_unit unit;
} quantities[] = {
	{"packets", offsetof(struct totals, packets), UNIT_COUNT},
	{"payload", offsetof(struct totals, payload_B), UNIT_BYTES},
	{"duration", offsetof(struct totals, duration_s), UNIT_TIME},
	{"iterations", offsetof(struct totals, iterations), UNIT_COUNT},
	{"messages of an iteration", offsetof(struct totals, messages), UNIT_COUNT},
	{"length of an iteration", offsetof(struct totals, length_s), UNIT_TIME},
	{"silence between iterations", offsetof(struct totals, silence_s), UNIT_TIME},
	{"mean latency", offsetof(struct totals, latency_s), UNIT_TIME},
	{"99 % latency", offsetof(struct totals, latency_99_s), UNIT_TIME},
};

static double section_predicted_value_of(const struct totals *totals,
					 const struct quantity *quantity)
{
	return *(const double *)(const void *)((const char *)totals + quantity->offset_bytes);
}

static void section_predicted_add_value(struct table *table, double value,
					enum section_predicted_unit unit)
{
	if (!isfinite(value))
		table_none(table);
	else if (unit == UNIT_COUNT)
		table_count(table, (uint64_t)value);
	else
		table_text(table, unit == UNIT_TIME ? number_time(value, 4).text
						    : number_bytes(value, 4).text);
}

static void tabulate(struct page *page, const struct totals *totals, const struct input *measured,
		     const struct input *const *list, size_t count)
{
	char heading[TEXT_LABEL_BYTES + 40], name[TEXT_LABEL_BYTES];
	struct table *table = page_table(page, "Predictions of a model and measurements.");

	table_words(table, "quantity");
	(void)snprintf(heading, sizeof(heading), "measured: %s",
		       text_shorten(measured->name, 30, name));
	table_numbers(table, heading);
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(heading, sizeof(heading), "predicted: %s",
			       text_shorten(list[i]->name, 30, name));
		table_numbers(table, heading);
		table_numbers(table, "predicted / measured");
	}
	for (size_t q = 0; q < sizeof(quantities) / sizeof(*quantities); q++) {
		const double first = section_predicted_value_of(&totals[0], &quantities[q]);

		if (!isfinite(first))
			continue;
		table_text(table, quantities[q].name);
		section_predicted_add_value(table, first, quantities[q].unit);
		for (size_t i = 1; i <= count; i++) {
			section_predicted_add_value(
				table, section_predicted_value_of(&totals[i], &quantities[q]),
				quantities[q].unit);
			table_real(table,
				   section_predicted_value_of(&totals[i], &quantities[q]) / first,
				   3);
		}
	}
	if (isfinite(totals[0].length_s))
		table_note(table,
			   "Messages of more than %u B and iterations are found in the packets of "
			   "all inputs by the same rule, from sizes and times; iterations are "
			   "those with the most frequent messages.",
			   LOG_SMALL_BYTES_MAX);
	if (isfinite(totals[0].latency_s))
		table_note(table, "Latency is that of all packets, in the first input that has "
				  "deliveries of the trace's packets or of the model's traffic.");
}

// ---- the figure: an iteration of each, where they have iterations

static struct message_view view_of(const struct input *input)
{
	return (struct message_view){.label = input->name,
				     .log = &input->stream->messages,
				     .names = input->in ? tr_reader_names(input->in) : NULL,
				     .ticks_per_s = (double)input->stream->ticks_per_s};
}

static void draw_iterations(struct page *page, const struct input *measured,
			    const struct input *const *list, size_t count)
{
	struct message_view views[PREDICTIONS_MAX + 1] = {view_of(measured)};
	double span_s = message_iteration_length(&views[0]);
	struct figure *figure;
	size_t shown = 1;

	for (size_t i = 0; i < count; i++)
		if (iterations_repeat(&list[i]->stream->messages.iterations)) {
			views[shown] = view_of(list[i]);
			span_s = fmax(span_s, message_iteration_length(&views[shown++]));
		}
	figure = page_figure(page, 0,
			     shown > 1 ? "The messages of an iteration, measured and predicted"
				       : "The messages of a measured iteration");
	for (size_t i = 0; i < shown; i++)
		message_iteration_panel(figure, &views[i], span_s, ROW_HEIGHT);
	page_caption(page, figure,
		     "An arrow leads from the sender, at the beginning of its message, to the "
		     "receiver, at its end. %s among those with the most frequent messages, which "
		     "are found in the packets.",
		     shown > 1 ? "The iterations are of median length"
			       : "The iteration is one of median length");
}

void predicted_build(const struct report *report, struct page *page)
{
	const struct input *measured = find_measured(report), *list[PREDICTIONS_MAX];
	const size_t count = measured ? find_predictions(report, measured, list) : 0;
	struct totals totals[PREDICTIONS_MAX + 1];

	if (count == 0)
		return;
	totals[0] = totals_of(report, measured);
	for (size_t i = 0; i < count; i++)
		totals[i + 1] = totals_of(report, list[i]);
	tabulate(page, totals, measured, list, count);
	if (iterations_repeat(&measured->stream->messages.iterations))
		draw_iterations(page, measured, list, count);
}
