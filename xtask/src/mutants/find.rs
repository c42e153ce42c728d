//! The places of the rule modules that can be changed, with cargo-mutants' operators.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::value;

/// How a mutant changes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// The function returns this at once.
    Body(String),
    /// The operator between two operands is another one.
    Operator {
        left: Range<usize>,
        right: Range<usize>,
        sign: &'static str,
    },
    /// The operator before this operand is gone.
    Unary(Range<usize>),
    /// The guard of a match arm is always this.
    Guard(bool),
    /// The match arm is never taken.
    Arm,
}

/// One change of one place.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    /// The file, from the repository's folder on.
    pub(crate) file: String,
    /// The line of the place, from 1.
    pub(crate) line: usize,
    /// The function that the place is in.
    pub(crate) function: String,
    /// What is changed, in words.
    pub(crate) change: String,
    /// The bytes of the place; empty where something is only put in.
    pub(crate) range: Range<usize>,
    /// The change.
    pub(crate) edit: Edit,
    /// Which of the same changes in the same function this is, from 1.
    pub(crate) nth: usize,
}

impl Mutant {
    /// What stays the same while lines move.
    pub(crate) fn key(&self) -> String {
        format!(
            "{} {} {} {}",
            self.file, self.function, self.change, self.nth
        )
    }
}

/// Every mutant of the modules below some folders of `src/`, in the order of files and lines.
///
/// # Errors
/// A file that cannot be read or is no Rust.
pub(crate) fn mutants(root: &Path, folders: &[&str]) -> Result<Vec<Mutant>> {
    let mut files = Vec::new();
    modules(&root.join("src/lib.rs"), &root.join("src"), &mut files)?;
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let below = path.strip_prefix(root).unwrap_or(&path);
        let name = below.to_string_lossy().replace('\\', "/");
        let wanted = |folder: &&str| name.starts_with(&format!("src/{folder}/"));
        if folders.iter().any(wanted) {
            let text = read(&path)?;
            found.extend(of_file(&name, &text).with_context(|| name.clone())?);
        }
    }
    Ok(found)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The files of a module and of all modules below it that are not built for tests only.
fn modules(file: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    files.push(file.to_path_buf());
    let parsed = syn::parse_file(&read(file)?).with_context(|| file.display().to_string())?;
    for item in &parsed.items {
        let syn::Item::Mod(module) = item else {
            continue;
        };
        if module.content.is_some() || for_tests(&module.attrs) {
            continue;
        }
        let inner = folder.join(module.ident.to_string());
        let flat = inner.with_extension("rs");
        let file = if flat.is_file() {
            flat
        } else {
            inner.join("mod.rs")
        };
        // What is declared by a macro or under a condition may have no file here.
        if file.is_file() {
            modules(&file, &inner, files)?;
        }
    }
    Ok(())
}

fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let condition = || match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        path.is_ident("test") || (path.is_ident("cfg") && condition().starts_with("test"))
    })
}

/// The mutants of one file.
///
/// # Errors
/// Text that is no Rust.
pub(crate) fn of_file(name: &str, text: &str) -> Result<Vec<Mutant>> {
    let parsed = syn::parse_file(text)?;
    let mut finder = Finder {
        file: name,
        text,
        path: Vec::new(),
        functions: Vec::new(),
        found: Vec::new(),
    };
    finder.visit_file(&parsed);
    let mut found = finder.found;
    found.sort_by_key(|mutant| (mutant.range.start, mutant.range.end));
    for at in 0..found.len() {
        let same = |other: &&Mutant| {
            other.function == found[at].function && other.change == found[at].change
        };
        found[at].nth = 1 + found[..at].iter().filter(same).count();
    }
    Ok(found)
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    path: Vec<String>,
    functions: Vec<String>,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn put(&mut self, line: usize, range: Range<usize>, change: String, edit: Edit) {
        // An expression outside every function is one that the compiler works out.
        let Some(function) = self.functions.last() else {
            return;
        };
        self.found.push(Mutant {
            file: self.file.to_owned(),
            line,
            function: function.clone(),
            change,
            range,
            edit,
            nth: 0,
        });
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        // The switch is no constant, so that nothing within a constant function can ask it.
        if signature.constness.is_some() {
            return;
        }
        let mut name = self.path.clone();
        name.push(signature.ident.to_string());
        self.functions.push(name.join("::"));
        let open = block.brace_token.span.open();
        let inside = open.byte_range().end..block.brace_token.span.close().byte_range().start;
        let body = self.text[inside.clone()].trim();
        for value in value::values(&signature.output) {
            if body != value && !(value == "()" && body.is_empty()) {
                let change = format!("body replaced by {value}");
                let at = inside.start..inside.start;
                self.put(open.start().line, at, change, Edit::Body(value));
            }
        }
        visit::visit_block(self, block);
        self.functions.pop();
    }

    fn named<T>(&mut self, name: String, go_on: impl FnOnce(&mut Self) -> T) {
        self.path.push(name);
        go_on(self);
        self.path.pop();
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !for_tests(&module.attrs) {
            let name = module.ident.to_string();
            self.named(name, |finder| visit::visit_item_mod(finder, module));
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let is_default = |path: &syn::Path| path.is_ident("Default") || path.is_ident("Drop");
        if block
            .trait_
            .as_ref()
            .is_some_and(|(_, path, _)| is_default(path))
        {
            return;
        }
        let name = match &*block.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.named(name.unwrap_or_else(|| "_".to_owned()), |finder| {
            visit::visit_item_impl(finder, block);
        });
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let name = item.ident.to_string();
        self.named(name, |finder| visit::visit_item_trait(finder, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !for_tests(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !for_tests(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        for sign in signs(&binary.op) {
            // `if let … && …` is no expression that could stand elsewhere.
            if *sign == "||" && (binds(&binary.left) || binds(&binary.right)) {
                continue;
            }
            let own = &self.text[binary.op.span().byte_range()];
            let change = format!("{own} replaced by {sign}");
            let edit = Edit::Operator {
                left: binary.left.span().byte_range(),
                right: binary.right.span().byte_range(),
                sign,
            };
            let line = binary.op.span().start().line;
            self.put(line, binary.span().byte_range(), change, edit);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let sign = match unary.op {
            syn::UnOp::Not(_) => Some("!"),
            syn::UnOp::Neg(_) => Some("-"),
            _ => None,
        };
        if let Some(sign) = sign {
            let edit = Edit::Unary(unary.expr.span().byte_range());
            let line = unary.span().start().line;
            self.put(
                line,
                unary.span().byte_range(),
                format!("{sign} deleted"),
                edit,
            );
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, matched: &'ast syn::ExprMatch) {
        let any = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none();
        let has_any = matched.arms.iter().any(any);
        for arm in &matched.arms {
            let line = arm.pat.span().start().line;
            if let Some((_, guard)) = &arm.guard {
                if !binds(guard) {
                    for value in [true, false] {
                        let change = format!("match guard replaced by {value}");
                        self.put(line, guard.span().byte_range(), change, Edit::Guard(value));
                    }
                }
            } else if has_any && !any(arm) {
                let end = arm.pat.span().byte_range().end;
                let words: Vec<&str> = self.text[arm.pat.span().byte_range()]
                    .split_whitespace()
                    .collect();
                let change = format!("match arm {} deleted", words.join(" "));
                self.put(line, end..end, change, Edit::Arm);
            }
        }
        visit::visit_expr_match(self, matched);
    }
}

/// Whether a condition holds a `let`.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

/// What an operator is replaced by.
fn signs(own: &syn::BinOp) -> &'static [&'static str] {
    use syn::BinOp;
    match own {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Lt(_) => &["==", ">", "<="],
        BinOp::Gt(_) => &["==", "<", ">="],
        BinOp::Le(_) => &[">"],
        BinOp::Ge(_) => &["<"],
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["%", "*"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["%=", "*="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}
