# SPDX-License-Identifier: GPL-3.0-or-later
for kind in packets deliveries messages series links; do
	flitcut -T ndjson "$SRC/tests/golden/$kind.flt"
done
command -v python3 >/dev/null || exit 0
for kind in packets deliveries messages series links; do
	flitcut -T ndjson "$SRC/tests/golden/$kind.flt" |
		python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' || echo "$kind is not NDJSON"
done
