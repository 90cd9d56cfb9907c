# Verified I/O under one MTU with every combination of address family, immediate data and length of the descriptor list.
# usage: matrix.sh SECONDS_EACH
. /share/lib.sh
rxe_up && mods scsi_transport_srp sd_mod sg || exit 1
for dest in "$DEST4" "$DEST6"; do
  for immediate in Y N; do
    for entries in 1 12 255; do
      combination="dest=$dest use_imm_data=$immediate cmd_sg_entries=$entries"
      echo "$combination"
      check "$combination: module" ini_load use_imm_data=$immediate cmd_sg_entries=$entries
      check "$combination: login" srp_login "$dest" || continue
      check "$combination: fio" fio_verify "$SD" "$1" --size=24M
      check "$combination: logout" srp_logout
    done
  done
done
check "dmesg" no_complaints
finish
