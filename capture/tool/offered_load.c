// SPDX-License-Identifier: GPL-3.0-or-later
#include "tool/offered_load.h"

#include <string.h>

#include "value/num.h"

static enum tr_status offered_load_refuse(struct tr_error *err)
{
	return tr_fail(err, "--load: expected above 0 and at most %g times the link's rate",
		       TR_LOAD_MOST);
}

enum tr_status tr_load_parse(const char *text, struct tr_load *load, struct tr_error *err)
{
	const size_t length = strlen(text);
	struct num_ratio value;
	char number[64] = "";

	load->unit = strchr(text, '/')			     ? TR_LOAD_RATE
		     : length > 1 && text[length - 1] == 'x' ? TR_LOAD_MULTIPLE
							     : TR_LOAD_SHARE;
	if (load->unit == TR_LOAD_MULTIPLE && length < sizeof(number))
		text = memcpy(number, text, length - 1);
	if (num_parse(text, load->unit == TR_LOAD_RATE ? NUM_RATE : NUM_PLAIN, &value, err) !=
	    TR_OK)
		return tr_fail_in(err, "--load");
	load->value = num_value(value);
	if (load->unit == TR_LOAD_MULTIPLE && !(load->value > 0 && load->value <= TR_LOAD_MOST))
		return tr_fail(
			err, "--load: expected above 0 and at most %g times the traffic's own load",
			TR_LOAD_MOST);
	return load->value > 0 ? TR_OK : offered_load_refuse(err);
}

enum tr_status tr_load_share(const struct tr_load *load, double own_share, double link_bps,
			     double *share, struct tr_error *err)
{
	const double of[] = {
		[TR_LOAD_SHARE] = 1, [TR_LOAD_RATE] = 1 / link_bps, [TR_LOAD_MULTIPLE] = own_share};

	*share = load->value * of[load->unit];
	if (load->unit != TR_LOAD_MULTIPLE && !(*share > 0 && *share <= TR_LOAD_MOST))
		return offered_load_refuse(err);
	return TR_OK;
}

void tool_warn_load(struct tool *tool, const char *what, double share, double link_bps,
		    const char *hint)
{
	if (share > 1)
		tool_warn(tool,
			  "%s: %.3g times what a link carries at %.4g Gb/s; a network with such "
			  "links falls behind%s",
			  what, share, link_bps / 1e9, hint);
}
