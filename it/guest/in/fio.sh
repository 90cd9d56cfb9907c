# Verified random I/O. usage: fio.sh SECONDS
. /share/lib.sh
ini_up || exit 1
check "login" srp_login || { finish; exit 1; }
check "fio" fio_verify "$SD" "$1"
check "logout" srp_logout
check "dmesg" no_complaints
finish
