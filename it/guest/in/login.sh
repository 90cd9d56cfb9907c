# Logs in with each of these numbers of channels, compares what the disk says of itself with the configuration, then logs
# in and out again RELOGINS times. usage: login.sh RELOGINS CHANNELS...
# The disk is described by /share/unit.
. /share/lib.sh
. /share/unit
relogins=$1
shift

disk_agrees() {
  local inquiry capacity
  inquiry=$(sg_inq "$SG")
  check "vendor" contains "Vendor identification: $VENDOR" "$inquiry"
  check "product" contains "Product identification: $PRODUCT" "$inquiry"
  check "revision" contains "Product revision level: $REVISION" "$inquiry"
  check "serial number" contains "Unit serial number: $SERIAL" "$inquiry"
  check "LUN list" contains "0000000000000000" "$(sg_luns "$SG")"
  check "LUN 5 is listed" contains "0005000000000000" "$(sg_luns "$SG")"
  check "LUN 5 is a disk" test -e /sys/class/scsi_device/"$HOST":0:0:5/device/block

  capacity=$(sg_readcap -l "$SG")
  check "last block" contains "$((SIZE / BLOCK - 1)) (0x" "$capacity"
  check "block length" contains "Logical block length=$BLOCK bytes" "$capacity"
  check "physical blocks" contains "Logical blocks per physical block exponent=$EXPONENT" "$capacity"
  check "size of the disk" equals "$SIZE" "$(blockdev --getsize64 "$SD")"

  check "VPD 00" contains "[lbpv]" "$(sg_vpd -p 0x00 "$SG")"
  check "VPD 80" contains "$SERIAL" "$(sg_vpd -p 0x80 "$SG")"
  check "VPD 83" contains "0x$NAA" "$(sg_vpd -p 0x83 "$SG")"
  check "VPD b0" contains "Maximum transfer length: $((TRANSFER / BLOCK)) blocks" "$(sg_vpd -p 0xb0 "$SG")"
  check "VPD b1" contains "Non-rotating medium" "$(sg_vpd -p 0xb1 "$SG")"
  check "VPD b2" contains "Logical block provisioning" "$(sg_vpd -p 0xb2 "$SG")"
  check "TEST UNIT READY" sg_turs "$SG"
  check "write cache" equals "write back" "$(cat /sys/class/scsi_disk/"$HOST":*:0/cache_type)"
  check "SYNCHRONIZE CACHE" sg_sync "$SG"
  check "LUN reset" sg_reset -d "$SG"
  sg_turs "$SG" >/dev/null 2>&1 # takes the unit attention that tells of the reset
  check "ready after the reset" sg_turs "$SG"
}

rxe_up && mods scsi_transport_srp sd_mod sg || exit 1
for channels in "$@"; do
  ini_load ch_count="$channels"
  check "login with $channels channels" srp_login || continue
  check "number of channels" equals "$channels" "$(cat /sys/class/scsi_host/host"$HOST"/ch_count)"
  check "read" dd if="$SD" of=/dev/null bs=64k count=16 iflag=direct status=none
  disk_agrees
  check "logout" srp_logout
done
for i in $(seq "$relogins"); do
  check "login $i" srp_login || break
  check "read $i" dd if="$SD" of=/dev/null bs=64k count=4 iflag=direct status=none
  check "logout $i" srp_logout
done
check "dmesg" no_complaints
finish
