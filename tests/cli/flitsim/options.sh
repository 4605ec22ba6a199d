# SPDX-License-Identifier: GPL-3.0-or-later
# What is not an option's value is told.
for o in --net=ring --net=switch:0 --adapter=isa --flit=3x --flit=-1ns --sram=0 --below-go=1.5B --hysteresis=0 \
	--queue=0 --empty=0 --mtu=1GB --order=123 --size=both --level=80 --link-rate=0 --link-length=0m \
	--receive-reserve=1MiB --header=1MB --explain=0.5; do
	case $o in
	--empty* | --mtu*) set -- "$o" /dev/null ;;
	*) set -- --explain 100 "$o" ;;
	esac
	flitsim "$@" 2>&1 >/dev/null
	echo $?
done
