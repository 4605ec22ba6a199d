# SPDX-License-Identifier: GPL-3.0-or-later
flitgen -t 1s -w g.flt "$DATA/models/yates-rc1-4.model"
flitsim --json g.flt | python3 -c 'import json, sys; d = json.load(sys.stdin); print(sorted(d), d["classes"][0]["class"])' 2>/dev/null ||
	{ echo 'skipped: no python3' >&2; exit 77; }
