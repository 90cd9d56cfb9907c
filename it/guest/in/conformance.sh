# libiscsi's test suite over SG_IO, one process a test, over two paths to the disk.
# usage: conformance.sh SUITE REGEX SECONDS: the suite's program, the tests, and how long one of them may take
# Writes /share/conformance.tsv: test, result (pass, fail, skip, timeout or error), seconds, first reason; and the suite's
# output to /share/conformance/.
. /share/lib.sh
suite=$1 only=$2 limit=$3
# the suite reads and writes up to 2 MiB at once
wide=",max_sect=4096"

# ready DISK: takes the unit attentions that a test has left behind
ready() {
  local i
  for i in 1 2 3 4 5 6; do
    if sg_turs "$1" >/dev/null 2>&1; then return 0; fi
  done
  echo "the disk is not ready"
  return 1
}

# verdict STATUS FILE: what became of a test
verdict() {
  if (($1 == 124 || $1 == 137)); then echo timeout
  elif grep -q 'FAILED' "$2"; then echo fail
  elif ! grep -qE 'asserts +[0-9]+ +[0-9]+ +[0-9]+ +0 ' "$2"; then echo error
  elif grep -q '\[SKIPPED\]' "$2"; then echo skip
  else echo pass
  fi
}

# reason RESULT FILE: the first line that tells why
reason() {
  case $1 in
    pass) ;;
    skip) grep -m 1 -o '\[SKIPPED\].*' "$2" ;;
    *) grep -m 1 -E '\[FAILED\]|^ +1\. ' "$2" || tail -n 1 "$2" ;;
  esac | tr '\t' ' ' | cut -c 1-150
}

ini_up || exit 1
check "login" srp_login "$DEST4" "$wide,initiator_ext=0000000000000001" || { finish; exit 1; }
first=$SD
check "second path" srp_login "$DEST4" "$wide,initiator_ext=0000000000000002" || { finish; exit 1; }
mkdir -p /share/conformance
: >/share/conformance.tsv
"$suite" -l | grep -E '^ALL\.[^.]+\..' | grep -v '^ALL\.iSCSI' | sed 's/^ALL\.//' | grep -E "$only" >/tmp/tests
while read -r test; do
  log=/share/conformance/$test
  for disk in "$first" "$SD"; do
    check "ready before $test" ready "$disk"
  done
  begin=$EPOCHREALTIME
  code=0
  timeout -k 5 "$limit" "$suite" -d -S -V -t "ALL.$test" "$first" "$SD" >/tmp/log 2>&1 </dev/null || code=$?
  took=$((${EPOCHREALTIME/./} - ${begin/./}))
  # before this line are the suite's own greetings
  sed -n '/^Suite:/,$p' /tmp/log >/tmp/body
  cp /tmp/log "$log"
  result=$(verdict "$code" /tmp/body)
  printf '%s\t%s\t%d.%d\t%s\n' "$test" "$result" $((took / 1000000)) $((took / 100000 % 10)) \
    "$(reason "$result" /tmp/body)" >>/share/conformance.tsv
  check "running after $test" equals running "$(cat "/sys/block/${first#/dev/}/device/state")"
done </tmp/tests
check "logout" srp_logout
echo "conformance: $(cut -f 2 /share/conformance.tsv | sort | uniq -c | awk '{printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2}')"
finish
