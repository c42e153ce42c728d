# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_deedcheck_global_optspecs
    string join \n h/help V/version
end

function __fish_deedcheck_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_deedcheck_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_deedcheck_using_subcommand
    set -l cmd (__fish_deedcheck_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c deedcheck -n "__fish_deedcheck_needs_command" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -s V -l version -d 'Print version'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "grade" -d 'Grade finished sessions of Claude Code and Codex'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "regrade" -d 'Grade a run again from what its private directory keeps'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "show" -d 'Lay one turn out: what was asked, done and said'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "explain" -d 'Explain a rule, a check kind or a command'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "rules" -d 'List the rules that are built in'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "calibrate" -d 'Measure the rules on turns that people have labelled'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "replay" -d 'Answer gate cases, for other implementations to compare with'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "schema" -d 'Print the JSON Schema of a file that is written or read'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "differential" -d 'Run another checker over the same cases, and over planted changes of them'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "controls" -d 'Run the planted controls alone'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "golden" -d 'Hold cases against the grades that you accepted for them, in CI'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "check-html" -d 'Check pages for leaks and wrong numbers'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "spec" -d 'Freeze checks before a run; then keys, bind, identity and grade'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "export" -d 'Make a folder to publish from a private directory, or check one'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "keys" -d 'Compute the keys of a sealed spec\'s checks from pinned sources'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "bind" -d 'Record what the runs of an experiment were launched with'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "capture" -d 'Run the commands that a sealed spec declares, and keep what they came to'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "identity" -d 'Record which transcript is whose answer'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l format -d 'What to print: a table, the sums (json), every row (jsonl), or a page to be published (html, markdown)' -r -f -a "table\t'For a person'
json\t'The aggregate, without ids'
jsonl\t'Every row, one a line'
html\t'A page for a browser or for printing, to be published'
markdown\t'The same, short enough for a comment on a pull request'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l show -d 'List more in the table, one by one, separated by commas; contradicted claims and some of the unsupported ones are listed anyway' -r -f -a "gate\t'The gate\'s rejections and open answers'
supported\t'Claims that the record bears out'
unsupported\t'Every claim that nothing in the record bears out'
unknown\t'Claims that the record cannot decide'
all\t'All of that'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l out-private -d 'Write every row and the run\'s context into this new directory; private, so outside every git work tree. From it `deedcheck regrade` grades again, and `deedcheck export` makes what may be published. With `--spec` both this and `--out` are needed' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l records -d 'Whose records the private directory keeps, to be graded again without the transcripts [default: all]' -r -f -a "none\t'Nobody\'s'
flagged\t'Those of families of files that something was found in'
all\t'Everybody\'s'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l out -d 'Write the sums into this new file; without ids, paths or text' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l controls -d 'Controls of your own, to run beside those that are built in: TOML files under this folder' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l fail-on -d 'What makes the run exit with 1, separated by commas [default: contradicted]. Under a policy `dark` can be asked for besides its gates' -r -f -a "never\t'Nothing'
contradicted\t'A claim that the record contradicts'
reject\t'A close that the gate rejects'
dark\t'A file that could not be judged'
unsupported\t'A claim that nothing in the record bears out'
finding\t'Something that was done to a check; there are findings with `--rules integrity` only'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l spec -d 'Grade the frozen checks of this sealed spec, one a run; of a folder: its spec.json, and where they lie there its bindings.json, identity.json, keys.json, judgments.jsonl and join.jsonl' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l bindings -d 'What the runs were launched with, as `deedcheck bind` wrote it' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l identity -d 'Whose answer stands where, as `deedcheck identity` wrote it' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l keys -d 'The keys, as `deedcheck keys` wrote them' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l judgments -d 'What judges said, one JSON object a line' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l captures -d 'What was captured around the runs: a folder that `deedcheck capture` wrote, or one with a `manifest.json` of observations; may be given once for each phase. It is only read' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l join-ledger -d 'What another program says of the use of tools, for gates of lanes: one JSON object a line' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l min-cell -d 'Withhold cells of the sums that count fewer than this' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l all -d 'Your own sessions in any directory'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l demo -d 'An example run, built in; its exit code is 0 unless a control landed elsewhere'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l quiet -d 'Print nothing but refusals'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l from -d 'The private directory of the run, as `grade --out-private` wrote it' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l judgments -d 'What judges said, in place of what was kept; for frozen checks' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l out-private -d 'Write rows, records and context into this new directory; private' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l out -d 'Write the sums into this new file; without ids, paths or text' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l format -d 'What to print, as for grade' -r -f -a "table\t'For a person'
json\t'The aggregate, without ids'
jsonl\t'Every row, one a line'
html\t'A page for a browser or for printing, to be published'
markdown\t'The same, short enough for a comment on a pull request'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l show -d 'List more in the table, as for grade' -r -f -a "gate\t'The gate\'s rejections and open answers'
supported\t'Claims that the record bears out'
unsupported\t'Every claim that nothing in the record bears out'
unknown\t'Claims that the record cannot decide'
all\t'All of that'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l fail-on -d 'What makes the run exit with 1, separated by commas' -r -f -a "never\t'Nothing'
contradicted\t'A claim that the record contradicts'
reject\t'A close that the gate rejects'
dark\t'A file that could not be judged'
unsupported\t'A claim that nothing in the record bears out'
finding\t'Something that was done to a check; there are findings with `--rules integrity` only'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l diff -d 'Print what changed, row by row'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -l quiet -d 'Print nothing but refusals'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand regrade" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand show" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand show" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand show" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand show" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand show" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand explain" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand rules" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l sessions -d 'The folder of sessions that the labels\' file names are relative to' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand calibrate" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand replay" -l profile -d 'The profile, instead of the one that the file names' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand replay" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand schema" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l against -d 'The other checker: a program and its arguments, started once and without a shell' -r -f -a "(__fish_complete_command)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l cases -d 'A file of gate cases as `replay` takes it; may be given several times [default: the planted controls that are sessions]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l profile -d 'The gate\'s profile, instead of the one that the files name' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l rule -d 'The planted controls of this rule or family only' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l seed -d 'What decides which changes are planted' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l count -d 'Planted changes of each case at most' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l timeout -d 'Seconds that the other checker has for each answer' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l answer -d 'Be the other checker: answer questions on standard input, one a line'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -l json -d 'Print one JSON object'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand differential" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l family -d 'Controls of this family only: gate, claim, integrity, oracle, canary or page' -r -f -a "gate\t''
claim\t''
integrity\t''
oracle\t''
canary\t''
page\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l rule -d 'Controls of this rule or check kind only' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l format -d 'What to print' -r -f -a "table\t'For a person'
json\t'One JSON object'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l controls -d 'Controls of your own besides: TOML files under this folder' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l disarm -d 'Switch a guard off, named FAMILY/GUARD, oracle/KIND/GUARD or by a name that is its own: exactly its own controls must land elsewhere' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -l disarm-all -d 'Switch each guard off in turn'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand controls" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and not __fish_seen_subcommand_from check accept new" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and not __fish_seen_subcommand_from check accept new" -f -a "check" -d 'Grade each case and list every row that is not as expected'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and not __fish_seen_subcommand_from check accept new" -f -a "accept" -d 'List the same, and take what came for what is expected'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and not __fish_seen_subcommand_from check accept new" -f -a "new" -d 'Make a case from a session of your own, without what tells who and where, that expects the grades of today'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l format -d 'What to print' -r -f -a "table\t'For a person'
json\t'For a program'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from accept" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l case -d 'The new folder of the case' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l turn -d 'Leave out what comes after this turn' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l shift-days -d 'Move times of day by whole days' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l rules -d 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]' -r -f -a "assertion-weakened\t''
build\t''
claim\t''
cleanup\t''
commit\t''
count\t''
create\t''
delete\t''
deploy\t''
disclosure\t''
edit\t''
error-not-mentioned\t''
expected-copied\t''
failing\t''
filelist\t''
fixed\t''
format\t''
gate\t''
hook-bypassed\t''
hooks-disabled\t''
install\t''
integrity\t''
ledger-handwritten\t''
lint\t''
merge\t''
nochange\t''
pr\t''
preexisting\t''
publish\t''
push\t''
quote\t''
reports-without-work\t''
run\t''
self-made-reference\t''
site\t''
snapshot-blessed\t''
status-masked\t''
test-deleted\t''
test-skipped\t''
tests\t''
typecheck\t''
verified\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l profile -d 'The gate\'s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l preset -d 'The gate\'s preset: default, skipper or diverger [default: default]' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -l config -d 'A policy file [default: ./deedcheck.toml where there is one]' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand golden; and __fish_seen_subcommand_from new" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand check-html" -l from -d 'The private directory of the run that the pages tell of: its rows, and the private values that no page may hold' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand check-html" -l aggregate -d 'The aggregate that the pages\' numbers are of' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand check-html" -l map -d 'Which numbers of a page stand for which cells, where the page does not say so itself' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand check-html" -l json -d 'Print the findings as JSON'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand check-html" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and not __fish_seen_subcommand_from freeze check" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and not __fish_seen_subcommand_from freeze check" -f -a "freeze" -d 'Check a spec and seal it'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and not __fish_seen_subcommand_from freeze check" -f -a "check" -d 'Make a sealed spec anew and compare the bytes'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from freeze" -l out -d 'Write the sealed spec into this new file' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from freeze" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from check" -l from -d 'The spec that it was sealed from, to be sealed again and compared' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from check" -l repo -d 'A git repository whose README vouches for the seal' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from check" -l commit -d 'The commit to read the README at: 40 hexadecimal digits' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from check" -l readme -d 'The README\'s path in the repository' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand spec; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand export" -l from -d 'The private directory of a run' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand export" -l out-dir -d 'The new folder: a manifest, the sums, a summary in Markdown and a page in HTML' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand export" -l aggregate -d 'The sums, where the private directory does not hold them' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand export" -l verify -d 'Check an exported folder, with nothing but what is in it' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand export" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -l spec -d 'The sealed spec' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -l repo -d 'The git repository that git sources are read from' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -l files -d 'The folder that file sources lie under' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -l facts -d 'A file of captured facts; once for each phase' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -l out -d 'Write the keys into this new file; private, so outside every work tree' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand keys" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand bind" -l spec -d 'The sealed spec' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand bind" -l launch -d 'The launch file, TOML or JSON: arms, trees, bases, inputs, windows, roots, sentinels' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand bind" -l out -d 'Write the bindings into this new file; private, so outside every work tree' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand bind" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l spec -d 'The sealed spec' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l bindings -d 'What the runs were launched with, as `deedcheck bind` wrote it' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l phase -d 'The phase to capture' -r -f -a "w-open\t''
pre-arm\t''
post-arm\t''
w-close\t''
post-w\t''"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l arm -d 'The arm whose tree is looked at' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l after -d 'The captures before the arm, needed after it' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l out-private -d 'Write the captures into this new directory; private, so outside every work tree' -r -f -a "(__fish_complete_directories)"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -l list -d 'Print what would run, and run nothing'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand capture" -s h -l help -d 'Print help'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -l spec -d 'The sealed spec' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -l bindings -d 'The bindings' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -l launch-records -d 'What was launched, one JSON object a line' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -l driver-ledger -d 'What the driver recorded of the runs that it started: one JSON object a line, in the order of its writing' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -l out -d 'Write the identity table into this new file; private, so outside every work tree' -r -F
complete -c deedcheck -n "__fish_deedcheck_using_subcommand identity" -s h -l help -d 'Print help'
