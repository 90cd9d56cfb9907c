# Tests of the SCSI device server with programs that others wrote; run-tests sources this file.
all+=()

# The suite takes a quarter of an hour in an emulated guest; these of its tests say most in a few minutes.
conformance_selection='^(CompareAndWrite\.(Unwritten|DpoFua|InvalidDataOutSize)|GetLBAStatus|Inquiry|Mandatory|ModeSense6|OrWrite\.(BeyondEol|DpoFua|ZeroBlocks)'
conformance_selection+='|Prefetch1[06]\.(ZeroBlocks|Flags)|Prin|Prout(Register|Clear|Preempt)|Read(6|1[026])\.(ZeroBlocks|DpoFua|ReadProtect)'
conformance_selection+='|ReadCapacity|ReportSupportedOpcodes|ReportTargetPortGroups|TestUnitReady|Unmap\.(Simple|ZeroBlocks)'
conformance_selection+='|Verify1[026]\.(ZeroBlocks|Flags|Dpo|VerifyProtect)|WriteSame1[06]\.(Simple|ZeroBlocks|InvalidDataOutSize|UnmapUnaligned))'

# A unit whose file the guest has too, as /share/disk.img. shared_unit SIZE [SETTING]
shared_unit() {
  mkdir -p "$work/share"
  rm -f "$work"/share/disk.img*
  echo "logical-units = [ { lun = 0, type = file, path = \"$work/share/disk.img\", size = \"$1\" ${2:-} } ]"
}

# JSRPT_SUITE: the suite's program, instead of Debian's; JSRPT_CONFORMANCE: a regular expression of tests
test_conformance() {
  local only=${JSRPT_CONFORMANCE:-$conformance_selection} suite=${JSRPT_SUITE:-/usr/bin/iscsi-test-cu}
  if ((full)); then only=.; fi
  if [[ ! -x $suite ]]; then
    echo "skipped: there is no $suite (Debian: apt install libiscsi-bin)"
    return 77
  fi
  target_start conformance "$(shared_unit '8 GiB')" || return 1
  guest_options=(--timeout 3000)
  in_guest conformance "$suite" "$only" 120 || return 1
  if [[ -n ${JSRPT_KEEP_CONFORMANCE:-} ]]; then cp "$work/share/conformance.tsv" "$JSRPT_KEEP_CONFORMANCE"; fi
  conformance_agrees "$work/share/conformance.tsv" "$root/docs/conformance.md"
}

# conformance_agrees RESULTS PAGE: each test passed, but for those that the page lists, with the result that it lists
conformance_agrees() {
  awk -F '\t' -v page="$2" '
    BEGIN {
      while ((getline line < page) > 0) {
        if (split(line, cell, / *\| */) >= 4 && cell[2] ~ /^[A-Za-z0-9]+\.[A-Za-z0-9]+$/) listed[cell[2]] = cell[3]
      }
    }
    {
      expected = $1 in listed ? listed[$1] : "pass"
      if ($2 != expected) {
        print "  " $1 ": " $2 " instead of " expected "  " $4
        wrong++
      }
    }
    END {
      print NR " tests of the suite, " wrong + 0 " not as expected"
      exit NR == 0 || wrong > 0
    }' "$1"
}

test_tools() {
  target_start tools "$(shared_unit '128 MiB' "vendor = GUEST, product = test-disk, revision = \"7.1\", serial = \"G-0001\", naa = \"$naa\"")" ||
    return 1
  guest_options=(--timeout 240)
  in_guest tools
}

test_thin() {
  target_start thin "$(shared_unit '256 MiB')" || return 1
  guest_options=(--timeout 240)
  in_guest thin
}

test_grow() {
  target_start grow "$(shared_unit '128 MiB')" || return 1
  guest_options=(--timeout 240)
  in_guest grow $((128 * mib)) $((192 * mib))
}

# The guest asks for the target's death with /share/at-kill, and is told of the target's return with /share/seen-kill
test_reservations() {
  local guest code=0
  target_start reservations "$(shared_unit '16 MiB')" || return 1
  rm -f "$work"/share/at-kill "$work"/share/seen-kill
  guest_options=(--timeout 400)
  in_guest reservations &
  guest=$!
  while kill -0 "$guest" 2>/dev/null && [[ ! -e $work/share/at-kill ]]; do sleep .2; done
  if [[ -e $work/share/at-kill ]]; then
    kill -9 "$target"
    wait "$target" 2>/dev/null
    target_start reservations "logical-units = [ { lun = 0, type = file, path = \"$work/share/disk.img\" } ]" || code=1
    touch "$work/share/seen-kill"
  fi
  wait "$guest" || code=1
  return $code
}
