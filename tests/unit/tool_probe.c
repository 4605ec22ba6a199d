// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest filter: copies packet records from its inputs to -w, to test what all programs
// share.
#include "tool/tool.h"

static void pass_names(struct tr_writer *out, const struct tr_names *names)
{
	for (uint32_t i = 0; i < names->node_count; i++)
		(void)tr_put_node(out, i, tr_names_node(names, i), tr_names_role(names, i));
	for (uint32_t i = 0; i < names->flow_count; i++)
		(void)tr_put_name(out,
				  &(struct tr_name){.kind = TR_NAME_FLOW,
						    .id = i,
						    .src = tr_names_flow(names, i)->src,
						    .dst = tr_names_flow(names, i)->dst,
						    .protocol = tr_names_flow(names, i)->protocol,
						    .src_port = tr_names_flow(names, i)->src_port,
						    .dst_port = tr_names_flow(names, i)->dst_port,
						    .text = ""});
}

static void copy(struct tool *tool, struct tr_writer *out, struct tr_reader *in, uint64_t times)
{
	const union tr_record *record;

	tool_follow(tool, in);
	while (tr_next(in, &record) == TR_OK) {
		pass_names(out, tr_reader_names(in));
		for (uint64_t i = 0; i < times; i++)
			if (tr_put(out, record) != TR_OK)
				return;
	}
}

int main(int argc, char **argv)
{
	const char *path = "-";
	bool answer_no = false;
	uint64_t times = 1;
	const struct opt opts[] = {
		OPT_SILENT_STRING('w', "write", "FILE", &path, "where the copy goes"),
		OPT_COUNT('c', "copies", &times, "of each record"),
		OPT_FLAG('n', "no", &answer_no, "answer no"),
		OPT_END,
	};
	const struct tool_spec spec = {"tool_probe", "[-n] [-c N] [-w file] [file ...]",
				       "Copies packets.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct tr_writer *out = NULL;
	struct tr_reader *in;

	while (tool_next_input(tool, &in) == TR_OK) {
		if (!out)
			out = tool_output(tool, path, tr_reader_header(in), NULL);
		if (!out)
			break;
		copy(tool, out, in, times);
	}
	return tool_finish(tool, answer_no ? TOOL_NO : TOOL_OK);
}
