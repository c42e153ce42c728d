
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
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Lay one turn out: what was asked, done and said')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a rule')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules that are built in')
            [CompletionResult]::new('calibrate', 'calibrate', [CompletionResultType]::ParameterValue, 'Measure the rules on turns that people have labelled')
            [CompletionResult]::new('controls', 'controls', [CompletionResultType]::ParameterValue, 'Run the planted controls alone')
            [CompletionResult]::new('spec', 'spec', [CompletionResultType]::ParameterValue, 'Freeze checks before a run; then keys, bind, identity and grade')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Answer gate cases, for other implementations to compare with')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Compute the keys of a sealed spec''s checks from pinned sources')
            [CompletionResult]::new('bind', 'bind', [CompletionResultType]::ParameterValue, 'Record what the runs of an experiment were launched with')
            [CompletionResult]::new('identity', 'identity', [CompletionResultType]::ParameterValue, 'Record which transcript is whose answer')
            break
        }
        'deedcheck;grade' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print: a table, the sums (json) or every row (jsonl)')
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'List more in the table, one by one, separated by commas; contradicted claims and some of the unsupported ones are listed anyway')
            [CompletionResult]::new('--out-private', '--out-private', [CompletionResultType]::ParameterName, 'Write every row and the run''s context into this new directory; private')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the sums into this new file; without ids, paths or text')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'Rules and families of rules to run, separated by commas; the gate runs anyway [default: those that are on in `deedcheck rules`]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger [default: default]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file [default: ./deedcheck.toml where there is one]')
            [CompletionResult]::new('--controls', '--controls', [CompletionResultType]::ParameterName, 'Controls of your own, to run beside those that are built in: TOML files under this folder')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'What makes the run exit with 1, separated by commas')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'Grade the frozen checks of this sealed spec')
            [CompletionResult]::new('--bindings', '--bindings', [CompletionResultType]::ParameterName, 'What the runs were launched with, as `deedcheck bind` wrote it')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Whose answer stands where, as `deedcheck identity` wrote it')
            [CompletionResult]::new('--keys', '--keys', [CompletionResultType]::ParameterName, 'The keys, as `deedcheck keys` wrote them')
            [CompletionResult]::new('--judgments', '--judgments', [CompletionResultType]::ParameterName, 'What judges said, one JSON object a line')
            [CompletionResult]::new('--min-cell', '--min-cell', [CompletionResultType]::ParameterName, 'Withhold cells of the sums that count fewer than this')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Your own sessions in any directory')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'An example run, built in; its exit code is 0 unless a control landed elsewhere')
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
        'deedcheck;controls' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Controls of this family only: gate, claim, integrity, oracle or canary')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Controls of this rule or check kind only')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print')
            [CompletionResult]::new('--controls', '--controls', [CompletionResultType]::ParameterName, 'Controls of your own besides: TOML files under this folder')
            [CompletionResult]::new('--disarm', '--disarm', [CompletionResultType]::ParameterName, 'Switch a guard off, named FAMILY/GUARD or by a name that is its own: exactly its own controls must land elsewhere')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use, 0 for one a core; the output is the same with any number')
            [CompletionResult]::new('--disarm-all', '--disarm-all', [CompletionResultType]::ParameterName, 'Switch each guard off in turn')
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
        'deedcheck;replay' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile, instead of the one that the file names')
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
        'deedcheck;identity' {
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The sealed spec')
            [CompletionResult]::new('--bindings', '--bindings', [CompletionResultType]::ParameterName, 'The bindings')
            [CompletionResult]::new('--launch-records', '--launch-records', [CompletionResultType]::ParameterName, 'What was launched, one JSON object a line')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the identity table into this new file; private, so outside every work tree')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
