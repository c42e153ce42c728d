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
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "show" -d 'Lay one turn out: what was asked, done and said'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "explain" -d 'Explain a rule'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "rules" -d 'List the rules that are built in'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "calibrate" -d 'Measure the rules on turns that people have labelled'
complete -c deedcheck -n "__fish_deedcheck_needs_command" -f -a "replay" -d 'Answer gate cases, for other implementations to compare with'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l format -d 'What to print: a table, the sums (json) or every row (jsonl)' -r -f -a "table\t'For a person'
json\t'The aggregate, without ids'
jsonl\t'Every row, one a line'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l show -d 'List more in the table, one by one, separated by commas; contradicted claims and some of the unsupported ones are listed anyway' -r -f -a "gate\t'The gate\'s rejections and open answers'
supported\t'Claims that the record bears out'
unsupported\t'Every claim that nothing in the record bears out'
unknown\t'Claims that the record cannot decide'
all\t'All of that'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l out-private -d 'Write every row and the run\'s context into this new directory; private' -r -f -a "(__fish_complete_directories)"
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
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l fail-on -d 'What makes the run exit with 1, separated by commas' -r -f -a "never\t'Nothing'
contradicted\t'A claim that the record contradicts'
reject\t'A close that the gate rejects'
dark\t'A file that could not be judged'
unsupported\t'A claim that nothing in the record bears out'
finding\t'Something that was done to a check; there are findings with `--rules integrity` only'"
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l jobs -d 'Threads to use, 0 for one a core; the output is the same with any number' -r
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l all -d 'Your own sessions in any directory'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l demo -d 'An example run, built in; its exit code is always 0'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -l quiet -d 'Print nothing but refusals'
complete -c deedcheck -n "__fish_deedcheck_using_subcommand grade" -s h -l help -d 'Print help'
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
