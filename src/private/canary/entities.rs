//! Character references of HTML: numeric ones, and the named ones that stand for letters, for
//! ASCII signs or for invisible characters (the HTML standard's own table, cut to these).

use super::decode::hex;

/// The longest name in the table.
const LONGEST: usize = 23;

/// The character that a reference at the start of `rest` stands for, and the reference's length.
///
/// Numeric references need no semicolon, as in browsers; named ones need none for the few that
/// browsers read so and that matter here.
pub(super) fn read(rest: &[u8]) -> Option<(char, usize)> {
    if rest.get(1) == Some(&b'#') {
        return numeric(rest);
    }
    let head = rest.get(1..rest.len().min(LONGEST + 2))?;
    let length = head
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let name = std::str::from_utf8(head.get(..length)?).ok()?;
    if head.get(length) == Some(&b';') {
        let found = NAMED.binary_search_by_key(&name, |(name, _)| name).ok()?;
        return NAMED.get(found).map(|(_, c)| (*c, length + 2));
    }
    BARE.iter()
        .find(|(bare, _)| name.starts_with(bare))
        .map(|(bare, c)| (*c, bare.len() + 1))
}

fn numeric(rest: &[u8]) -> Option<(char, usize)> {
    let base_16 = matches!(rest.get(2), Some(b'x' | b'X'));
    let start = if base_16 { 3 } else { 2 };
    let digits = rest.get(start..)?;
    let is_digit = |b: &&u8| {
        if base_16 {
            b.is_ascii_hexdigit()
        } else {
            b.is_ascii_digit()
        }
    };
    let length = digits.iter().take_while(is_digit).count();
    let digits = digits.get(..length)?;
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    let shown = digits.get(zeros..)?;
    let code = if base_16 {
        hex(shown)
    } else {
        std::str::from_utf8(shown).ok()?.parse().ok()
    };
    let end = start + length;
    let end = end + usize::from(rest.get(end) == Some(&b';'));
    // A run of digits that stands for nothing is read once, as one unknown character.
    let c = code
        .and_then(char::from_u32)
        .unwrap_or(char::REPLACEMENT_CHARACTER);
    (length > 0).then_some((c, end))
}

const BARE: &[(&str, char)] = &[
    ("amp", '&'),
    ("AMP", '&'),
    ("lt", '<'),
    ("LT", '<'),
    ("gt", '>'),
    ("GT", '>'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("nbsp", '\u{a0}'),
    ("shy", '\u{ad}'),
];

/// Sorted by name.
const NAMED: &[(&str, char)] = &[
    ("AElig", 'Æ'),
    ("AMP", '&'),
    ("Aacute", 'Á'),
    ("Abreve", 'Ă'),
    ("Acirc", 'Â'),
    ("Agrave", 'À'),
    ("Amacr", 'Ā'),
    ("Aogon", 'Ą'),
    ("ApplyFunction", '\u{2061}'),
    ("Aring", 'Å'),
    ("Atilde", 'Ã'),
    ("Auml", 'Ä'),
    ("Cacute", 'Ć'),
    ("Ccaron", 'Č'),
    ("Ccedil", 'Ç'),
    ("Ccirc", 'Ĉ'),
    ("Cdot", 'Ċ'),
    ("Dcaron", 'Ď'),
    ("DiacriticalGrave", '`'),
    ("Dstrok", 'Đ'),
    ("ENG", 'Ŋ'),
    ("ETH", 'Ð'),
    ("Eacute", 'É'),
    ("Ecaron", 'Ě'),
    ("Ecirc", 'Ê'),
    ("Edot", 'Ė'),
    ("Egrave", 'È'),
    ("Emacr", 'Ē'),
    ("Eogon", 'Ę'),
    ("Euml", 'Ë'),
    ("GT", '>'),
    ("Gbreve", 'Ğ'),
    ("Gcedil", 'Ģ'),
    ("Gcirc", 'Ĝ'),
    ("Gdot", 'Ġ'),
    ("Hat", '^'),
    ("Hcirc", 'Ĥ'),
    ("Hstrok", 'Ħ'),
    ("IJlig", 'Ĳ'),
    ("Iacute", 'Í'),
    ("Icirc", 'Î'),
    ("Idot", 'İ'),
    ("Igrave", 'Ì'),
    ("Imacr", 'Ī'),
    ("InvisibleComma", '\u{2063}'),
    ("InvisibleTimes", '\u{2062}'),
    ("Iogon", 'Į'),
    ("Itilde", 'Ĩ'),
    ("Iuml", 'Ï'),
    ("Jcirc", 'Ĵ'),
    ("Kcedil", 'Ķ'),
    ("LT", '<'),
    ("Lacute", 'Ĺ'),
    ("Lcaron", 'Ľ'),
    ("Lcedil", 'Ļ'),
    ("Lmidot", 'Ŀ'),
    ("Lstrok", 'Ł'),
    ("Nacute", 'Ń'),
    ("Ncaron", 'Ň'),
    ("Ncedil", 'Ņ'),
    ("NegativeMediumSpace", '\u{200b}'),
    ("NegativeThickSpace", '\u{200b}'),
    ("NegativeThinSpace", '\u{200b}'),
    ("NegativeVeryThinSpace", '\u{200b}'),
    ("NewLine", '\n'),
    ("NoBreak", '\u{2060}'),
    ("NonBreakingSpace", '\u{a0}'),
    ("Ntilde", 'Ñ'),
    ("OElig", 'Œ'),
    ("Oacute", 'Ó'),
    ("Ocirc", 'Ô'),
    ("Odblac", 'Ő'),
    ("Ograve", 'Ò'),
    ("Omacr", 'Ō'),
    ("Oslash", 'Ø'),
    ("Otilde", 'Õ'),
    ("Ouml", 'Ö'),
    ("QUOT", '"'),
    ("Racute", 'Ŕ'),
    ("Rcaron", 'Ř'),
    ("Rcedil", 'Ŗ'),
    ("Sacute", 'Ś'),
    ("Scaron", 'Š'),
    ("Scedil", 'Ş'),
    ("Scirc", 'Ŝ'),
    ("THORN", 'Þ'),
    ("Tab", '\t'),
    ("Tcaron", 'Ť'),
    ("Tcedil", 'Ţ'),
    ("Tstrok", 'Ŧ'),
    ("Uacute", 'Ú'),
    ("Ubreve", 'Ŭ'),
    ("Ucirc", 'Û'),
    ("Udblac", 'Ű'),
    ("Ugrave", 'Ù'),
    ("Umacr", 'Ū'),
    ("UnderBar", '_'),
    ("Uogon", 'Ų'),
    ("Uring", 'Ů'),
    ("Utilde", 'Ũ'),
    ("Uuml", 'Ü'),
    ("VerticalLine", '|'),
    ("Wcirc", 'Ŵ'),
    ("Yacute", 'Ý'),
    ("Ycirc", 'Ŷ'),
    ("Yuml", 'Ÿ'),
    ("Zacute", 'Ź'),
    ("Zcaron", 'Ž'),
    ("Zdot", 'Ż'),
    ("ZeroWidthSpace", '\u{200b}'),
    ("aacute", 'á'),
    ("abreve", 'ă'),
    ("acirc", 'â'),
    ("aelig", 'æ'),
    ("af", '\u{2061}'),
    ("agrave", 'à'),
    ("amacr", 'ā'),
    ("amp", '&'),
    ("angst", 'Å'),
    ("aogon", 'ą'),
    ("apos", '\''),
    ("aring", 'å'),
    ("ast", '*'),
    ("atilde", 'ã'),
    ("auml", 'ä'),
    ("bsol", '\\'),
    ("cacute", 'ć'),
    ("ccaron", 'č'),
    ("ccedil", 'ç'),
    ("ccirc", 'ĉ'),
    ("cdot", 'ċ'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("dash", '\u{2010}'),
    ("dcaron", 'ď'),
    ("dollar", '$'),
    ("dstrok", 'đ'),
    ("eacute", 'é'),
    ("ecaron", 'ě'),
    ("ecirc", 'ê'),
    ("edot", 'ė'),
    ("egrave", 'è'),
    ("emacr", 'ē'),
    ("eng", 'ŋ'),
    ("eogon", 'ę'),
    ("equals", '='),
    ("eth", 'ð'),
    ("euml", 'ë'),
    ("excl", '!'),
    ("gbreve", 'ğ'),
    ("gcirc", 'ĝ'),
    ("gdot", 'ġ'),
    ("grave", '`'),
    ("gt", '>'),
    ("hcirc", 'ĥ'),
    ("hstrok", 'ħ'),
    ("hyphen", '\u{2010}'),
    ("iacute", 'í'),
    ("ic", '\u{2063}'),
    ("icirc", 'î'),
    ("igrave", 'ì'),
    ("ijlig", 'ĳ'),
    ("imacr", 'ī'),
    ("imath", 'ı'),
    ("inodot", 'ı'),
    ("iogon", 'į'),
    ("it", '\u{2062}'),
    ("itilde", 'ĩ'),
    ("iuml", 'ï'),
    ("jcirc", 'ĵ'),
    ("kcedil", 'ķ'),
    ("kgreen", 'ĸ'),
    ("lacute", 'ĺ'),
    ("lbrace", '{'),
    ("lbrack", '['),
    ("lcaron", 'ľ'),
    ("lcedil", 'ļ'),
    ("lcub", '{'),
    ("lmidot", 'ŀ'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lrm", '\u{200e}'),
    ("lsqb", '['),
    ("lstrok", 'ł'),
    ("lt", '<'),
    ("micro", '\u{b5}'),
    ("midast", '*'),
    ("nacute", 'ń'),
    ("napos", 'ŉ'),
    ("nbsp", '\u{a0}'),
    ("ncaron", 'ň'),
    ("ncedil", 'ņ'),
    ("ntilde", 'ñ'),
    ("num", '#'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("odblac", 'ő'),
    ("oelig", 'œ'),
    ("ograve", 'ò'),
    ("omacr", 'ō'),
    ("ordf", '\u{aa}'),
    ("ordm", '\u{ba}'),
    ("oslash", 'ø'),
    ("otilde", 'õ'),
    ("ouml", 'ö'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("quest", '?'),
    ("quot", '"'),
    ("racute", 'ŕ'),
    ("rbrace", '}'),
    ("rbrack", ']'),
    ("rcaron", 'ř'),
    ("rcedil", 'ŗ'),
    ("rcub", '}'),
    ("rlm", '\u{200f}'),
    ("rpar", ')'),
    ("rsqb", ']'),
    ("sacute", 'ś'),
    ("scaron", 'š'),
    ("scedil", 'ş'),
    ("scirc", 'ŝ'),
    ("semi", ';'),
    ("shy", '\u{ad}'),
    ("sol", '/'),
    ("szlig", 'ß'),
    ("tcaron", 'ť'),
    ("tcedil", 'ţ'),
    ("thorn", 'þ'),
    ("tstrok", 'ŧ'),
    ("uacute", 'ú'),
    ("ubreve", 'ŭ'),
    ("ucirc", 'û'),
    ("udblac", 'ű'),
    ("ugrave", 'ù'),
    ("umacr", 'ū'),
    ("uogon", 'ų'),
    ("uring", 'ů'),
    ("utilde", 'ũ'),
    ("uuml", 'ü'),
    ("verbar", '|'),
    ("vert", '|'),
    ("wcirc", 'ŵ'),
    ("yacute", 'ý'),
    ("ycirc", 'ŷ'),
    ("yuml", 'ÿ'),
    ("zacute", 'ź'),
    ("zcaron", 'ž'),
    ("zdot", 'ż'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
];
