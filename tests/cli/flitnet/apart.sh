# SPDX-License-Identifier: GPL-3.0-or-later
# A network in parts: status 1.
flitnet - <<'T'
flitline-topology 1
hosts 4
switches 3 ports 4
cable host0 switch0.0
cable host1 switch0.1
cable host2 switch1.0
cable host3 switch1.1
end
T
