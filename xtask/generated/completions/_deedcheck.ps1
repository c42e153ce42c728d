
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
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Lay one turn''s evidence out')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a rule')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules that are built in')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Put gate cases through the gate and print them with our answers filled in')
            break
        }
        'deedcheck;grade' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print')
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'List these answers one by one in the table')
            [CompletionResult]::new('--out-private', '--out-private', [CompletionResultType]::ParameterName, 'Write the private rows and their context into this new directory')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write the aggregate, which holds no ids, into this new file')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The gate''s profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The gate''s preset: default, skipper or diverger')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A policy file. Without it, `deedcheck.toml` of the working directory is read if it is there')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'What makes the run exit with 1')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Threads to use; 0 for one a core')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every session of Claude Code and Codex on this machine')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'A built-in example run')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but refusals')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'deedcheck;show' {
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
        'deedcheck;replay' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile, instead of the one that the file names')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
