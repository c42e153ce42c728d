//! A case from somebody's own session: what tells who and where is replaced, alike everywhere, and
//! nothing else is touched.
