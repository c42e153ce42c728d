//! The one table of programs and runners: what each call does, on what, and which verification it runs.
//!
//! A row holds program names, a pattern over the arguments, and the answer; the first row that fits counts.
//! A pattern is a list of terms that must all hold: `word` or `a|b` is the next operand, `*` any further
//! operand, `.` no further operand, `-x|--long` one of these options, `~x` the letter in a group of short
//! options, and `!` in front forbids options. Options in [`VALUED`] take the next word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::wrapper::any;
use super::{Domain, Effect, Verify};

/// One row.
#[derive(Debug)]
pub struct Rule {
    /// Program names, `|` between alternatives.
    pub program: &'static str,
    /// The pattern.
    pub args: &'static str,
    /// The answer.
    pub act: Act,
}

/// The answer of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A fixed effect, domain and verification.
    Is(Effect, Option<Domain>, Option<Verify>),
    /// The remaining operands name tasks of the project, read by their names; without one it is a build.
    Task,
    /// The same, where no operand is a listing.
    Script,
}

use Domain::{Environment, Remote, Scratch, Workspace};
use Effect::{Mutate, Read, Unknown};
use Verify::{Build, Format, Lint, Run, Test, Typecheck};

const fn is(program: &'static str, args: &'static str, effect: Effect, domain: Domain) -> Rule {
    let act = Act::Is(effect, Some(domain), None);
    Rule { program, args, act }
}

const fn runs(program: &'static str, args: &'static str, verify: Verify) -> Rule {
    let act = Act::Is(Read, Some(Workspace), Some(verify));
    Rule { program, args, act }
}

const fn none(program: &'static str, args: &'static str) -> Rule {
    let act = Act::Is(Effect::None, None, None);
    Rule { program, args, act }
}

const fn unknown(program: &'static str, args: &'static str) -> Rule {
    let act = Act::Is(Unknown, None, None);
    Rule { program, args, act }
}

const fn act(program: &'static str, args: &'static str, act: Act) -> Rule {
    Rule { program, args, act }
}

/// The rows.
pub const RULES: &[Rule] = &[
    // The shell and plain tools.
    none(
        "echo|printf|true|:|sleep|pwd|yes|clear|tput|seq|expr|basename|dirname|print|banner|reset|tty|stty",
        "",
    ),
    none(
        "false|cd|pushd|popd|chdir|dirs|exit|return|break|continue|export|unset|set|setopt|unsetopt|shopt|local|declare|typeset|readonly|let|shift|read|readarray|mapfile|wait|trap|alias|unalias|umask|ulimit|hash|bind|complete|jobs|bg|fg|disown|getopts|((|history|nvm|fnm|autoload|compinit|times|logout|times|eval",
        "",
    ),
    is("[|[[|test", "", Read, Workspace),
    is(
        "cat|bat|batcat|head|tail|less|more|wc|nl|tac|rev|od|xxd|hexdump|hexyl|strings|cut|paste|uniq|column|fold|expand|unexpand|tr|comm|join|diff|colordiff|sdiff|cmp|md5|md5sum|sha1sum|sha256sum|sha512sum|shasum|cksum|b2sum|sum|base64|base32|jless|glow|mdcat|zcat|bzcat|xzcat|zgrep|zless|iconv|fmt|pr|tsort|factor|bc|dc|shuf|delta|pygmentize|numfmt|mediainfo|exiftool|identify|pdftotext|pdfinfo|ffprobe|objdump|nm|readelf|otool|ldd|size|lsd|exa|eza|cloc|tokei|scc|gron|look|pv|ts|ansi2txt|strip-ansi",
        "",
        Read,
        Workspace,
    ),
    is(
        "ls|ll|la|dir|tree|stat|file|du|readlink|realpath|grep|egrep|fgrep|rg|ripgrep|ag|ack|ast-grep|sg|fzf|locate|mdfind",
        "",
        Read,
        Workspace,
    ),
    is(
        "jq|xq|dasel|htmlq|xmllint|csvlook|csvcut|csvstat|mlr|xsv|qsv|pup",
        "",
        Read,
        Workspace,
    ),
    is("yq", "-i|--inplace|~i", Mutate, Workspace),
    is("yq", "", Read, Workspace),
    is("sort", "-o|--output|~o", Mutate, Workspace),
    is("sort|gsort", "", Read, Workspace),
    is("sed|gsed", "-i|--in-place|~i", Mutate, Workspace),
    is("sed|gsed|awk|gawk|mawk|nawk", "", Read, Workspace),
    is(
        "find|gfind",
        "-delete|-fprint|-fls|-fprintf",
        Mutate,
        Workspace,
    ),
    is("find|gfind|fd|fdfind", "", Read, Workspace),
    is(
        "tee|sponge|split|csplit|truncate|touch|mkdir|rmdir|rm|unlink|shred|trash|trash-put|cp|gcp|mv|gmv|ln|install|chmod|chown|chgrp|dd|patch|ditto|rename|mkfifo|dos2unix|unix2dos|gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|setfacl|xattr|ed|ex|apply_patch|applypatch",
        "",
        Mutate,
        Workspace,
    ),
    is("mktemp", "", Mutate, Scratch),
    is(
        "tar|gtar|bsdtar",
        "~t|--list|t|tf|tvf|tzf|tvzf|tjf",
        Read,
        Workspace,
    ),
    is("tar|gtar|bsdtar|unar|cpio", "", Mutate, Workspace),
    is("unzip", "~l|~v|~Z|~p|~t", Read, Workspace),
    is("zipinfo", "", Read, Workspace),
    is("7z|7za", "l|t", Read, Workspace),
    is("zip|unzip|7z|7za|unrar", "", Mutate, Workspace),
    is("rsync", "-n|--dry-run|~n", Read, Workspace),
    is("rsync|scp", "", Mutate, Workspace),
    is("sftp|ftp|rclone|telnet|nc|ncat|socat", "", Unknown, Remote),
    is(
        "convert|magick|ffmpeg|pandoc|wkhtmltopdf|sips",
        "",
        Mutate,
        Workspace,
    ),
    is(
        "vi|vim|nvim|nano|emacs|code|subl|open|xdg-open",
        "",
        Unknown,
        Workspace,
    ),
    // The machine.
    is(
        "ps|pgrep|top|htop|free|df|uptime|uname|hostname|whoami|id|groups|who|w|last|date|cal|env|printenv|which|whereis|where|type|command|arch|nproc|lscpu|lsblk|lsof|netstat|ss|ip|ifconfig|sw_vers|sysctl|vmstat|iostat|dmesg|journalctl|getconf|locale|getent|man|info|whatis|apropos|help|tldr|nvidia-smi|system_profiler|pstree|pidof|lsmod|mount|findmnt|compgen|xcode-select|dpkg-query",
        "",
        Read,
        Environment,
    ),
    is(
        "kill|pkill|killall|fuser|renice|systemctl|service|launchctl|crontab|useradd|usermod|userdel|passwd|umount|swapon|reboot|shutdown|update-alternatives|defaults|osascript-write",
        "!-l|--list",
        Mutate,
        Environment,
    ),
    is("kill|fuser|crontab", "-l", Read, Environment),
    is("service", "* status", Read, Environment),
    is("defaults", "read", Read, Environment),
    is(
        "tmux|screen",
        "ls|list-sessions|capture-pane|list-windows|list-panes|show-buffer",
        Read,
        Environment,
    ),
    is(
        "tmux|screen",
        "kill-session|kill-server",
        Mutate,
        Environment,
    ),
    is("tmux|screen", "", Unknown, Environment),
    is(
        "brew|apt|apt-get|apt-cache|aptitude|yum|dnf|pacman|apk|port|snap|flatpak|choco|scoop|winget|zypper|nix-env",
        "list|search|info|show|policy|outdated|deps|home|config|doctor|leaves|uses|--prefix|madison",
        Read,
        Environment,
    ),
    is("brew", "--prefix|--cellar|--repository", Read, Environment),
    is("pacman", "~Q|-Ss|-Si", Read, Environment),
    is(
        "brew|apt|apt-get|apt-cache|aptitude|yum|dnf|pacman|apk|port|snap|flatpak|choco|scoop|winget|zypper|nix-env|dpkg-reconfigure",
        "",
        Mutate,
        Environment,
    ),
    is("dpkg", "-l|-L|-s|-S|--list|--status|~l", Read, Environment),
    is("dpkg|rpm", "-i|~i|-r|-U|-e|--install", Mutate, Environment),
    is("dpkg|rpm", "", Read, Environment),
    // Networks and other machines.
    is(
        "curl",
        "-X|--request|~X PUT|POST|DELETE|PATCH",
        Mutate,
        Remote,
    ),
    is("wget", "--spider|-O-|-qO-|-O=-|~S", Read, Remote),
    is(
        "http|https|xh",
        "post|put|delete|patch|POST|PUT|DELETE|PATCH",
        Mutate,
        Remote,
    ),
    is("curl|http|https|xh|curlie", "", Read, Remote),
    is("wget|aria2c|yt-dlp", "", Mutate, Workspace),
    is(
        "ping|dig|nslookup|host|traceroute|whois|nmap|mtr",
        "",
        Read,
        Remote,
    ),
    is(
        "ssh|mosh|psql|mysql|mariadb|mongosh|mongo|redis-cli|sqlcmd|clickhouse-client|cqlsh|bq|snowsql|wscat|websocat|grpcurl",
        "",
        Unknown,
        Remote,
    ),
    is("ssh-keygen", "~l", Read, Environment),
    is(
        "ssh-keygen|ssh-add|ssh-copy-id|gpg",
        "",
        Unknown,
        Environment,
    ),
    is("pg_isready", "", Read, Remote),
    is(
        "gh|glab",
        "pr|issue|repo|release|run|workflow|label|gist|secret|variable|mr|ci|project|cache|ruleset|pipeline|org view|list|status|checks|diff|download|watch|trace",
        Read,
        Remote,
    ),
    is("gh|glab", "pr|mr checkout|co", Mutate, Workspace),
    is("gh|glab", "repo clone", Mutate, Workspace),
    is(
        "gh|glab",
        "pr|issue|repo|release|run|workflow|label|gist|secret|variable|mr|ci|project|cache|ruleset|pipeline create|edit|close|reopen|merge|comment|review|ready|delete|rerun|cancel|enable|disable|run|upload|set|sync|fork|archive|rename|transfer|lock|unlock|pin|note|update|update-branch|revert",
        Mutate,
        Remote,
    ),
    is("gh|glab", "api -X|--method|~X GET", Read, Remote),
    is(
        "gh|glab",
        "api -X|--method|-f|-F|--field|--raw-field|--input|~X",
        Mutate,
        Remote,
    ),
    is("gh|glab", "api|search|status|browse", Read, Remote),
    is("gh|glab", "auth status|token", Read, Environment),
    is(
        "gh|glab",
        "auth|config|extension|alias|ssh-key|gpg-key",
        Mutate,
        Environment,
    ),
    is("gh|glab", ".", Read, Environment),
    is("gh|glab", "", Unknown, Remote),
    is(
        "kubectl|oc|k",
        "get|describe|logs|top|explain|version|cluster-info|api-resources|api-versions|diff|events|auth|wait",
        Read,
        Remote,
    ),
    is(
        "kubectl|oc|k",
        "config view|get-contexts|current-context|get-clusters",
        Read,
        Environment,
    ),
    is("kubectl|oc|k", "config", Mutate, Environment),
    is("kubectl|oc|k", "rollout status|history", Read, Remote),
    is(
        "kubectl|oc|k",
        "apply|create|delete|edit|patch|replace|scale|rollout|set|label|annotate|expose|run|drain|cordon|uncordon|taint|autoscale|cp",
        Mutate,
        Remote,
    ),
    is("kubectl|oc|k", "", Unknown, Remote),
    is(
        "helm",
        "list|ls|status|get|history|show|search|version|env|repo",
        Read,
        Remote,
    ),
    runs("helm", "lint", Lint),
    is("helm", "template", Read, Workspace),
    is(
        "helm",
        "install|upgrade|uninstall|delete|rollback|push",
        Mutate,
        Remote,
    ),
    is("helm", "", Unknown, Remote),
    runs("terraform|tofu", "fmt -check", Format),
    is("terraform|tofu", "fmt", Mutate, Workspace),
    runs("terraform|tofu", "validate", Lint),
    is(
        "terraform|tofu",
        "plan|show|output|providers|version|graph|console",
        Read,
        Remote,
    ),
    is("terraform|tofu", "state list|show|pull", Read, Remote),
    is("terraform|tofu", "workspace list|show", Read, Remote),
    is("terraform|tofu", "init", Mutate, Scratch),
    is(
        "terraform|tofu",
        "apply|destroy|import|state|taint|untaint|refresh|workspace",
        Mutate,
        Remote,
    ),
    is(
        "pulumi|cdk|sam|serverless|sls",
        "preview|diff|ls|list|synth|stack|config",
        Read,
        Remote,
    ),
    is(
        "pulumi|cdk|sam|serverless|sls",
        "up|deploy|destroy|refresh|remove",
        Mutate,
        Remote,
    ),
    is(
        "aws|gcloud|az|doctl|flyctl|fly|heroku|vercel|netlify|wrangler|railway|supabase|firebase|eb|gsutil|render",
        "login|logout|configure|auth|config|whoami",
        Unknown,
        Environment,
    ),
    is(
        "flyctl|fly|heroku|vercel|netlify|railway|firebase|render|wrangler",
        "deploy|up|publish|redeploy|promote|rollback|scale",
        Mutate,
        Remote,
    ),
    is(
        "flyctl|fly|heroku|vercel|netlify|railway|firebase|render|wrangler",
        "logs|status|ls|list|inspect|tail|info",
        Read,
        Remote,
    ),
    is("aws", "s3 ls", Read, Remote),
    is("aws", "s3 cp|mv|rm|sync|mb|rb", Mutate, Remote),
    is(
        "aws|gcloud|az|doctl|flyctl|fly|heroku|vercel|netlify|wrangler|railway|supabase|firebase|eb|gsutil|render",
        "",
        Unknown,
        Remote,
    ),
    // Containers.
    is(
        "docker|podman|nerdctl",
        "ps|images|logs|inspect|version|info|stats|top|port|diff|history|search|events",
        Read,
        Environment,
    ),
    is(
        "docker|podman|nerdctl",
        "image|container|volume|network|context|system|buildx|builder ls|list|inspect|logs|df|top|stats|info|history|show",
        Read,
        Environment,
    ),
    is(
        "docker|podman",
        "compose ps|logs|config|images|ls|top|version|port|events",
        Read,
        Environment,
    ),
    is("docker|podman", "compose exec", Unknown, Environment),
    is("docker|podman", "compose run", Unknown, Environment),
    is("docker|podman", "compose", Mutate, Environment),
    is(
        "docker-compose|podman-compose",
        "ps|logs|config|images|top|version|port|events",
        Read,
        Environment,
    ),
    is(
        "docker-compose|podman-compose",
        "run|exec",
        Unknown,
        Environment,
    ),
    is("docker-compose|podman-compose", "", Mutate, Environment),
    is("docker|podman|nerdctl", "push", Mutate, Remote),
    act(
        "docker|podman|nerdctl|buildah",
        "build",
        Act::Is(Mutate, Some(Environment), Some(Build)),
    ),
    act(
        "docker|podman|nerdctl",
        "buildx build",
        Act::Is(Mutate, Some(Environment), Some(Build)),
    ),
    is(
        "docker|podman|nerdctl",
        "run|exec|attach",
        Unknown,
        Environment,
    ),
    is("docker|podman|nerdctl", "*", Mutate, Environment),
    is(
        "docker|podman|nerdctl|colima|minikube|kind|limactl",
        "",
        Unknown,
        Environment,
    ),
    // Rust.
    is("rustup", "show|which|check|doc", Read, Environment),
    is("rustup", "* list", Read, Environment),
    is("rustup|cargo-binstall|rustup-init", "", Mutate, Environment),
    runs("cargo", "fmt --check", Format),
    is("cargo", "fmt", Mutate, Workspace),
    runs("cargo", "test|t --no-run", Build),
    runs(
        "cargo",
        "test|t|bench|miri|llvm-cov|tarpaulin|mutants|careful|fuzz",
        Test,
    ),
    is("cargo", "nextest list", Read, Workspace),
    runs("cargo", "nextest", Test),
    is("cargo", "insta accept|review|reject", Mutate, Workspace),
    is("cargo", "insta test --accept|--review", Mutate, Workspace),
    runs("cargo", "insta test", Test),
    is("cargo", "insta", Read, Workspace),
    runs("cargo", "build|b|rustc|zigbuild|ndk", Build),
    runs("cargo", "check|c", Typecheck),
    runs("cargo", "doc|rustdoc|package", Build),
    runs(
        "cargo",
        "clippy|audit|deny|machete|udeps|hack|semver-checks|outdated|msrv|shear|geiger|vet",
        Lint,
    ),
    act("cargo", "run|r", Act::Is(Unknown, None, Some(Run))),
    is(
        "cargo",
        "tree|metadata|search|info|version|help|locate-project|pkgid|read-manifest|config|verify-project|bloat|expand|asm",
        Read,
        Workspace,
    ),
    is("cargo", "install --list", Read, Environment),
    is(
        "cargo",
        "install|uninstall|binstall|login|logout",
        Mutate,
        Environment,
    ),
    is("cargo", "publish|yank|owner", Mutate, Remote),
    is("cargo", "clean", Mutate, Scratch),
    is("cargo", "fetch", Mutate, Scratch),
    is(
        "cargo",
        "add|rm|remove|update|new|init|fix|generate-lockfile|vendor|upgrade|set-version|generate|sort",
        Mutate,
        Workspace,
    ),
    act("cargo", "xtask|make", Act::Script),
    unknown("cargo", "*"),
    is("cargo", "", Read, Environment),
    runs("rustc", "", Build),
    runs("rustfmt", "--check", Format),
    is("rustfmt", "", Mutate, Workspace),
    runs("taplo", "fmt|format --check", Format),
    is("taplo", "fmt|format", Mutate, Workspace),
    runs("trunk", "build|check", Build),
    runs("wasm-pack", "test", Test),
    runs("wasm-pack|trybuild|maturin", "build", Build),
    is("maturin", "develop", Mutate, Environment),
    // Go.
    is("go", "test -list", Read, Workspace),
    runs("go", "test", Test),
    runs("go", "build", Build),
    runs("go", "vet", Lint),
    act("go", "run", Act::Is(Unknown, None, Some(Run))),
    is("go", "env -w", Mutate, Environment),
    is("go", "env|version", Read, Environment),
    is("go", "list|doc", Read, Workspace),
    is("go", "mod verify|graph|why", Read, Workspace),
    is("go", "install", Mutate, Environment),
    is("go", "get|mod|fmt|generate|work|fix", Mutate, Workspace),
    is("go", "clean", Mutate, Scratch),
    unknown("go", "tool"),
    is("gofmt|goimports|gofumpt", "-w|~w", Mutate, Workspace),
    runs("gofmt|goimports|gofumpt", "", Format),
    runs("gotestsum|ginkgo|gotest|richgo", "", Test),
    runs("golangci-lint", "fmt --diff", Format),
    is("golangci-lint", "fmt", Mutate, Workspace),
    is(
        "golangci-lint",
        "config|linters|version|cache",
        Read,
        Workspace,
    ),
    runs(
        "golangci-lint|staticcheck|revive|govulncheck|gosec|errcheck|golint|nilaway",
        "",
        Lint,
    ),
    // Python.
    runs(
        "pytest|py.test|nose2|nosetests|unittest|doctest|behave|ward|robot|green|trial|testslide|pytest-watch",
        "",
        Test,
    ),
    is(
        "tox|nox",
        "-l|--list|-a|--listenvs|config|list",
        Read,
        Workspace,
    ),
    runs("tox|nox", "", Test),
    runs("ruff", "format --check|--diff", Format),
    is("ruff", "format", Mutate, Workspace),
    is("ruff", "rule|config|linter|version|clean", Read, Workspace),
    runs(
        "ruff|flake8|pylint|pycodestyle|pydocstyle|bandit|vulture|pyflakes|prospector|pylama|djlint|import-linter|lint-imports|deptry|interrogate|pip-audit|safety|codespell|typos|xenon|radon|ansible-lint|cfn-lint",
        "",
        Lint,
    ),
    is("sqlfluff", "fix|format", Mutate, Workspace),
    runs("sqlfluff", "lint", Lint),
    runs(
        "black|isort|yapf|autopep8|docformatter|pyupgrade|autoflake|blue",
        "--check|--check-only|--diff|-c",
        Format,
    ),
    is(
        "yapf|autopep8|docformatter|autoflake",
        "!-i|--in-place|--inplace|~i",
        Read,
        Workspace,
    ),
    is(
        "black|isort|yapf|autopep8|docformatter|pyupgrade|autoflake|blue",
        "",
        Mutate,
        Workspace,
    ),
    runs("mypy|pyright|basedpyright|pyre|pytype|dmypy", "", Typecheck),
    runs("ty", "check", Typecheck),
    runs("py_compile|compileall|tabnanny", "", Build),
    is(
        "json.tool|ast|tokenize|dis|pydoc|site|sysconfig|platform|zipfile|timeit",
        "",
        Read,
        Workspace,
    ),
    is(
        "pip|pipx|conda|mamba|micromamba",
        "list|freeze|show|check|index|search|debug|config|info|inspect|env|cache|hash|environment",
        Read,
        Environment,
    ),
    is(
        "pip|pipx|conda|mamba|micromamba|pyenv|ensurepip|easy_install",
        "",
        Mutate,
        Environment,
    ),
    is("uv", "pip list|freeze|show|check|tree", Read, Environment),
    is("uv", "python|tool list|find|dir", Read, Environment),
    is("uv", "pip|python|tool|self|cache", Mutate, Environment),
    is("uv", "tree|version|export|help", Read, Workspace),
    runs("uv|poetry|hatch|pdm|rye|flit|build", "build", Build),
    is(
        "uv|poetry|hatch|pdm|rye|flit|twine",
        "publish|upload",
        Mutate,
        Remote,
    ),
    is("uv", "venv", Mutate, Environment),
    is("uv", "add|remove|sync|lock|init", Mutate, Workspace),
    is(
        "poetry|pipenv|pdm|rye|hatch|pixi",
        "show|check|env|version|about|search|graph|list|info|config|status|dep",
        Read,
        Workspace,
    ),
    runs("hatch", "test", Test),
    runs("hatch", "fmt --check", Format),
    is("hatch", "fmt", Mutate, Workspace),
    act("uv|poetry|pipenv|pdm|hatch|rye|pixi", "run", Act::Script),
    is(
        "poetry|pipenv|pdm|rye|hatch|pixi",
        "add|remove|install|update|lock|sync|init|uninstall|new",
        Mutate,
        Workspace,
    ),
    runs("build", "", Build),
    is("venv|virtualenv", "", Mutate, Environment),
    is(
        "coverage",
        "report|json|xml|html|combine|erase",
        Read,
        Workspace,
    ),
    runs("manage.py|django-admin", "test", Test),
    runs("manage.py|django-admin", "check", Lint),
    is(
        "manage.py|django-admin",
        "showmigrations|sqlmigrate|diffsettings|show_urls",
        Read,
        Workspace,
    ),
    is(
        "manage.py|django-admin",
        "makemigrations|startapp|startproject",
        Mutate,
        Workspace,
    ),
    runs(
        "mkdocs|sphinx-build|jupyter-book|cookiecutter-test",
        "",
        Build,
    ),
    runs("pre-commit|prek|lefthook|lint-staged", "run", Lint),
    is(
        "pre-commit|prek|lefthook|husky",
        "install|autoupdate|uninstall|clean|gc",
        Mutate,
        Environment,
    ),
    // JavaScript and TypeScript.
    is(
        "npm",
        "ls|list|la|ll|view|info|show|outdated|search|why|explain|root|bin|prefix|whoami|ping|doctor|query|fund|pack --dry-run|help|docs|repo",
        Read,
        Workspace,
    ),
    is("npm|pnpm|yarn", "audit|dedupe fix", Mutate, Workspace),
    runs("npm|pnpm|yarn|bun", "audit", Lint),
    is("npm|pnpm|yarn|bun", "config get|list|ls", Read, Environment),
    is(
        "npm|pnpm|yarn|bun",
        "config|login|logout|adduser|cache|link|unlink|store|setup",
        Mutate,
        Environment,
    ),
    is(
        "npm|pnpm|yarn|bun",
        "publish|deprecate|unpublish|dist-tag|owner|access",
        Mutate,
        Remote,
    ),
    is(
        "npm|pnpm|bun|yarn",
        "install|i|add|ci|remove|rm|uninstall -g|--global",
        Mutate,
        Environment,
    ),
    is("yarn", "global", Mutate, Environment),
    act("yarn", "workspace *", Act::Task),
    act("yarn", "workspaces foreach|run", Act::Script),
    is(
        "npm|pnpm|yarn|bun",
        "install|i|add|ci|remove|rm|uninstall|un|update|up|upgrade|init|create|version|dedupe|prune|rebuild|patch|import|pkg|set|shrinkwrap|install-test|pm|audit-fix|unplug|approve-builds",
        Mutate,
        Workspace,
    ),
    is(
        "pnpm|yarn|bun",
        "list|ls|why|outdated|info|licenses|root|bin",
        Read,
        Workspace,
    ),
    is(
        "npm|pnpm|yarn|bun",
        "test|t|tst -u|--updateSnapshot|--update",
        Mutate,
        Workspace,
    ),
    runs("npm|pnpm|yarn|bun", "test|t|tst|it|cit", Test),
    act("npm|pnpm|yarn|bun", "run|run-script|rum|urn", Act::Script),
    act("bun", "build", Act::Is(Read, Some(Workspace), Some(Build))),
    unknown("npm|pnpm|bun", "start|stop|restart|pack"),
    act("pnpm|yarn", "*", Act::Task),
    is("yarn", ".", Mutate, Workspace),
    unknown("bun", ""),
    is("tsc|vue-tsc|tsgo", "--init", Mutate, Workspace),
    is(
        "tsc|vue-tsc|tsgo",
        "--showConfig|--listFilesOnly",
        Read,
        Workspace,
    ),
    runs(
        "tsc|vue-tsc|tsgo|svelte-check|flow|glint|attw",
        "",
        Typecheck,
    ),
    is(
        "jest|vitest|playwright|ava|mocha|tap|jasmine",
        "-u|--update|--update-snapshots|--updateSnapshot",
        Mutate,
        Workspace,
    ),
    is(
        "playwright",
        "install|install-deps|uninstall",
        Mutate,
        Environment,
    ),
    is(
        "playwright|cypress",
        "show-report|show-trace|open|codegen|cache|verify|info",
        Unknown,
        Environment,
    ),
    is("vitest", "list", Read, Workspace),
    runs("vitest", "typecheck", Typecheck),
    runs(
        "jest|vitest|mocha|ava|tap|jasmine|karma|playwright|cypress|wtr|web-test-runner|c8|nyc|qunit|uvu|testcafe|stryker|cucumber-js|node-tap|start-server-and-test|bun-test|nightwatch",
        "",
        Test,
    ),
    runs("ng", "test|e2e", Test),
    runs("ng", "lint", Lint),
    runs(
        "ng|next|vite|nuxt|astro|remix|gatsby|svelte-kit|expo|react-scripts|vue-cli-service|docusaurus|vitepress|parcel|ember|quasar|electron-vite",
        "build|export",
        Build,
    ),
    runs(
        "react-scripts|vue-cli-service|ember",
        "test|test:unit",
        Test,
    ),
    runs("next|astro|vue-cli-service", "lint|check", Lint),
    runs(
        "webpack|rollup|esbuild|tsup|swc|babel|microbundle|unbuild|ncc|rolldown|rspack|tsdown|electron-builder",
        "!--watch|--serve|serve",
        Build,
    ),
    is("prettier", "--write|~w|-w", Mutate, Workspace),
    runs("prettier", "--check|-c|--list-different|-l|~c|~l", Format),
    is("prettier", "", Read, Workspace),
    runs("biome|rome", "format !--write|--fix|--apply", Format),
    is("biome|rome", "format|init|migrate", Mutate, Workspace),
    runs("biome|rome", "check|lint|ci", Lint),
    runs("dprint", "check", Format),
    is("dprint", "fmt", Mutate, Workspace),
    is(
        "eslint|xo|standard|stylelint",
        "--print-config|--init|--env-info",
        Read,
        Workspace,
    ),
    runs(
        "eslint|xo|standard|oxlint|tslint|stylelint|jshint|jscs|knip|depcheck|madge|publint|markdownlint|markdownlint-cli2|remark|htmlhint|commitlint|cspell|next-lint|eslint_d|dependency-cruiser|depcruise|ls-lint|alex|textlint|spectral|redocly|jscpd|size-limit|syncpack|sherif|manypkg",
        "",
        Lint,
    ),
    runs("deno", "test", Test),
    runs("deno", "lint", Lint),
    runs("deno", "check", Typecheck),
    runs("deno", "fmt --check", Format),
    is(
        "deno",
        "fmt|add|install|remove|init|cache",
        Mutate,
        Workspace,
    ),
    act("deno", "task", Act::Script),
    runs("turbo|nx|lerna|rush|wireit|moon", "lint", Lint),
    act("turbo|lerna|rush|moon", "run|*", Act::Task),
    is(
        "nx",
        "graph|show|list|report|print-affected",
        Read,
        Workspace,
    ),
    act("nx", "affected|run-many", Act::Task),
    act("nx", "run|*", Act::Task),
    act("concurrently|npm-run-all|run-s|run-p", "", Act::Task),
    is("corepack|volta|n", "", Mutate, Environment),
    is(
        "drizzle-kit|prisma",
        "generate|format|init",
        Mutate,
        Workspace,
    ),
    runs("prisma", "validate", Lint),
    // Java, Kotlin, .NET, Swift, C and C++.
    is(
        "mvn|mvnw|./mvnw",
        "dependency:tree|help:effective-pom|versions:display-dependency-updates|dependency:list",
        Read,
        Workspace,
    ),
    is("mvn|mvnw|./mvnw", "deploy", Mutate, Remote),
    is(
        "mvn|mvnw|./mvnw",
        "spotless:apply|fmt:format|versions:set|formatter:format",
        Mutate,
        Workspace,
    ),
    runs(
        "mvn|mvnw|./mvnw",
        "spotless:check|checkstyle:check|spotbugs:check|pmd:check",
        Lint,
    ),
    act(
        "mvn|mvnw|./mvnw|gradle|gradlew|./gradlew|sbt|./sbt|mill|./mill|ant|lein|clj|clojure|bazel-task",
        "*",
        Act::Task,
    ),
    runs("mvn|mvnw|./mvnw|gradle|gradlew|./gradlew|ant", ".", Build),
    runs(
        "javac|kotlinc|scalac|gcc|g++|cc|c++|clang|clang++|ninja|nmake|msbuild|xbuild|ghc|dmd|zigc|nvcc|ld|ar",
        "",
        Build,
    ),
    is("java|kotlin|scala", "-version|--version", Read, Environment),
    runs(
        "ktlint|detekt|checkstyle|pmd|spotbugs|scalafix|clang-tidy|cppcheck|cpplint|infer|iwyu|include-what-you-use",
        "!-F|--format",
        Lint,
    ),
    is("ktlint", "", Mutate, Workspace),
    runs(
        "scalafmt|google-java-format",
        "--check|--test|--list|--dry-run|-n",
        Format,
    ),
    is("scalafmt", "", Mutate, Workspace),
    runs("clang-format", "--dry-run|-n|--Werror", Format),
    is(
        "clang-format|google-java-format",
        "-i|--replace",
        Mutate,
        Workspace,
    ),
    is("clang-format|google-java-format", "", Read, Workspace),
    runs("dotnet", "test|vstest", Test),
    runs("dotnet", "build|publish|pack|msbuild", Build),
    runs("dotnet", "format --verify-no-changes", Format),
    is("dotnet", "format|add|remove|new|sln", Mutate, Workspace),
    is("dotnet", "list", Read, Workspace),
    act("dotnet", "run|watch", Act::Is(Unknown, None, Some(Run))),
    is("dotnet", "restore|clean", Mutate, Scratch),
    is("dotnet", "tool|workload|nuget", Mutate, Environment),
    runs("swift", "test", Test),
    runs("swift", "build", Build),
    act("swift", "run", Act::Is(Unknown, None, Some(Run))),
    is(
        "swift",
        "package describe|show-dependencies|dump-package",
        Read,
        Workspace,
    ),
    is("swift", "package", Mutate, Workspace),
    runs("swift", "", Build),
    is(
        "xcodebuild",
        "-list|-showsdks|-showBuildSettings|-version|-showdestinations",
        Read,
        Workspace,
    ),
    runs("xcodebuild", "test|test-without-building", Test),
    is("xcodebuild", "clean .", Mutate, Scratch),
    runs("xcodebuild|swiftc|xcodegen", "", Build),
    is("swiftlint", "autocorrect|fix", Mutate, Workspace),
    runs("swiftlint", "", Lint),
    runs("swiftformat|swift-format", "--lint|lint", Format),
    is("swiftformat|swift-format", "", Mutate, Workspace),
    is("xcrun|simctl", "simctl list", Read, Environment),
    unknown("xcrun", ""),
    is("ctest", "-N|--show-only|~N", Read, Workspace),
    runs("ctest", "", Test),
    is("cmake", "-E", Unknown, Workspace),
    runs(
        "cmake|meson|scons|qmake|premake5|autoreconf|./configure",
        "",
        Build,
    ),
    runs("meson", "test", Test),
    runs("zig", "test", Test),
    runs("zig", "build test", Test),
    runs("zig", "build|build-exe|build-lib|build-obj", Build),
    runs("zig", "fmt --check", Format),
    is("zig", "fmt", Mutate, Workspace),
    runs("valgrind|gdb-test|lldb-test|gcovr|lcov", "", Test),
    is(
        "bazel|bazelisk|buck2|pants|please|plz",
        "query|cquery|aquery|info|targets|version|help|list|dependencies",
        Read,
        Workspace,
    ),
    runs(
        "bazel|bazelisk|buck2|pants|please|plz",
        "test|coverage",
        Test,
    ),
    runs(
        "bazel|bazelisk|buck2|please|plz|pants",
        "build|package",
        Build,
    ),
    runs("pants", "lint", Lint),
    runs("pants", "check", Typecheck),
    is("pants", "fmt|fix", Mutate, Workspace),
    is("bazel|bazelisk", "clean|shutdown", Mutate, Scratch),
    act(
        "bazel|bazelisk|buck2|please|plz|pants",
        "run",
        Act::Is(Unknown, None, Some(Run)),
    ),
    // Ruby, PHP, Elixir, Haskell, Dart and others.
    runs(
        "rspec|minitest|cucumber|m|phpunit|pest|paratest|codecept|behat|phpspec|infection|prove|busted|bats|shellspec|elm-test|roundup|shunit2|dredd|newman|k6|artillery|vegeta|locust|schemathesis|tavern-ci",
        "",
        Test,
    ),
    is(
        "rubocop|standardrb|haml-lint|erb_lint|erblint|slim-lint",
        "-a|-A|--autocorrect|--auto-correct|--autocorrect-all|-x",
        Mutate,
        Workspace,
    ),
    runs(
        "rubocop|standardrb|haml-lint|erb_lint|erblint|slim-lint|reek|brakeman|fasterer|bundle-audit|phpcs|phpmd|parallel-lint|rector-check|luacheck|selene|hlint|credo",
        "",
        Lint,
    ),
    runs(
        "steep|srb|sorbet|tapioca-check|phpstan|psalm|phan|larastan",
        "",
        Typecheck,
    ),
    runs(
        "php-cs-fixer|pint|ecs|rector",
        "--dry-run|--test|check",
        Format,
    ),
    is("php-cs-fixer|phpcbf|pint|rector|ecs", "", Mutate, Workspace),
    runs("rails|bin/rails|artisan", "test|test:system|test:all", Test),
    is(
        "rails|bin/rails",
        "routes|db:version|db:migrate:status|about|stats",
        Read,
        Workspace,
    ),
    is(
        "rails|bin/rails",
        "generate|g|destroy|d|new",
        Mutate,
        Workspace,
    ),
    act("rake|composer", "*", Act::Script),
    is(
        "bundle|gem",
        "list|show|info|outdated|check|env|config|environment|search",
        Read,
        Environment,
    ),
    is(
        "bundle",
        "install|add|update|remove|lock|init",
        Mutate,
        Workspace,
    ),
    is("bundle", ".", Mutate, Workspace),
    is("gem", "", Mutate, Environment),
    runs("mix", "test|espec|coveralls", Test),
    runs("mix", "compile", Build),
    runs("mix", "credo|sobelow", Lint),
    runs("mix", "dialyzer", Typecheck),
    runs("mix", "format --check-formatted|--dry-run", Format),
    is(
        "mix",
        "format|deps.get|deps.update|deps.unlock|phx.gen",
        Mutate,
        Workspace,
    ),
    runs(
        "stack|cabal|rebar3|gleam|dune|nimble|shards|crystal|elm|lake|alr",
        "test|ct|eunit|spec|runtest",
        Test,
    ),
    runs(
        "stack|cabal|rebar3|gleam|dune|nimble|shards|crystal|elm|lake|alr",
        "build|compile|make|check",
        Build,
    ),
    runs("gleam", "format --check", Format),
    runs(
        "ormolu|fourmolu|stylish-haskell|stylua|nixpkgs-fmt|alejandra|buf-format",
        "--check|-c|--mode",
        Format,
    ),
    is(
        "ormolu|fourmolu|stylish-haskell|stylua|nixpkgs-fmt|alejandra",
        "",
        Mutate,
        Workspace,
    ),
    runs("dart|flutter", "test|drive", Test),
    runs("dart|flutter", "analyze", Lint),
    runs(
        "dart",
        "format --set-exit-if-changed|--output=none|-o",
        Format,
    ),
    is("dart", "format|fix", Mutate, Workspace),
    runs("dart|flutter", "build|compile", Build),
    is("dart|flutter", "pub deps|outdated", Read, Workspace),
    is("dart|flutter", "pub|create|clean", Mutate, Workspace),
    is(
        "flutter",
        "doctor|devices|config|channel",
        Read,
        Environment,
    ),
    runs("Rscript-check|R-check|testthat", "", Test),
    runs(
        "forge|hardhat|truffle|anchor|foundry|brownie",
        "test|coverage",
        Test,
    ),
    runs("forge|hardhat|truffle|anchor", "build|compile", Build),
    runs("forge", "fmt --check", Format),
    is("forge", "fmt|install", Mutate, Workspace),
    runs("dbt", "test|compile|parse|build", Test),
    // Shell scripts, documents, schemas, workflows.
    is("shfmt", "-w|~w", Mutate, Workspace),
    runs("shfmt", "-d|-l|~d|~l", Format),
    is("shfmt", "", Read, Workspace),
    runs(
        "shellcheck|hadolint|yamllint|actionlint|markdown-link-check|lychee|vale|proselint|jsonlint|ajv|check-jsonschema|zizmor|gitleaks|trufflehog|trivy|grype|semgrep|sonar-scanner|kubeconform|kubeval|kube-linter|checkov|tflint|tfsec|terrascan|opa|conftest|editorconfig-checker|ec|write-good|misspell|license-checker|reuse|cppclean|vint|nginx-lint|dotenv-linter|checkmake|bashate|statix|deadnix|luac|tidy|html-validate|vnu|linkchecker|snyk|megalinter|super-linter|commitizen|gitlint|committed|cargo-deny|cargo-audit|lintr|puppet-lint|cookstyle|foodcritic|rpmlint|lintian|textidote|pa11y|lighthouse|lhci|axe|buf|protolint|prototool|openapi-generator-validate|swagger-cli|graphql-inspector|graphql-schema-linter|sqlcheck|squawk|atlas-lint",
        "",
        Lint,
    ),
    runs("nix", "flake check", Test),
    runs("nix|nix-build", "build", Build),
    runs("nix-build", "", Build),
    is("nix", "flake show|metadata|info", Read, Workspace),
    runs(
        "latexmk|pdflatex|xelatex|lualatex|typst|tectonic|hugo|jekyll|zola|quarto|mdbook|bookdown|eleventy",
        "!serve|server|watch|--watch",
        Build,
    ),
    runs("act", "", Test),
    // Task runners.
    is(
        "make|gmake|just|task|mise|rake|invoke|inv",
        "-n|--dry-run|--just-print|--recon|--list|-l|--summary|--evaluate|--list-all|-T|--tasks|--show|-q|--question|-p",
        Read,
        Workspace,
    ),
    act("make|gmake|bmake|mage|mk", "", Act::Task),
    is(
        "mise|rtx|asdf",
        "list|ls|current|which|where|doctor|tasks|env|settings|version|plugins|info|latest",
        Read,
        Environment,
    ),
    is(
        "mise|rtx|asdf",
        "install|use|upgrade|uninstall|trust|plugin|reshim|self-update|global|local|set|activate",
        Mutate,
        Environment,
    ),
    act("mise|rtx", "run|r", Act::Script),
    act(
        "just|task|go-task|invoke|inv|poe|doit|fab|redo|earthly|dagger|moon|melos|tusk|mask|run-script|mise|rtx",
        "*",
        Act::Task,
    ),
    is(
        "just|mage|task|rake|composer|poe|invoke|inv",
        ".",
        Read,
        Workspace,
    ),
    is("direnv", "", Mutate, Environment),
    // Programs that run what cannot be seen here.
    is(
        "node|python|ruby|perl|php|java|deno|bun|lua|Rscript|swift|pwsh",
        "-v|--version|-V|-version",
        Read,
        Environment,
    ),
    runs("node", "--test|--test-only", Test),
    runs("node|ruby|perl|php", "--check|-c|~c -|*", Lint),
    runs("php", "-l|~l", Lint),
    unknown(
        "source|.|powershell|pwsh|cmd|node|python|ruby|perl|php|java|lua|tsx|ts-node|Rscript|R|osascript|xargs",
        "",
    ),
];

/// Options that take the next word as their value, by program: what stands before a sub-command.
pub const VALUED: &[(&str, &str)] = &[
    ("git", "-C -c --git-dir --work-tree --namespace --exec-path"),
    (
        "cargo",
        "--config -C -Z --manifest-path --color --target-dir -p --package --features --target --profile --bin --example --test -j --jobs -F",
    ),
    ("npm", "--prefix -w --workspace -C --loglevel --registry"),
    ("pnpm", "--filter -F -C --dir --prefix --reporter"),
    ("yarn", "--cwd"),
    ("bun", "--cwd --filter --config"),
    (
        "make|gmake|bmake",
        "-C -f -I -j -l -o --directory --file --jobs",
    ),
    ("ninja", "-C -f -j"),
    ("just", "-f -d --justfile --working-directory --set"),
    ("task|go-task", "-d -t --dir --taskfile"),
    ("mise|rtx", "-C --cd -j --jobs -E --env"),
    ("go", "-C"),
    (
        "docker|podman|nerdctl",
        "-H -c --host --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory",
    ),
    (
        "docker-compose|podman-compose",
        "-f --file -p --project-name --profile --env-file --project-directory",
    ),
    (
        "kubectl|oc|k",
        "-n --namespace --context --kubeconfig --cluster --user -l --selector -o --output -f --filename",
    ),
    ("helm", "-n --namespace --kube-context --kubeconfig"),
    ("gh|glab", "-R --repo --hostname"),
    ("aws", "--profile --region --output --endpoint-url"),
    (
        "gcloud",
        "--project --zone --region --format --configuration",
    ),
    (
        "uv",
        "--directory --project --python -p --color --config-file --cache-dir",
    ),
    ("poetry", "-C --directory -P --project"),
    ("pdm", "-p --project"),
    ("hatch", "-e --env -p --project"),
    ("mvn|mvnw|./mvnw", "-f --file -pl --projects -P -s -T -rf"),
    (
        "gradle|gradlew|./gradlew",
        "-p -b -c -g -I --project-dir --tests -x --exclude-task",
    ),
    ("dotnet", "-c -f -o -v --configuration"),
    (
        "xcodebuild",
        "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -resultBundlePath -target -arch",
    ),
    (
        "swift",
        "--package-path --build-path --scratch-path --filter -c",
    ),
    ("cmake", "-S -B -G -D -C"),
    ("bazel|bazelisk", "--config --output_base"),
    ("python", "-W -X"),
    ("node", "-r --require --import --loader --env-file"),
    (
        "turbo|nx",
        "--filter --target -t --targets --projects -p --project -c --configuration",
    ),
    ("terraform|tofu", "-chdir"),
    ("deno", "-c --config"),
    ("rake", "-f -C"),
    ("wget", "-O -P -o --header --user-agent -U"),
    (
        "curl",
        "-o -H -d -X -u -w -A -e -b -c -m -T -F --output --header --data --request --user --max-time --connect-timeout --retry --form --upload-file --data-raw --data-binary --json --url-query --write-out",
    ),
];

static INDEX: LazyLock<HashMap<&'static str, Vec<&'static Rule>>> = LazyLock::new(|| {
    let mut index: HashMap<&'static str, Vec<&'static Rule>> = HashMap::new();
    for rule in RULES.iter().chain(super::classify::GIT) {
        for program in rule.program.split('|') {
            index.entry(program).or_default().push(rule);
        }
    }
    index
});

/// The rows of one program, in order.
pub(super) fn rules(program: &str) -> &'static [&'static Rule] {
    INDEX.get(program).map_or(&[], Vec::as_slice)
}

/// Whether a word behind `poetry run` and the like names a program of the table rather than a task.
pub(super) fn is_tool(program: &str) -> bool {
    !matches!(
        program,
        "test" | "build" | "[" | "act" | "task" | "m" | "w" | "n"
    ) && !rules(super::classify::key(program)).is_empty()
}

/// The options of a program that take a value.
pub(super) fn valued(program: &str) -> &'static str {
    VALUED
        .iter()
        .find(|(programs, _)| any(programs, program))
        .map_or("", |(_, options)| options)
}
