//! Rows and sums for a reader. Nothing here knows a transcript: only rows and the aggregate.

mod because;
mod claim;
pub mod expr;
pub mod fact;
mod figure;
mod frozen_page;
mod html;
mod markdown;
mod near;
mod own;
mod page;
mod pick;
mod seen;
mod sentence;
mod style;
mod table;
mod timeline;
pub mod told;

pub use because::because;
pub use claim::claim_sentence;
pub use figure::PageView;
pub use frozen_page::gate_reason;
pub use markdown::markdown;
pub use own::{Untrue, untrue};
pub use page::html;
pub use pick::Picked;
pub use sentence::{dark_reason, sentence};
pub use style::{Style, clean, counted, fit, fit_path, grouped, joined, quoted, wrapped};
pub use table::{Listing, TableView, table};
pub use timeline::{TurnWords, timeline, turn_list};
