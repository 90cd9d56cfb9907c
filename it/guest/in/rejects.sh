# Logins that must be refused, and the reason that the initiator prints. usage: rejects.sh lengths|access
# The target takes units of at most 4000 bytes (lengths), or other initiators only (access).
. /share/lib.sh
rxe_up && mods scsi_transport_srp sd_mod sg || exit 1

# refused REASON LOGIN
refused() {
  dmesg -C
  if add_target "$2" 2>/dev/null; then
    echo "  the login was taken"
    srp_logout
    return 1
  fi
  contains "$1" "$(dmesg)"
}

case $1 in
  lengths)
    ini_load
    other=$(printf %016x $((16#$GUID ^ 1)))
    check "wrong ioc_guid" refused "reason 0x00010003" "id_ext=$GUID,ioc_guid=$other,dest=$DEST4:$PORT,max_it_iu_size=4000"
    check "wrong id_ext" refused "reason 0x00010003" "id_ext=$other,ioc_guid=$GUID,dest=$DEST4:$PORT,max_it_iu_size=4000"
    check "unit length 63" refused "reason 0x00010000" "$(login_string),max_it_iu_size=63"
    check "unit length 4001" refused "requested max_it_iu_len too large" "$(login_string),max_it_iu_size=4001"
    check "unit length 4000" srp_login "$DEST4" ",max_it_iu_size=4000"
    check "logout" srp_logout
    ;;
  access)
    ini_load
    check "not allowed" refused "reason 0x00010006" "$(login_string)"
    check "not allowed over IPv6" refused "reason 0x00010006" "$(login_string "$DEST6")"
    ;;
esac
finish
