# SPDX-License-Identifier: GPL-3.0-or-later
# Each of these says what is wrong with it, and makes no output.
for words in '-i lo -r x' '-s 96 -r x' '-B 1 -r x' '-p -r x' '-G 1h' '-G 1h -w -' '-G 1.5s -w x' \
	'-G 1s --reorder 2s -w x' '--reorder -1s' '-F filter tcp' '--anonymize hex:12 -r x'; do
	# The words are meant to be split.
	# shellcheck disable=SC2086
	flitcap $words </dev/null
	echo $?
done
ls
