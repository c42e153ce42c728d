//! The rows of `git`: what is repository bookkeeping and what touches files under work.

use super::table::{Act, Rule};
use super::{Domain, Effect};

const fn git(args: &'static str, effect: Effect, domain: Domain) -> Rule {
    Rule {
        program: "git",
        args,
        act: Act::Is(effect, Some(domain), None),
    }
}

use Domain::{Environment, Remote, Repo, Workspace};
use Effect::{Mutate, Read};

/// One row for each use of a sub-command.
pub(super) const GIT: &[Rule] = &[
    git(
        "status|diff|difftool|blame|annotate|grep|ls-files|check-ignore|check-attr",
        Read,
        Workspace,
    ),
    git("reflog expire|delete", Mutate, Repo),
    git(
        "log|show|shortlog|reflog|rev-parse|rev-list|describe|merge-base|cat-file|ls-tree|name-rev|for-each-ref|show-ref|show-branch|var|cherry|whatchanged|count-objects|fsck|verify-commit|verify-tag|range-diff|diff-tree|diff-index|diff-files|merge-tree|patch-id|interpret-trailers|check-ref-format|get-tar-commit-id",
        Read,
        Repo,
    ),
    git("symbolic-ref * .", Read, Repo),
    git("hash-object -w", Mutate, Repo),
    git("hash-object", Read, Repo),
    git("version|help", Read, Environment),
    git("ls-remote", Read, Remote),
    git("remote .", Read, Repo),
    git("remote show|get-url", Read, Repo),
    git(
        "branch -d|-D|-m|-M|-c|-C|-u|-f|--set-upstream-to|--unset-upstream|--delete|--move|--copy|--edit-description|--force",
        Mutate,
        Repo,
    ),
    git(
        "branch --list|-l|-a|-r|-v|-vv|-av|-avv|-va|-rv|--show-current|--contains|--no-contains|--merged|--no-merged|--all|--remotes|--points-at",
        Read,
        Repo,
    ),
    git("branch .", Read, Repo),
    git(
        "tag -d|-a|-s|-f|-m|-am|-F|--delete|--annotate|--sign|--force",
        Mutate,
        Repo,
    ),
    git(
        "tag -l|--list|-n|~n|--contains|--points-at|--sort|--merged",
        Read,
        Repo,
    ),
    git("tag .", Read, Repo),
    git("stash list|show", Read, Repo),
    git("stash drop|clear|store|create", Mutate, Repo),
    git(
        "config --get|--list|-l|--get-all|--get-regexp|--get-urlmatch|--show-origin",
        Read,
        Repo,
    ),
    git("config get|list", Read, Repo),
    git(
        "config --unset|--unset-all|--add|--replace-all|-e|--edit|--remove-section|--rename-section",
        Mutate,
        Repo,
    ),
    git("config * .", Read, Repo),
    git("worktree list", Read, Repo),
    git("submodule status|summary", Read, Repo),
    git("submodule .", Read, Repo),
    git("notes show|list", Read, Repo),
    git("bisect log|view|visualize", Read, Repo),
    git("lfs ls-files|status|env|locks|logs", Read, Repo),
    git("push --dry-run|-n", Read, Remote),
    git("push", Mutate, Remote),
    git("clean -n|--dry-run|~n", Read, Workspace),
    git("add|stage -n", Read, Workspace),
    git("checkout -b|-B|--orphan", Mutate, Repo),
    git(
        "switch -c|-C|--create|--force-create|--orphan",
        Mutate,
        Repo,
    ),
    git("restore --staged|-S !--worktree|-W", Mutate, Repo),
    git("reset --hard|--merge|--keep", Mutate, Workspace),
    git("rm --cached", Mutate, Repo),
    git("apply --check|--stat|--numstat|--summary", Read, Workspace),
    git("apply --cached", Mutate, Repo),
    git("rebase --show-current-patch", Read, Repo),
    git("format-patch --stdout", Read, Repo),
    git("archive -o|--output", Mutate, Workspace),
    git("archive|bundle", Read, Repo),
    git(
        "config|remote|branch|tag|fetch|add|stage|commit|commit-tree|reset|init|gc|prune|repack|pack-refs|update-ref|update-index|notes|replace|symbolic-ref|maintenance|rerere|write-tree|mktag|mktree|filter-repo|credential|hook",
        Mutate,
        Repo,
    ),
    git(
        "stash|merge|pull|rebase|cherry-pick|revert|am|apply|rm|mv|clone|sparse-checkout|read-tree|checkout|switch|restore|checkout-index|filter-branch|subtree|lfs|bisect|worktree|submodule|clean|format-patch|mergetool|merge-file|svn|flow|absorb|undo",
        Mutate,
        Workspace,
    ),
    git(".", Read, Environment),
];
