# SPDX-License-Identifier: GPL-3.0-or-later
# A monitor of an interface: reports come while the capture goes on, also when all is silent.
command -v bash >/dev/null || { echo 'skipped: bash is not installed' >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo 'skipped: no right to capture' >&2; exit 77; }
unshare -n true 2>/dev/null || { echo 'skipped: no right to make a network namespace' >&2; exit 77; }
cat >inside <<'END'
ip link set lo up
mkfifo pipe
flitcap -q -i lo >pipe &
capture=$!
: >reports
flithurst -q --every 1s -b 1ms pipe >reports &
monitor=$!
reports() { grep -c '^# counted' reports; }
until [ "$(reports)" -ge 2 ]; do echo x >/dev/udp/127.0.0.1/4001; sleep 0.02; done
echo reports while packets come
before=$(reports)
until [ "$(reports)" -ge $((before + 2)) ]; do sleep 0.1; done
echo reports in silence
kill -INT $capture
wait $monitor
echo $?
END
PATH=$PATH:/usr/sbin:/sbin unshare -n bash inside
