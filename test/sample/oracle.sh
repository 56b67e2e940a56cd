# Random programs do what the abstract machine of docs/formal.md says; and the rules of that page
# are the machine's: the same names in the same order.
set -eu
cd "$SRC"
page() {
  awk '/^## Rules/ { on = 1 }
    /^## Properties/ { on = 0 }
    on && /^\| [A-Z][A-Za-z-]* \|/ { print $2 }' docs/formal.md
}
machine() {
  for file in plain activity atomic errors tree objects; do
    sed -n 's/^RULE(\([A-Za-z_]*\)) {$/\1/p' "test/oracle/rules-$file.c"
  done | tr _ -
}
diff <(page) <(machine) || { echo "< docs/formal.md, > test/oracle/rules-*.c"; exit 1; }
[ "$(page | wc -l)" -gt 100 ]

if [ "$CC" = gcc ]; then
  WAY=1 JOBS=1 test/long/oracle.sh 100 71
else
  WAY=0 JOBS=1 test/long/oracle.sh 300 72
fi
