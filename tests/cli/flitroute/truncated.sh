# SPDX-License-Identifier: GPL-3.0-or-later
# Cut within a line, and after one.
for form in text gm yates; do
	flitroute -n triangle16 -o whole --form $form shortest:tie=lowest
	head -c $(($(stat -c %s whole) / 2)) whole >cut
	flitroute -n triangle16 cut
	echo $?
	head -n 9 whole >cut
	flitroute -n triangle16 cut
	echo $?
done
