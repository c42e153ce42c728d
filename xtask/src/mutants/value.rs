//! What the body of a function is replaced by: plain values of its return type.

use syn::{GenericArgument, PathArguments, ReturnType, Type};

/// Values of a return type; none where no value can be written down without knowing more.
pub(crate) fn values(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec!["()".to_owned()],
        ReturnType::Type(_, of) => of_type(of),
    }
}

fn of_type(of: &Type) -> Vec<String> {
    let plain = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => plain(&["()"]),
        Type::Tuple(tuple) => {
            let firsts: Option<Vec<String>> = tuple
                .elems
                .iter()
                .map(|of| of_type(of).into_iter().next())
                .collect();
            firsts.map_or_else(Vec::new, |firsts| vec![format!("({})", firsts.join(", "))])
        }
        Type::Paren(inner) => of_type(&inner.elem),
        Type::Reference(reference) => of_reference(reference),
        Type::Path(path) => path.path.segments.last().map_or_else(Vec::new, of_path),
        _ => Vec::new(),
    }
}

fn of_reference(reference: &syn::TypeReference) -> Vec<String> {
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") && reference.mutability.is_none() => {
            vec!["\"\"".to_owned(), "\"xyzzy\"".to_owned()]
        }
        Type::Slice(_) if reference.mutability.is_none() => vec!["&[]".to_owned()],
        _ => Vec::new(),
    }
}

fn of_path(last: &syn::PathSegment) -> Vec<String> {
    let name = last.ident.to_string();
    let inner = || match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .find_map(|argument| match argument {
                GenericArgument::Type(of) => Some(of_type(of)),
                _ => None,
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let wrapped = |first: &[&str], before: &str, after: &str| {
        let own = first.iter().map(|value| (*value).to_owned());
        let made = inner()
            .into_iter()
            .map(|value| format!("{before}{value}{after}"));
        own.chain(made).collect()
    };
    let plain = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match name.as_str() {
        "bool" => plain(&["true", "false"]),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => plain(&["0", "1"]),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => plain(&["0", "1", "-1"]),
        "f32" | "f64" => plain(&["0.0", "1.0", "-1.0"]),
        "String" => plain(&["String::new()", "\"xyzzy\".into()"]),
        "PathBuf" => plain(&["Default::default()"]),
        "Option" => wrapped(&["None"], "Some(", ")"),
        "Result" => wrapped(&[], "Ok(", ")"),
        "Vec" => wrapped(&["vec![]"], "vec![", "]"),
        "Box" => wrapped(&[], "Box::new(", ")"),
        "Cow" => plain(&["\"\".into()", "\"xyzzy\".into()"]),
        _ => plain(&["Default::default()"]),
    }
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn values_fit_the_types_that_they_are_for() {
        let of = |output: &str| values(&syn::parse_str(output).unwrap());
        assert_eq!(of(""), ["()"]);
        assert_eq!(of("-> bool"), ["true", "false"]);
        assert_eq!(
            of("-> Option<&str>"),
            ["None", "Some(\"\")", "Some(\"xyzzy\")"]
        );
        assert_eq!(of("-> Vec<usize>"), ["vec![]", "vec![0]", "vec![1]"]);
        assert_eq!(of("-> Result<(), Error>"), ["Ok(())"]);
        assert_eq!(of("-> (bool, Token)"), ["(true, Default::default())"]);
        assert_eq!(of("-> &[u8]"), ["&[]"]);
        assert!(of("-> &Token").is_empty());
        assert!(of("-> impl Iterator<Item = u8>").is_empty());
        assert!(of("-> !").is_empty());
    }
}
