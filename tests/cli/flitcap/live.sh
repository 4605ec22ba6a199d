# SPDX-License-Identifier: GPL-3.0-or-later
# The loopback interface: a count ends it, and a signal right after the last packet loses none.
command -v bash >/dev/null || { echo 'skipped: bash is not installed' >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo 'skipped: no right to capture' >&2; exit 77; }
unshare -n true 2>/dev/null || { echo 'skipped: no right to make a network namespace' >&2; exit 77; }
chmod 777 . # for the user that it becomes
cat >inside <<'END'
ip link set lo up
send() { for i in $(seq $1); do echo "$i" >/dev/udp/127.0.0.1/4001; done; }
flitcap -q -i lo -c 5 -w count.flt udp dst port 4001 &
until ! kill -0 $! 2>/dev/null; do send 1; sleep 0.02; done
wait $!
echo count $?
flitcap -i lo -w signal.flt --pcap signal.pcap udp dst port 4001 2>said &
until grep -qs capturing said; do sleep 0.02; done
send 300
kill -INT $!
wait $!
echo signal $?
flitcap -q -i nothing0 -w x.flt
echo $?
END
PATH=$PATH:/usr/sbin:/sbin unshare -n bash inside
for name in count signal; do
	flitinfo --json $name.flt | sed -n 's/.*"records": \([0-9]*\).*"lost": \([0-9]*\).*"end": "\([a-z]*\)".*/\1 \2 \3/p'
done
sed -n 2p said | cut -d , -f 1
flitcap -q -r signal.pcap | flitcut -T csv -f payload,wire >file
flitcut -T csv -f payload,wire signal.flt | cmp - file && echo 'trace and capture agree'
