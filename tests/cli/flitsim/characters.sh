# SPDX-License-Identifier: GPL-3.0-or-later
# A packet of George and VanLoon on both links, character by character; then a window of one link.
flitsim --fabric myrinet:preset=george -n switch:2 --explain 2 --trace-characters c.txt >out
cat c.txt
flitsim --explain 2 --trace-characters - --trace-link 'switch0.1>host1' --trace-window 80ns..180ns | sed '/^#/,$d'
# What is wrong is told.
for o in '--trace-link host0' '--trace-window 3s' '--trace-window 1s..x'; do
	flitsim --explain 2 --trace-characters c.txt $o 2>&1
	echo $?
done
flitsim --explain 2000 --trace-characters /dev/full 2>&1 >out
echo $?
