# What the scripts in the guest share. The target is described by /share/target: DEST4, DEST6, PORT, GUID.
. /share/target
set -u
checks=0
failures=0

# check WHAT COMMAND...: runs the command, counts it, says so when it fails
check() {
  local what=$1
  shift
  checks=$((checks + 1))
  if ! "$@"; then
    failures=$((failures + 1))
    echo "FAILED: $what"
    return 1
  fi
}

equals() { [[ "$1" == "$2" ]] || { echo "  expected: $1"; echo "  but was:  $2"; return 1; }; }
contains() { [[ "$2" == *"$1"* ]] || { echo "  expected to contain: $1"; echo "  but was: $2"; return 1; }; }

# The script's last command.
finish() {
  echo "$checks checks, $failures failed"
  ((failures == 0 && checks > 0))
}

ini_up() { rxe_up && mods scsi_transport_srp sd_mod sg && ini_load "$@"; }

# ini_load [PARAMETER...]: (re)loads the initiator with these module parameters; from then on complaints count
ini_load() {
  dmesg -C
  if [[ -d /sys/module/ib_srp ]]; then rmmod ib_srp || return 1; fi
  modprobe ib_srp "$@"
}

# add_target LOGIN: asks the initiator to log in. It forgets a target a moment after the disks of its last login are gone,
# and refuses a second login until then.
add_target() {
  local port known
  for port in /sys/class/infiniband_srp/srp-*; do :; done
  for _ in $(seq 100); do
    known=$(dmesg | grep -c 'Already connected')
    if echo "$1" 2>/dev/null >"$port/add_target"; then return 0; fi
    if [[ $(dmesg | grep -c 'Already connected') == "$known" ]]; then return 1; fi
    sleep .1
  done
  return 1
}

login_string() {
  local dest=${1:-$DEST4}
  if [[ $dest == *:* ]]; then dest="[$dest]"; fi
  echo "id_ext=$GUID,ioc_guid=$GUID,dest=$dest:$PORT"
}

# srp_login [DEST] [OPTIONS]: logs in; sets HOST, and SD and SG to the devices of LUN 0
srp_login() {
  local dest=${1:-$DEST4} options=${2:-} before after device port
  before=$(ls /sys/class/srp_remote_ports | sort)
  add_target "$(login_string "$dest")$options" || { echo "login failed"; dmesg | tail -n 5; return 1; }
  after=$(ls /sys/class/srp_remote_ports | sort)
  port=$(comm -13 <(echo "$before") <(echo "$after") | head -n 1)
  HOST=${port#port-}
  HOST=${HOST%%:*}
  for _ in $(seq 200); do
    for device in /sys/class/scsi_device/"$HOST":*:0/device; do
      SD=/dev/$(ls "$device/block" 2>/dev/null)
      SG=/dev/$(ls "$device/scsi_generic" 2>/dev/null)
      if [[ -b $SD && -c $SG ]]; then return 0; fi
    done
    sleep .1
  done
  echo "no disk appeared on host $HOST"
  return 1
}

# srp_logout: logs out of all targets and waits until they are gone
srp_logout() {
  local port
  for port in /sys/class/srp_remote_ports/port-*; do
    if [[ -e $port ]]; then echo 1 >"$port/delete"; fi
  done
  for _ in $(seq 200); do
    if ! compgen -G '/sys/class/srp_remote_ports/port-*' >/dev/null; then return 0; fi
    sleep .1
  done
  echo "the logout did not end"
  return 1
}

# fio_verify DISK SECONDS [OPTION...]: random reads and writes of 512 B to 1 MiB at depth 32, each block written is
# read back and compared
fio_verify() {
  local disk=$1 seconds=$2
  shift 2
  fio --name=verify --filename="$disk" --direct=1 --ioengine=libaio --iodepth=32 --rw=randrw --bsrange=512-1M \
    --verify=crc32c --verify_fatal=1 --verify_backlog=64 --serialize_overlap=1 --verify_state_save=0 --size=96M --time_based \
    --runtime="$seconds" --eta=never --output-format=terse --terse-version=3 "$@" >/tmp/fio.txt 2>&1
  local code=$?
  # fields 6 and 47: KiB read and written
  awk -F';' 'NF > 50 {print "  fio: read " $6 " KiB, written " $47 " KiB"}' /tmp/fio.txt
  if ((code != 0)); then tail -n 5 /tmp/fio.txt; fi
  return $code
}

# no_complaints: the kernel has logged no warning or error, but for what a reset that was asked for is answered with, and
# what it says of its own clock and CPUs when the host of the emulator is busy
no_complaints() {
  local expected='SRP reset_device called|device reset occurred'
  local emulator='hrtimer: interrupt took|clocksource: |workqueue: .* hogged CPU|perf: interrupt took too long'
  equals "" "$(dmesg --level=emerg,alert,crit,err,warn | grep -vE "$expected|$emulator")"
}
