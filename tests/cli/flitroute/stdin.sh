# SPDX-License-Identifier: GPL-3.0-or-later
# Routes through a pipe, in each form, say the same.
for form in text gm yates; do
	flitroute -n triangle18 -o - --form $form | flitroute -n triangle18 - | tail -n 1
done
flitnet -o ring.net ring:4
flitroute -n - --lengths shortest:tie=lowest <ring.net
