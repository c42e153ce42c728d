
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'deedcheck' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'deedcheck'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'deedcheck' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('grade', 'grade', [CompletionResultType]::ParameterValue, 'Grade finished sessions of Claude Code and Codex')
            [CompletionResult]::new('regrade', 'regrade', [CompletionResultType]::ParameterValue, 'Grade a run again from what its private directory keeps')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Lay one turn out: what was asked, done and said')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a rule, a check kind or a command')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules that are built in')
            [CompletionResult]::new('calibrate', 'calibrate', [CompletionResultType]::ParameterValue, 'Measure the rules on turns that people have labelled')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Answer gate cases, for other implementations to compare with')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of a file that is written or read')
            [CompletionResult]::new('differential', 'differential', [CompletionResultType]::ParameterValue, 'Run another checker over the same cases, and over planted changes of them')
            [CompletionResult]::new('controls', 'controls', [CompletionResultType]::ParameterValue, 'Run the planted controls alone')
            [CompletionResult]::new('golden', 'golden', [CompletionResultType]::ParameterValue, 'Hold cases against the grades that you accepted for them, in CI')
            [CompletionResult]::new('check-html', 'check-html', [CompletionResultType]::ParameterValue, 'Check pages for leaks and wrong numbers')
            [CompletionResult]::new('spec', 'spec', [CompletionResultType]::ParameterValue, 'Freeze checks before a run; then keys, bind, identity and grade')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Make a folder to publish from a private directory, or check one')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Compute the keys of a sealed spec''s checks from pinned sources')
            [CompletionResult]::new('bind', 'bind', [CompletionResultType]::ParameterValue, 'Record what the runs of an experiment were launched with')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Run the commands that a sealed spec declares, and keep what they came to')
            [CompletionResult]::new('identity', 'identity', [CompletionResultType]::ParameterValue, 'Record which transcript is whose answer')
            break
        }
        'deedcheck;grade' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print: a table, the sums (json), every row (jsonl), or a page to be published (html, markdown)')
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'List more in the table, one by one, separated by commas; contradicted claims and some of the unsupported ones are listed anyway')
            [CompletionResult]::new('--out-private', '--out-private', [CompletionResultType]::ParameterName, 'Write every row and the run''s context into this new directory; private, so outside every git work tree. From it `deedcheck regrade` grades again, and `deedcheck export` makes what may be published. With `--spec` both this and `--out` are needed')
            [CompletionResult]::new('--records', '--records', [CompletionResultType]::ParameterName, 'Whose records the private directory keeps, to be graded again without the transcripts [default: all]')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the sums into this new file; without ids, paths or text')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--controls', '--controls', [CompletionResultType]::ParameterName, 'Controls of your own, to run beside those that are built in: TOML files under this folder')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'What makes the run exit with 1, separated by commas [default: contradicted]. Under a policy `dark` can be asked for besides its gates')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'Grade the frozen checks of this sealed spec, one a run; of a folder: its spec.json, and where they lie there its bindings.json, identity.json, keys.json, judgments.jsonl and join.jsonl')
            [CompletionResult]::new('--bindings', '--bindings', [CompletionResultType]::ParameterName, 'What the runs were launched with, as `deedcheck bind` wrote it')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Whose answer stands where, as `deedcheck identity` wrote it')
            [CompletionResult]::new('--keys', '--keys', [CompletionResultType]::ParameterName, 'The keys, as `deedcheck keys` wrote them')
            [CompletionResult]::new('--judgments', '--judgments', [CompletionResultType]::ParameterName, 'What judges said, one JSON object a line')
            [CompletionResult]::new('--captures', '--captures', [CompletionResultType]::ParameterName, 'What was captured around the runs: a folder that `deedcheck capture` wrote, or one with a `manifest.json` of observations; may be given once for each phase. It is only read')
            [CompletionResult]::new('--join-ledger', '--join-ledger', [CompletionResultType]::ParameterName, 'What another program says of the use of tools, for gates of lanes: one JSON object a line')
            [CompletionResult]::new('--min-cell', '--min-cell', [CompletionResultType]::ParameterName, 'Withhold cells of the sums that count fewer than this')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Your own sessions in any directory')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'An example run, built in; its exit code is 0 unless a control landed elsewhere')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but refusals')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;regrade' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The private directory of the run, as `grade --out-private` wrote it')
            [CompletionResult]::new('--judgments', '--judgments', [CompletionResultType]::ParameterName, 'What judges said, in place of what was kept; for frozen checks')
            [CompletionResult]::new('--out-private', '--out-private', [CompletionResultType]::ParameterName, 'Write rows, records and context into this new directory; private')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the sums into this new file; without ids, paths or text')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print, as for grade')
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'List more in the table, as for grade')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'What makes the run exit with 1, separated by commas')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print what changed, row by row')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but refusals')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;show' {
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;explain' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;rules' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;calibrate' {
            [CompletionResult]::new('--sessions', '--sessions', [CompletionResultType]::ParameterName, 'The folder of sessions that the labels'' file names are relative to')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;replay' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile, instead of the one that the file names')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;schema' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;differential' {
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The other checker: a program and its arguments, started once and without a shell')
            [CompletionResult]::new('--cases', '--cases', [CompletionResultType]::ParameterName, 'A file of gate cases as `replay` takes it; may be given several times [default: the planted controls that are sessions]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile, instead of the one that the files name')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'The planted controls of this rule or family only')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'What decides which changes are planted')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Planted changes of each case at most')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Seconds that the other checker has for each answer')
            [CompletionResult]::new('--answer', '--answer', [CompletionResultType]::ParameterName, 'Be the other checker: answer questions on standard input, one a line')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;controls' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Controls of this family only: gate, claim, integrity, oracle, canary or page')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Controls of this rule or check kind only')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print')
            [CompletionResult]::new('--controls', '--controls', [CompletionResultType]::ParameterName, 'Controls of your own besides: TOML files under this folder')
            [CompletionResult]::new('--disarm', '--disarm', [CompletionResultType]::ParameterName, 'Switch a guard off, named FAMILY/GUARD, oracle/KIND/GUARD or by a name that is its own: exactly its own controls must land elsewhere')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('--disarm-all', '--disarm-all', [CompletionResultType]::ParameterName, 'Switch each guard off in turn')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;golden' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Grade each case and list every row that is not as expected')
            [CompletionResult]::new('accept', 'accept', [CompletionResultType]::ParameterValue, 'List the same, and take what came for what is expected')
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Make a case from a session of your own, without what tells who and where, that expects the grades of today')
            break
        }
        'deedcheck;golden;check' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;golden;accept' {
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;golden;new' {
            [CompletionResult]::new('--case', '--case', [CompletionResultType]::ParameterName, 'The new folder of the case')
            [CompletionResult]::new('--turn', '--turn', [CompletionResultType]::ParameterName, 'Leave out what comes after this turn')
            [CompletionResult]::new('--shift-days', '--shift-days', [CompletionResultType]::ParameterName, 'Move times of day by whole days')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;check-html' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The private directory of the run that the pages tell of: its rows, and the private values that no page may hold')
            [CompletionResult]::new('--aggregate', '--aggregate', [CompletionResultType]::ParameterName, 'The aggregate that the pages'' numbers are of')
            [CompletionResult]::new('--map', '--map', [CompletionResultType]::ParameterName, 'Which numbers of a page stand for which cells, where the page does not say so itself')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the findings as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;spec' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('freeze', 'freeze', [CompletionResultType]::ParameterValue, 'Check a spec and seal it')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Make a sealed spec anew and compare the bytes')
            break
        }
        'deedcheck;spec;freeze' {
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the sealed spec into this new file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;spec;check' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The spec that it was sealed from, to be sealed again and compared')
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'A git repository whose README vouches for the seal')
            [CompletionResult]::new('--commit', '--commit', [CompletionResultType]::ParameterName, 'The commit to read the README at: 40 hexadecimal digits')
            [CompletionResult]::new('--readme', '--readme', [CompletionResultType]::ParameterName, 'The README''s path in the repository')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;export' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The private directory of a run')
            [CompletionResult]::new('--out-dir', '--out-dir', [CompletionResultType]::ParameterName, 'The new folder: a manifest, the sums, a summary in Markdown and a page in HTML')
            [CompletionResult]::new('--aggregate', '--aggregate', [CompletionResultType]::ParameterName, 'The sums, where the private directory does not hold them')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Check an exported folder, with nothing but what is in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;keys' {
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The sealed spec')
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The git repository that git sources are read from')
            [CompletionResult]::new('--files', '--files', [CompletionResultType]::ParameterName, 'The folder that file sources lie under')
            [CompletionResult]::new('--facts', '--facts', [CompletionResultType]::ParameterName, 'A file of captured facts; once for each phase')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the keys into this new file; private, so outside every work tree')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;bind' {
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The sealed spec')
            [CompletionResult]::new('--launch', '--launch', [CompletionResultType]::ParameterName, 'The launch file, TOML or JSON: arms, trees, bases, inputs, windows, roots, sentinels')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the bindings into this new file; private, so outside every work tree')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;capture' {
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The sealed spec')
            [CompletionResult]::new('--bindings', '--bindings', [CompletionResultType]::ParameterName, 'What the runs were launched with, as `deedcheck bind` wrote it')
            [CompletionResult]::new('--phase', '--phase', [CompletionResultType]::ParameterName, 'The phase to capture')
            [CompletionResult]::new('--arm', '--arm', [CompletionResultType]::ParameterName, 'The arm whose tree is looked at')
            [CompletionResult]::new('--after', '--after', [CompletionResultType]::ParameterName, 'The captures before the arm, needed after it')
            [CompletionResult]::new('--out-private', '--out-private', [CompletionResultType]::ParameterName, 'Write the captures into this new directory; private, so outside every work tree')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Print what would run, and run nothing')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'deedcheck;identity' {
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The sealed spec')
            [CompletionResult]::new('--bindings', '--bindings', [CompletionResultType]::ParameterName, 'The bindings')
            [CompletionResult]::new('--launch-records', '--launch-records', [CompletionResultType]::ParameterName, 'What was launched, one JSON object a line')
            [CompletionResult]::new('--driver-ledger', '--driver-ledger', [CompletionResultType]::ParameterName, 'What the driver recorded of the runs that it started: one JSON object a line, in the order of its writing')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the identity table into this new file; private, so outside every work tree')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
