# SPDX-License-Identifier: GPL-3.0-or-later
# Frames, bytes and span are those that capinfos finds, in every capture that it reads. It prints spans of
# units that are powers of two in microseconds, does not carry fractions of a second and more, gives no span where a
# frame has no stamp and a wrapped one where a stamp is past 2262, counts the metadata of ERF as frames, and takes what precedes a frame off a length of 0.
command -v capinfos >/dev/null || { echo 'skipped: capinfos is not installed' >&2; exit 77; }
compared=0
for name in $("$BUILD/tests/make-captures" list); do
	case $name in
	pcap-whole-second | pcap*-fraction-32-bits | pcapng-simple-mixed | pcapng-past | link-ppp-direction-0 | erf-extensions)
		continue ;;
	esac
	"$BUILD/tests/make-captures" make "$name" >a.pcap
	theirs=$(capinfos -T -r -m -M -c -d -u -S a.pcap 2>/dev/null) || continue
	flitcap -r a.pcap 2>&1 >/dev/null | awk -v theirs="$theirs" -v name="$name" '
		/ frames, / { frames = $2; bytes = $4 }
		/from / { span = $7 }
		END {
			split(theirs, their, ",")
			if (their[4] == "n/a")
				their[4] = ""
			off = span - their[4]
			if (frames != their[2] || bytes != their[3] || off < -1e-6 || off > 1e-6 ||
			    (span == "") != (their[4] == ""))
				print name ": " frames, bytes, span, "capinfos: " theirs
		}'
	compared=$((compared + 1))
done
[ $compared -ge 40 ] && echo 'all compared'
