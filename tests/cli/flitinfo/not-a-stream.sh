# SPDX-License-Identifier: GPL-3.0-or-later
# Text, and bytes that are neither.
echo 'time,size' >text
flitinfo text >out
echo $?
printf '\377\376\375\374\373\372\371\370\367\366' | flitinfo >out
echo $?
