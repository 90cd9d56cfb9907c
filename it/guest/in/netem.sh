# Verified I/O while the network loses, reorders and duplicates packets, in both directions of the guest's interface.
# usage: netem.sh SECONDS
. /share/lib.sh
ini_up || exit 1
check "login" srp_login || { finish; exit 1; }
mods sch_netem
check "netem" tc qdisc add dev "$IFACE" root netem loss 1% reorder 1% 50% duplicate 1% delay 1ms
check "fio" fio_verify "$SD" "$1"
tc -s qdisc show dev "$IFACE" | sed 's/^/  /'
tc qdisc del dev "$IFACE" root
check "logout" srp_logout
finish
