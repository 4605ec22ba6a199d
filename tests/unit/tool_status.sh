#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tool_status.sh PROBE: the statuses and messages that every program shares, seen at the smallest.
probe=$1
golden=$SRC/tests/golden/packets.flt
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cp "$golden" good.flt
head -c 500 good.flt >cut.flt
: >empty.flt
echo 'some text' >text.flt
failed=0

# expect NAME STATUS MESSAGE COMMAND...: MESSAGE is all of standard error, "" for nothing.
expect() {
	name=$1 status=$2 message=$3
	shift 3
	"$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$status" ] || { echo "$name: status $got, expected $status"; failed=1; }
	[ "$(cat err)" = "$message" ] || { echo "$name: said '$(cat err)', expected '$message'"; failed=1; }
}

expect done 0 '' "$probe" -w a.flt good.flt
expect no 1 '' "$probe" -n -w b.flt good.flt
expect 'two inputs' 2 "tool_probe: c.flt: record goes back in time from tick 1500000000 to 1000" \
	"$probe" -w c.flt good.flt good.flt
expect 'missing file' 2 'tool_probe: none.flt: No such file or directory' "$probe" -w d.flt none.flt
expect 'missing second' 2 'tool_probe: none.flt: No such file or directory' "$probe" -w d.flt good.flt none.flt
expect 'no wins nothing over failed' 2 'tool_probe: none.flt: No such file or directory' "$probe" -n -w d.flt none.flt
expect empty 2 'tool_probe: empty.flt: offset 0: empty input; expected a flitline trace stream' \
	"$probe" -w e.flt empty.flt
expect 'standard input' 2 'tool_probe: -: offset 0: empty input; expected a flitline trace stream' "$probe" -w e.flt
expect 'not a stream' 2 'tool_probe: text.flt: offset 0: not a flitline trace stream' "$probe" -w e.flt text.flt
expect cut 2 'tool_probe: cut.flt: offset 480: truncated in the stream (no clean end): 20 of 32 bytes' \
	"$probe" -w f.flt cut.flt
expect 'cut, going on' 2 'tool_probe: cut.flt: offset 480: truncated in the stream (no clean end): 20 of 32 bytes; using the 0 records before it' \
	"$probe" --keep-going -w g.flt cut.flt
expect '-q keeps what --keep-going goes on after' 2 'tool_probe: cut.flt: offset 480: truncated in the stream (no clean end): 20 of 32 bytes; using the 0 records before it' \
	"$probe" -q --keep-going -w g.flt cut.flt
expect 'its output is whole' 0 '' "$probe" -w h.flt g.flt
expect 'full disk' 2 'tool_probe: /dev/full: No space left on device' "$probe" -w /dev/full good.flt
expect 'no such folder' 2 'tool_probe: no/x.flt: No such file or directory' "$probe" -w no/x.flt good.flt
expect 'unknown option' 2 "tool_probe: unknown or ambiguous option '--nonsense' (try tool_probe --help)" "$probe" --nonsense
expect version 0 '' "$probe" --version
expect help 0 '' "$probe" --help
for page in --help --version; do
	"$probe" $page >/dev/full 2>err && { echo "$page to a full disk: status 0"; failed=1; }
	[ "$(cat err)" = 'tool_probe: standard output: No space left on device' ] ||
		{ echo "$page to a full disk: $(cat err)"; failed=1; }
done

# What a failed step leaves behind has no clean end, so that the next step fails too.
"$probe" -w i.flt f.flt 2>err && { echo 'a failed step left a whole stream'; failed=1; }
grep -q 'truncated in the stream (no clean end): 0 of 32 bytes$' err || { echo "after a failed step: $(cat err)"; failed=1; }

# A reader that goes away ends a program quietly with status 2, whether it was ever there or not.
leave_at_once() {
	{
		sleep 0.3
		"$probe" good.flt
		echo $? >status
	} | :
	return "$(cat status)"
}
leave_later() {
	{
		"$probe" -c 20000 good.flt # more than a pipe holds
		echo $? >status
	} | head -c 1 >/dev/null
	return "$(cat status)"
}
expect 'pipe closed at once' 2 '' leave_at_once
expect 'pipe closed later' 2 '' leave_later
"$probe" good.flt >full.flt 2>err || { echo "standard output: $(cat err)"; failed=1; }
cmp -s full.flt a.flt || { echo 'standard output and -w differ'; failed=1; }
exit $failed
