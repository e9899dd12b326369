#!/bin/sh
# Fails a build unless DOMAIN is proved. Settings: DOMAIN, and TOKEN or RECEIPT.
#   TOKEN    the value of the record: is it in DNS now?
#   RECEIPT  file or address of the receipt of a proof: is it good, for this domain, signed by KEY, and recent?
#   KEY      the thumbprint of the installation's key, which you noted when you set this up
#   DAYS     how old a proof may be (default 180)
set -eu
: "${DOMAIN:?is not set}"

# GitHub shows this line as an annotation, which a newline would end.
fail() {
  printf '::error title=%s::%s\n' "$DOMAIN" "$(printf '%s' "$1" | tr '\r\n' '  ')"
  exit 1
}
# Prints a member of a JSON file, or nothing if it is null.
member() { node -p 'process.argv[2].split(".").reduce((value, key) => value?.[key], JSON.parse(fs.readFileSync(process.argv[1]))) ?? ""' "$1" "$2"; }

report=$(mktemp)
trap 'rm -f "$report" "$report.receipt"' EXIT

if [ -n "${TOKEN:-}" ]; then
  code=0
  deed check "$DOMAIN" --token "$TOKEN" --json >"$report" || code=$?
  case $code in
    0) echo "$DOMAIN: the record is there." ;;
    1)
      [ -z "$(member "$report" diagnosis.code)" ] && fail "Not yet: DNS still needs $(member "$report" wait.secondsRemaining) s."
      fail "$(member "$report" diagnosis.code): $(member "$report" diagnosis.cause) $(member "$report" diagnosis.fix)"
      ;;
    3) fail "DNS could not be checked from this machine. $(member "$report" failure)" ;;
    *) exit "$code" ;;
  esac
fi

if [ -n "${RECEIPT:-}" ]; then
  case $RECEIPT in
    http*) curl --fail --silent --show-error --max-time 20 --output "$report.receipt" "$RECEIPT" ;;
    *) cp "$RECEIPT" "$report.receipt" ;;
  esac
  deed verify "$report.receipt" --key "${KEY:?is not set}" --json >"$report" || fail "The receipt is $(member "$report" verdict)."
  # A receipt for another domain, or an old one, can be good too.
  [ "$(member "$report" statement.sub)" = "$DOMAIN" ] || fail "The receipt is for $(member "$report" statement.sub)."
  at=$(member "$report" statement.provedAt)
  [ "$(node -p 'Math.floor((Date.now() - Date.parse(process.argv[1])) / 86_400_000)' "$at")" -lt "${DAYS:-180}" ] ||
    fail "The proof is from $at. Prove the domain again."
  echo "$DOMAIN: proved at $at."
fi

[ -n "${TOKEN:-}${RECEIPT:-}" ] || fail "Set TOKEN or RECEIPT."
