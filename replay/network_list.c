// SPDX-License-Identifier: GPL-3.0-or-later
#include "network_list.h"

#include "net/topologies/generator.h"

enum tr_status network_list_print(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("generators", "Generators");
	enum tr_status status;

	table_column(table, "name");
	table_column(table, "arguments");
	table_column(table, "makes");
	for (size_t i = 0; net_generators[i]; i++) {
		table_text(table, net_generators[i]->name);
		if (*net_generators[i]->arguments != '\0')
			table_text(table, net_generators[i]->arguments);
		else
			table_none(table);
		table_text(table, net_generators[i]->summary);
	}
	status = tables_print(&table, 1, style, "flitnet", out, err);
	table_free(table);
	return status;
}
