# SPDX-License-Identifier: GPL-3.0-or-later
# What is not an option's value is told.
for o in --net=ring --net=switch:0 --fabric=fddi --fabric=myrinet:preset=isa --fabric=myrinet:flit=3x \
	--fabric=myrinet:flit=-1ns --fabric=myrinet:sram=0 --fabric=myrinet:below-go=1.5B --fabric=myrinet:hysteresis=0 \
	--fabric=myrinet:queue=0 --empty=0 --mtu=1GB --fabric=myrinet:order=123 --size=both --level=80 --fabric=myrinet:link-rate=0 --fabric=myrinet:link-length=0m \
	--fabric=myrinet:receive-reserve=1MiB --fabric=myrinet:header=1MB --explain=0.5; do
	case $o in
	--empty* | --mtu*) set -- "$o" /dev/null ;;
	*) set -- --explain 100 "$o" ;;
	esac
	flitsim "$@" 2>&1 >/dev/null
	echo $?
done
