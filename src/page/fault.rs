//! What can be untrue of a page, by name.

/// One untruth of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The page was made from another aggregate.
    StaleDigest,
    /// A number is not what the aggregate says.
    WrongNumber,
    /// Where a number should stand, none does.
    NotANumber,
    /// The aggregate has no such cell.
    UnknownKey,
    /// What an element says that it shows is no expression.
    BadExpression,
    /// A shape's place or width is not what the aggregate says.
    WrongWidth,
    /// A field is not what the row says.
    WrongText,
    /// There is no such row.
    UnknownRow,
    /// Rows have no such field, or this row shows nothing there.
    UnknownField,
    /// A row stands outside of what tells how many there are, or a field outside of a row.
    Outside,
    /// Rows of one list do not ascend.
    RowOrder,
    /// A list holds another number of rows than it tells.
    RowCount,
    /// Elements that are checked stand too deep in each other.
    TooDeep,
    /// The page has no such place as the mapping names.
    NoSuchPlace,
    /// A digit, a sign or a word right beside a number or a verdict makes another one of it.
    Beside,
    /// A number or a verdict stands where the direction of writing is turned.
    Turned,
    /// A shape is drawn elsewhere or in another size than its numbers say.
    Distorted,
    /// What is read aloud, shown on hovering or read by programs is another number.
    Alternative,
    /// What the page tells is not what it was made with.
    Altered,
}

impl Fault {
    /// Every fault, in declared order.
    pub const ALL: [Self; 19] = [
        Self::StaleDigest,
        Self::WrongNumber,
        Self::NotANumber,
        Self::UnknownKey,
        Self::BadExpression,
        Self::WrongWidth,
        Self::WrongText,
        Self::UnknownRow,
        Self::UnknownField,
        Self::Outside,
        Self::RowOrder,
        Self::RowCount,
        Self::TooDeep,
        Self::NoSuchPlace,
        Self::Beside,
        Self::Turned,
        Self::Distorted,
        Self::Alternative,
        Self::Altered,
    ];

    /// Its word in outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StaleDigest => "stale-digest",
            Self::WrongNumber => "wrong-number",
            Self::NotANumber => "not-a-number",
            Self::UnknownKey => "unknown-key",
            Self::BadExpression => "bad-expression",
            Self::WrongWidth => "wrong-width",
            Self::WrongText => "wrong-text",
            Self::UnknownRow => "unknown-row",
            Self::UnknownField => "unknown-field",
            Self::Outside => "outside",
            Self::RowOrder => "row-order",
            Self::RowCount => "row-count",
            Self::TooDeep => "too-deep",
            Self::NoSuchPlace => "no-such-place",
            Self::Beside => "beside",
            Self::Turned => "turned",
            Self::Distorted => "distorted",
            Self::Alternative => "alternative",
            Self::Altered => "altered",
        }
    }
}
