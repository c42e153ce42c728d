//! What stands before a model beside the conversation, and what it runs with.

use serde::{Deserialize, Serialize};

use super::hex;
use super::record::Text;

/// What a session runs with from here on. What the record does not tell is absent, and stays as it was; what it
/// tells to be unset is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings<'a> {
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Text<'a>>,
    /// Its effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Text<'a>>,
    /// What its commands may touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Text<'a>>,
    /// The tool servers that it may call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<Text<'a>>>,
}

/// Words that were put before the model and that nobody said in the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attached<'a> {
    /// Who put them there.
    pub by: By,
    /// In whose name they stand, in the client's own word; empty where they stand in nobody's.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub role: Text<'a>,
    /// The client's own word for what they are; empty where it has none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub kind: Text<'a>,
    /// The words, where they are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text<'a>>,
}

/// Who put words before a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The client.
    Client,
    /// A hook of the operator's.
    Hook,
    /// The record does not tell: it may have been a hook.
    Untold,
}

/// What the records of a file tell at all, so that what is not there is told apart from what nobody wrote down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tells {
    /// What the session was asked.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub prompts: bool,
    /// What the client and hooks put before the model.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub attached: bool,
    /// What the model was told in another's name than the operator's.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub roles: bool,
}

impl Tells {
    /// Whether they tell nothing of the kind.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
